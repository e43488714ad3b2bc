-- Whose orders and trades are whose, kept in tables of their own instead of indexes. An index
-- changes with every row: in as many places of the file as an order has lists. These are brought
-- up to date every few hundred orders, each in its own order (lists.ts); up to which serial that
-- is done stands in meta. What is newer is found along the end of its table. The views put both
-- together: an entry is known by the columns that begin with `of_` and by `at`, its serial.

DROP INDEX orders_by_operator;
DROP INDEX orders_by_market;
DROP INDEX orders_by_player;
DROP INDEX orders_by_transaction;
DROP INDEX orders_open;
DROP INDEX orders_open_by_player;
DROP INDEX trades_by_buyer;
DROP INDEX trades_by_seller;
DROP INDEX trades_by_market;
DROP INDEX trades_by_outcome;

INSERT INTO meta VALUES ('listed_to', 0);

CREATE TABLE listed_orders_of_operator (
  operator INTEGER NOT NULL,
  serial INTEGER NOT NULL,
  PRIMARY KEY (operator, serial)
) STRICT, WITHOUT ROWID;
CREATE VIEW orders_of_operator AS
SELECT l.operator AS of_operator, l.serial AS at, o.*
FROM listed_orders_of_operator AS l LEFT JOIN orders AS o ON o.serial = l.serial
UNION ALL
SELECT operator, serial, * FROM orders
WHERE serial > (SELECT value FROM meta WHERE name = 'listed_to');

CREATE TABLE listed_orders_of_market (
  operator INTEGER NOT NULL,
  market INTEGER NOT NULL,
  serial INTEGER NOT NULL,
  PRIMARY KEY (operator, market, serial)
) STRICT, WITHOUT ROWID;
CREATE VIEW orders_of_market AS
SELECT l.operator AS of_operator, l.market AS of_market, l.serial AS at, o.*
FROM listed_orders_of_market AS l LEFT JOIN orders AS o ON o.serial = l.serial
UNION ALL
SELECT operator, market, serial, * FROM orders
WHERE serial > (SELECT value FROM meta WHERE name = 'listed_to');

CREATE TABLE listed_orders_of_player (
  operator INTEGER NOT NULL,
  player_id TEXT NOT NULL,
  serial INTEGER NOT NULL,
  PRIMARY KEY (operator, player_id, serial)
) STRICT, WITHOUT ROWID;
CREATE VIEW orders_of_player AS
SELECT l.operator AS of_operator, l.player_id AS of_player, l.serial AS at, o.*
FROM listed_orders_of_player AS l LEFT JOIN orders AS o ON o.serial = l.serial
UNION ALL
SELECT operator, player_id, serial, * FROM orders
WHERE serial > (SELECT value FROM meta WHERE name = 'listed_to');

CREATE TABLE listed_orders_of_transaction (
  operator INTEGER NOT NULL,
  transaction_id TEXT NOT NULL,
  serial INTEGER NOT NULL,
  PRIMARY KEY (operator, transaction_id, serial)
) STRICT, WITHOUT ROWID;
CREATE VIEW orders_of_transaction AS
SELECT l.operator AS of_operator, l.transaction_id AS of_transaction, l.serial AS at, o.*
FROM listed_orders_of_transaction AS l LEFT JOIN orders AS o ON o.serial = l.serial
UNION ALL
SELECT operator, transaction_id, serial, * FROM orders
WHERE serial > (SELECT value FROM meta WHERE name = 'listed_to') AND transaction_id IS NOT NULL;

-- PENDING and PARTIAL, until they are not: see the trigger below.
CREATE TABLE listed_open_orders (
  operator INTEGER NOT NULL,
  serial INTEGER NOT NULL,
  PRIMARY KEY (operator, serial)
) STRICT, WITHOUT ROWID;
CREATE VIEW open_orders AS
SELECT l.operator AS of_operator, l.serial AS at, o.*
FROM listed_open_orders AS l LEFT JOIN orders AS o ON o.serial = l.serial
UNION ALL
SELECT operator, serial, * FROM orders
WHERE serial > (SELECT value FROM meta WHERE name = 'listed_to') AND status <= 1;

CREATE TABLE listed_open_orders_of_player (
  operator INTEGER NOT NULL,
  player_id TEXT NOT NULL,
  serial INTEGER NOT NULL,
  PRIMARY KEY (operator, player_id, serial)
) STRICT, WITHOUT ROWID;
CREATE VIEW open_orders_of_player AS
SELECT l.operator AS of_operator, l.player_id AS of_player, l.serial AS at, o.*
FROM listed_open_orders_of_player AS l LEFT JOIN orders AS o ON o.serial = l.serial
UNION ALL
SELECT operator, player_id, serial, * FROM orders
WHERE serial > (SELECT value FROM meta WHERE name = 'listed_to') AND status <= 1;

CREATE TRIGGER orders_closed AFTER UPDATE OF status ON orders
WHEN old.status <= 1 AND new.status > 1
  AND new.serial <= (SELECT value FROM meta WHERE name = 'listed_to')
BEGIN
  DELETE FROM listed_open_orders WHERE operator = new.operator AND serial = new.serial;
  DELETE FROM listed_open_orders_of_player
  WHERE operator = new.operator AND player_id = new.player_id AND serial = new.serial;
END;

-- Once, where an operator stands on both sides. Nobody is the operator of an issued side, which
-- is listed all the same, under 0.
CREATE TABLE listed_trades_of_operator (
  operator INTEGER NOT NULL,
  serial INTEGER NOT NULL,
  PRIMARY KEY (operator, serial)
) STRICT, WITHOUT ROWID;
CREATE VIEW trades_of_operator AS
SELECT l.operator AS of_operator, l.serial AS at, t.*
FROM listed_trades_of_operator AS l LEFT JOIN trades AS t ON t.serial = l.serial
UNION ALL
SELECT buyer, serial, * FROM trades
WHERE serial > (SELECT value FROM meta WHERE name = 'listed_to')
UNION ALL
SELECT seller, serial, * FROM trades
WHERE serial > (SELECT value FROM meta WHERE name = 'listed_to') AND seller <> buyer;

CREATE TABLE listed_trades_of_market (
  market INTEGER NOT NULL,
  serial INTEGER NOT NULL,
  PRIMARY KEY (market, serial)
) STRICT, WITHOUT ROWID;
CREATE VIEW trades_of_market AS
SELECT l.market AS of_market, l.serial AS at, t.*
FROM listed_trades_of_market AS l LEFT JOIN trades AS t ON t.serial = l.serial
UNION ALL
SELECT market, serial, * FROM trades
WHERE serial > (SELECT value FROM meta WHERE name = 'listed_to');

CREATE TABLE listed_trades_of_outcome (
  outcome INTEGER NOT NULL,
  serial INTEGER NOT NULL,
  PRIMARY KEY (outcome, serial)
) STRICT, WITHOUT ROWID;
CREATE VIEW trades_of_outcome AS
SELECT l.outcome AS of_outcome, l.serial AS at, t.*
FROM listed_trades_of_outcome AS l LEFT JOIN trades AS t ON t.serial = l.serial
UNION ALL
SELECT outcome, serial, * FROM trades
WHERE serial > (SELECT value FROM meta WHERE name = 'listed_to');
