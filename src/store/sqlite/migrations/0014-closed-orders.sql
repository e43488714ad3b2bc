-- The indexes of open orders lose the entries of closed orders later, many at once
-- (deferred-indexes.ts): an order that matches thousands would otherwise change three indexes for
-- each of them while other turns wait. Until then the entries are listed here.

CREATE TABLE closed_orders (
  number INTEGER PRIMARY KEY,
  serial INTEGER NOT NULL
) STRICT;

DROP TRIGGER orders_closed;
CREATE TRIGGER orders_closed AFTER UPDATE OF status ON orders
WHEN old.status <= 1 AND new.status > 1
  AND new.serial <= (SELECT value FROM meta WHERE name = 'indexed_to')
BEGIN
  INSERT INTO closed_orders (serial) VALUES (new.serial);
END;

-- A cross join reads the index first.

DROP VIEW open_orders;
CREATE VIEW open_orders AS
SELECT i.operator_number AS key_operator_number, i.serial AS key_serial, o.*
FROM open_order_index_by_operator AS i CROSS JOIN orders AS o ON o.serial = i.serial
WHERE o.status <= 1
UNION ALL
SELECT operator_number, serial, * FROM orders
WHERE serial > (SELECT value FROM meta WHERE name = 'indexed_to') AND status <= 1;

DROP VIEW open_orders_of_player;
CREATE VIEW open_orders_of_player AS
SELECT i.operator_number AS key_operator_number, i.player_id AS key_player_id,
  i.serial AS key_serial, o.*
FROM open_order_index_by_player AS i CROSS JOIN orders AS o ON o.serial = i.serial
WHERE o.status <= 1
UNION ALL
SELECT operator_number, player_id, serial, * FROM orders
WHERE serial > (SELECT value FROM meta WHERE name = 'indexed_to') AND status <= 1;

DROP VIEW open_orders_of_side;
CREATE VIEW open_orders_of_side AS
SELECT i.operator_number AS key_operator_number, i.is_sell AS key_is_sell,
  i.market_serial AS key_market_serial, i.outcome_serial AS key_outcome_serial,
  i.serial AS key_serial
FROM open_order_index_by_side AS i CROSS JOIN orders AS o ON o.serial = i.serial
WHERE o.status <= 1
UNION ALL
SELECT operator_number, is_sell, market_serial, outcome_serial, serial FROM orders
WHERE serial > (SELECT value FROM meta WHERE name = 'indexed_to') AND status <= 1;
