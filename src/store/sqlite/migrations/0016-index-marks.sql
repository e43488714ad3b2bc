-- Each index that is kept as a table has a mark of its own: the serial to which it has entries. One
-- index is updated at a time, so that the next derivation need not wait for the update of all
-- (deferred-indexes.ts).

CREATE TABLE index_marks (
  index_name TEXT PRIMARY KEY,
  indexed_to INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

WITH names (index_name) AS (VALUES
  ('order_index_by_operator'),
  ('order_index_by_market'),
  ('order_index_by_player'),
  ('order_index_by_transaction'),
  ('open_order_index_by_operator'),
  ('open_order_index_by_player'),
  ('open_order_index_by_side'),
  ('trade_index_by_operator'),
  ('trade_index_by_market'),
  ('trade_index_by_outcome'),
  ('trade_index_by_order')
)
INSERT INTO index_marks
SELECT index_name, (SELECT value FROM meta WHERE name = 'indexed_to') FROM names;

DELETE FROM meta WHERE name = 'indexed_to';

-- A closed order is listed if one of the indexes of open orders may have it. The others do not add
-- it any more. Comparing with the greatest of the marks would take three times as long.
DROP TRIGGER orders_closed;
CREATE TRIGGER orders_closed AFTER UPDATE OF status ON orders
WHEN old.status <= 1 AND new.status > 1 AND (
  new.serial <= (
    SELECT indexed_to FROM index_marks WHERE index_name = 'open_order_index_by_operator'
  ) OR new.serial <= (
    SELECT indexed_to FROM index_marks WHERE index_name = 'open_order_index_by_player'
  ) OR new.serial <= (
    SELECT indexed_to FROM index_marks WHERE index_name = 'open_order_index_by_side'
  )
)
BEGIN
  INSERT INTO closed_orders (serial) VALUES (new.serial);
END;

DROP VIEW orders_of_operator;
CREATE VIEW orders_of_operator AS
SELECT i.operator_number AS key_operator_number, i.serial AS key_serial, o.*
FROM order_index_by_operator AS i LEFT JOIN orders AS o ON o.serial = i.serial
UNION ALL
SELECT operator_number, serial, * FROM orders
WHERE serial > (
  SELECT indexed_to FROM index_marks WHERE index_name = 'order_index_by_operator'
);

DROP VIEW orders_of_market;
CREATE VIEW orders_of_market AS
SELECT i.operator_number AS key_operator_number, i.market_serial AS key_market_serial,
  i.serial AS key_serial, o.*
FROM order_index_by_market AS i LEFT JOIN orders AS o ON o.serial = i.serial
UNION ALL
SELECT operator_number, market_serial, serial, * FROM orders
WHERE serial > (
  SELECT indexed_to FROM index_marks WHERE index_name = 'order_index_by_market'
);

DROP VIEW orders_of_player;
CREATE VIEW orders_of_player AS
SELECT i.operator_number AS key_operator_number, i.player_id AS key_player_id,
  i.serial AS key_serial, o.*
FROM order_index_by_player AS i LEFT JOIN orders AS o ON o.serial = i.serial
UNION ALL
SELECT operator_number, player_id, serial, * FROM orders
WHERE serial > (
  SELECT indexed_to FROM index_marks WHERE index_name = 'order_index_by_player'
);

DROP VIEW orders_of_transaction;
CREATE VIEW orders_of_transaction AS
SELECT i.operator_number AS key_operator_number, i.transaction_id AS key_transaction_id,
  i.serial AS key_serial, o.*
FROM order_index_by_transaction AS i LEFT JOIN orders AS o ON o.serial = i.serial
UNION ALL
SELECT operator_number, transaction_id, serial, * FROM orders
WHERE serial > (
  SELECT indexed_to FROM index_marks WHERE index_name = 'order_index_by_transaction'
) AND transaction_id IS NOT NULL;

DROP VIEW open_orders;
CREATE VIEW open_orders AS
SELECT i.operator_number AS key_operator_number, i.serial AS key_serial, o.*
FROM open_order_index_by_operator AS i CROSS JOIN orders AS o ON o.serial = i.serial
WHERE o.status <= 1
UNION ALL
SELECT operator_number, serial, * FROM orders
WHERE serial > (
  SELECT indexed_to FROM index_marks WHERE index_name = 'open_order_index_by_operator'
) AND status <= 1;

DROP VIEW open_orders_of_player;
CREATE VIEW open_orders_of_player AS
SELECT i.operator_number AS key_operator_number, i.player_id AS key_player_id,
  i.serial AS key_serial, o.*
FROM open_order_index_by_player AS i CROSS JOIN orders AS o ON o.serial = i.serial
WHERE o.status <= 1
UNION ALL
SELECT operator_number, player_id, serial, * FROM orders
WHERE serial > (
  SELECT indexed_to FROM index_marks WHERE index_name = 'open_order_index_by_player'
) AND status <= 1;

DROP VIEW open_orders_of_side;
CREATE VIEW open_orders_of_side AS
SELECT i.operator_number AS key_operator_number, i.is_sell AS key_is_sell,
  i.market_serial AS key_market_serial, i.outcome_serial AS key_outcome_serial,
  i.serial AS key_serial
FROM open_order_index_by_side AS i CROSS JOIN orders AS o ON o.serial = i.serial
WHERE o.status <= 1
UNION ALL
SELECT operator_number, is_sell, market_serial, outcome_serial, serial FROM orders
WHERE serial > (
  SELECT indexed_to FROM index_marks WHERE index_name = 'open_order_index_by_side'
) AND status <= 1;

DROP VIEW trades_of_operator;
CREATE VIEW trades_of_operator AS
SELECT i.operator_number AS key_operator_number, i.serial AS key_serial, t.*
FROM trade_index_by_operator AS i LEFT JOIN trades AS t ON t.serial = i.serial
UNION ALL
SELECT buyer_number, serial, * FROM trades
WHERE serial > (
  SELECT indexed_to FROM index_marks WHERE index_name = 'trade_index_by_operator'
)
UNION ALL
SELECT seller_number, serial, * FROM trades
WHERE serial > (
  SELECT indexed_to FROM index_marks WHERE index_name = 'trade_index_by_operator'
) AND seller_number <> buyer_number;

DROP VIEW trades_of_market;
CREATE VIEW trades_of_market AS
SELECT i.market_serial AS key_market_serial, i.serial AS key_serial, t.*
FROM trade_index_by_market AS i LEFT JOIN trades AS t ON t.serial = i.serial
UNION ALL
SELECT market_serial, serial, * FROM trades
WHERE serial > (
  SELECT indexed_to FROM index_marks WHERE index_name = 'trade_index_by_market'
);

DROP VIEW trades_of_outcome;
CREATE VIEW trades_of_outcome AS
SELECT i.outcome_serial AS key_outcome_serial, i.serial AS key_serial, t.*
FROM trade_index_by_outcome AS i LEFT JOIN trades AS t ON t.serial = i.serial
UNION ALL
SELECT outcome_serial, serial, * FROM trades
WHERE serial > (
  SELECT indexed_to FROM index_marks WHERE index_name = 'trade_index_by_outcome'
);

DROP VIEW trades_of_order;
CREATE VIEW trades_of_order AS
SELECT i.order_serial AS key_order_serial, i.serial AS key_serial, t.*
FROM trade_index_by_order AS i LEFT JOIN trades AS t ON t.serial = i.serial
UNION ALL
SELECT buy_order_serial, serial, * FROM trades
WHERE serial > (
  SELECT indexed_to FROM index_marks WHERE index_name = 'trade_index_by_order'
) AND buyer_number <> 0
UNION ALL
SELECT sell_order_serial, serial, * FROM trades
WHERE serial > (
  SELECT indexed_to FROM index_marks WHERE index_name = 'trade_index_by_order'
) AND seller_number <> 0;
