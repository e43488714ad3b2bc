-- Tables and columns get the names of the rows in rows.ts: a column is the snake case of its field.
-- A serial is called one, an operator goes by its number, and what was a telling, a guest, a run or
-- a list is an event record, a participant, a job or an index. Renaming is instant, whatever the
-- size of a table. SQLite cannot rename an index: tellings_by_market keeps its name.
--
-- The views and the trigger are made anew; the indexes that are kept as tables stay as they are, see
-- 0007-lists.sql.

DROP VIEW orders_of_operator;
DROP VIEW orders_of_market;
DROP VIEW orders_of_player;
DROP VIEW orders_of_transaction;
DROP VIEW open_orders;
DROP VIEW open_orders_of_player;
DROP VIEW trades_of_operator;
DROP VIEW trades_of_market;
DROP VIEW trades_of_outcome;
DROP TRIGGER orders_closed;

ALTER TABLE shards RENAME COLUMN seq TO command_sequence;
ALTER TABLE batches RENAME COLUMN seq_from TO command_sequence_from;
ALTER TABLE batches RENAME COLUMN seq_to TO command_sequence_to;

ALTER TABLE webhook_cursors RENAME COLUMN sequence TO event_sequence;

ALTER TABLE markets RENAME COLUMN owner TO owner_number;
ALTER TABLE market_counters RENAME COLUMN market TO market_serial;
ALTER TABLE outcomes RENAME COLUMN market TO market_serial;
ALTER TABLE books RENAME COLUMN outcome TO outcome_serial;
ALTER TABLE candles RENAME COLUMN outcome TO outcome_serial;

ALTER TABLE guests RENAME TO participants;
ALTER TABLE participants RENAME COLUMN guest TO participant;
ALTER TABLE participants RENAME COLUMN market TO market_serial;
ALTER TABLE participants RENAME COLUMN operator TO operator_number;

ALTER TABLE runs RENAME TO jobs;
ALTER TABLE jobs RENAME COLUMN market TO market_serial;
ALTER TABLE jobs RENAME COLUMN run TO job;
-- One entry for each job that is under way.
DROP INDEX runs_going;
CREATE INDEX jobs_unfinished ON jobs (market_serial) WHERE is_done = 0;

ALTER TABLE orders RENAME COLUMN market TO market_serial;
ALTER TABLE orders RENAME COLUMN outcome TO outcome_serial;
ALTER TABLE orders RENAME COLUMN operator TO operator_number;

ALTER TABLE sets RENAME COLUMN market TO market_serial;
ALTER TABLE sets RENAME COLUMN operator TO operator_number;

ALTER TABLE trades RENAME COLUMN market TO market_serial;
ALTER TABLE trades RENAME COLUMN outcome TO outcome_serial;
ALTER TABLE trades RENAME COLUMN buy_order TO buy_order_serial;
ALTER TABLE trades RENAME COLUMN sell_order TO sell_order_serial;
ALTER TABLE trades RENAME COLUMN buyer TO buyer_number;
ALTER TABLE trades RENAME COLUMN seller TO seller_number;

ALTER TABLE positions RENAME COLUMN market TO market_serial;
ALTER TABLE positions RENAME COLUMN outcome TO outcome_serial;
ALTER TABLE positions RENAME COLUMN operator TO operator_number;

ALTER TABLE settlements RENAME COLUMN market TO market_serial;
ALTER TABLE settlements RENAME COLUMN outcome TO outcome_serial;
ALTER TABLE settlements RENAME COLUMN operator TO operator_number;

ALTER TABLE tellings RENAME TO event_records;
ALTER TABLE event_records RENAME COLUMN operator TO operator_number;
ALTER TABLE event_records RENAME COLUMN market TO market_serial;

ALTER TABLE telling_chunks RENAME TO event_chunks;
ALTER TABLE event_chunks RENAME COLUMN operator TO operator_number;

ALTER TABLE sequences RENAME TO event_sequences;
ALTER TABLE event_sequences RENAME COLUMN operator TO operator_number;
ALTER TABLE event_sequences RENAME COLUMN sequence TO event_sequence;

ALTER TABLE tallies RENAME COLUMN operator TO operator_number;
ALTER TABLE tallies RENAME COLUMN market TO market_serial;

UPDATE meta SET name = 'indexed_to' WHERE name = 'listed_to';

ALTER TABLE listed_orders_of_operator RENAME TO order_index_by_operator;
ALTER TABLE order_index_by_operator RENAME COLUMN operator TO operator_number;

ALTER TABLE listed_orders_of_market RENAME TO order_index_by_market;
ALTER TABLE order_index_by_market RENAME COLUMN operator TO operator_number;
ALTER TABLE order_index_by_market RENAME COLUMN market TO market_serial;

ALTER TABLE listed_orders_of_player RENAME TO order_index_by_player;
ALTER TABLE order_index_by_player RENAME COLUMN operator TO operator_number;

ALTER TABLE listed_orders_of_transaction RENAME TO order_index_by_transaction;
ALTER TABLE order_index_by_transaction RENAME COLUMN operator TO operator_number;

ALTER TABLE listed_open_orders RENAME TO open_order_index_by_operator;
ALTER TABLE open_order_index_by_operator RENAME COLUMN operator TO operator_number;

ALTER TABLE listed_open_orders_of_player RENAME TO open_order_index_by_player;
ALTER TABLE open_order_index_by_player RENAME COLUMN operator TO operator_number;

ALTER TABLE listed_trades_of_operator RENAME TO trade_index_by_operator;
ALTER TABLE trade_index_by_operator RENAME COLUMN operator TO operator_number;

ALTER TABLE listed_trades_of_market RENAME TO trade_index_by_market;
ALTER TABLE trade_index_by_market RENAME COLUMN market TO market_serial;

ALTER TABLE listed_trades_of_outcome RENAME TO trade_index_by_outcome;
ALTER TABLE trade_index_by_outcome RENAME COLUMN outcome TO outcome_serial;

-- A view reads an index and then the rows that are too new for it. Its columns that begin with
-- `key_` are those of the index entry.

CREATE VIEW orders_of_operator AS
SELECT i.operator_number AS key_operator_number, i.serial AS key_serial, o.*
FROM order_index_by_operator AS i LEFT JOIN orders AS o ON o.serial = i.serial
UNION ALL
SELECT operator_number, serial, * FROM orders
WHERE serial > (SELECT value FROM meta WHERE name = 'indexed_to');

CREATE VIEW orders_of_market AS
SELECT i.operator_number AS key_operator_number, i.market_serial AS key_market_serial,
  i.serial AS key_serial, o.*
FROM order_index_by_market AS i LEFT JOIN orders AS o ON o.serial = i.serial
UNION ALL
SELECT operator_number, market_serial, serial, * FROM orders
WHERE serial > (SELECT value FROM meta WHERE name = 'indexed_to');

CREATE VIEW orders_of_player AS
SELECT i.operator_number AS key_operator_number, i.player_id AS key_player_id,
  i.serial AS key_serial, o.*
FROM order_index_by_player AS i LEFT JOIN orders AS o ON o.serial = i.serial
UNION ALL
SELECT operator_number, player_id, serial, * FROM orders
WHERE serial > (SELECT value FROM meta WHERE name = 'indexed_to');

CREATE VIEW orders_of_transaction AS
SELECT i.operator_number AS key_operator_number, i.transaction_id AS key_transaction_id,
  i.serial AS key_serial, o.*
FROM order_index_by_transaction AS i LEFT JOIN orders AS o ON o.serial = i.serial
UNION ALL
SELECT operator_number, transaction_id, serial, * FROM orders
WHERE serial > (SELECT value FROM meta WHERE name = 'indexed_to') AND transaction_id IS NOT NULL;

-- PENDING and PARTIAL; the trigger below removes the entries of orders that are closed.
CREATE VIEW open_orders AS
SELECT i.operator_number AS key_operator_number, i.serial AS key_serial, o.*
FROM open_order_index_by_operator AS i LEFT JOIN orders AS o ON o.serial = i.serial
UNION ALL
SELECT operator_number, serial, * FROM orders
WHERE serial > (SELECT value FROM meta WHERE name = 'indexed_to') AND status <= 1;

CREATE VIEW open_orders_of_player AS
SELECT i.operator_number AS key_operator_number, i.player_id AS key_player_id,
  i.serial AS key_serial, o.*
FROM open_order_index_by_player AS i LEFT JOIN orders AS o ON o.serial = i.serial
UNION ALL
SELECT operator_number, player_id, serial, * FROM orders
WHERE serial > (SELECT value FROM meta WHERE name = 'indexed_to') AND status <= 1;

CREATE TRIGGER orders_closed AFTER UPDATE OF status ON orders
WHEN old.status <= 1 AND new.status > 1
  AND new.serial <= (SELECT value FROM meta WHERE name = 'indexed_to')
BEGIN
  DELETE FROM open_order_index_by_operator
  WHERE operator_number = new.operator_number AND serial = new.serial;
  DELETE FROM open_order_index_by_player
  WHERE operator_number = new.operator_number AND player_id = new.player_id
    AND serial = new.serial;
END;

-- A trade has one entry for each operator in it. The issuer is operator 0.
CREATE VIEW trades_of_operator AS
SELECT i.operator_number AS key_operator_number, i.serial AS key_serial, t.*
FROM trade_index_by_operator AS i LEFT JOIN trades AS t ON t.serial = i.serial
UNION ALL
SELECT buyer_number, serial, * FROM trades
WHERE serial > (SELECT value FROM meta WHERE name = 'indexed_to')
UNION ALL
SELECT seller_number, serial, * FROM trades
WHERE serial > (SELECT value FROM meta WHERE name = 'indexed_to')
  AND seller_number <> buyer_number;

CREATE VIEW trades_of_market AS
SELECT i.market_serial AS key_market_serial, i.serial AS key_serial, t.*
FROM trade_index_by_market AS i LEFT JOIN trades AS t ON t.serial = i.serial
UNION ALL
SELECT market_serial, serial, * FROM trades
WHERE serial > (SELECT value FROM meta WHERE name = 'indexed_to');

CREATE VIEW trades_of_outcome AS
SELECT i.outcome_serial AS key_outcome_serial, i.serial AS key_serial, t.*
FROM trade_index_by_outcome AS i LEFT JOIN trades AS t ON t.serial = i.serial
UNION ALL
SELECT outcome_serial, serial, * FROM trades
WHERE serial > (SELECT value FROM meta WHERE name = 'indexed_to');
