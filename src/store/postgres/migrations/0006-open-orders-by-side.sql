-- Open orders by side, market and outcome, so that cancelling many reads only those that match.

CREATE INDEX orders_open_by_side
ON orders (operator_number, is_sell, market_serial, outcome_serial, serial) WHERE status <= 1;

CREATE VIEW open_orders_of_side AS
SELECT operator_number AS key_operator_number, is_sell AS key_is_sell,
  market_serial AS key_market_serial, outcome_serial AS key_outcome_serial, serial AS key_serial
FROM orders WHERE status <= 1;
