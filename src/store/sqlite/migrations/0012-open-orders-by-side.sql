-- Open orders by side, market and outcome, so that cancelling many reads only those that match.

CREATE TABLE open_order_index_by_side (
  operator_number INTEGER NOT NULL,
  is_sell INTEGER NOT NULL,
  market_serial INTEGER NOT NULL,
  outcome_serial INTEGER NOT NULL,
  serial INTEGER NOT NULL,
  PRIMARY KEY (operator_number, is_sell, market_serial, outcome_serial, serial)
) STRICT, WITHOUT ROWID;

INSERT INTO open_order_index_by_side
SELECT o.operator_number, o.is_sell, o.market_serial, o.outcome_serial, o.serial
FROM open_order_index_by_operator AS i JOIN orders AS o ON o.serial = i.serial
ORDER BY 1, 2, 3, 4, 5;

CREATE VIEW open_orders_of_side AS
SELECT operator_number AS key_operator_number, is_sell AS key_is_sell,
  market_serial AS key_market_serial, outcome_serial AS key_outcome_serial, serial AS key_serial
FROM open_order_index_by_side
UNION ALL
SELECT operator_number, is_sell, market_serial, outcome_serial, serial FROM orders
WHERE serial > (SELECT value FROM meta WHERE name = 'indexed_to') AND status <= 1;

DROP TRIGGER orders_closed;
CREATE TRIGGER orders_closed AFTER UPDATE OF status ON orders
WHEN old.status <= 1 AND new.status > 1
  AND new.serial <= (SELECT value FROM meta WHERE name = 'indexed_to')
BEGIN
  DELETE FROM open_order_index_by_operator
  WHERE operator_number = new.operator_number AND serial = new.serial;
  DELETE FROM open_order_index_by_player
  WHERE operator_number = new.operator_number AND player_id = new.player_id
    AND serial = new.serial;
  DELETE FROM open_order_index_by_side
  WHERE operator_number = new.operator_number AND is_sell = new.is_sell
    AND market_serial = new.market_serial AND outcome_serial = new.outcome_serial
    AND serial = new.serial;
END;
