-- The settlements that an operator has acknowledged, and those that it has not. Each record is in
-- one of the two lists of its operator, and in one of the two of its market.

CREATE INDEX settlements_acknowledged ON settlements (operator_number, serial)
  WHERE transaction_id IS NOT NULL;
CREATE INDEX settlements_acknowledged_by_market
  ON settlements (operator_number, market_serial, serial) WHERE transaction_id IS NOT NULL;
CREATE INDEX settlements_unacknowledged ON settlements (operator_number, serial)
  WHERE transaction_id IS NULL;
CREATE INDEX settlements_unacknowledged_by_market
  ON settlements (operator_number, market_serial, serial) WHERE transaction_id IS NULL;
