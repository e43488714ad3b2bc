-- The lists of orders and trades under the names by which they are read: an entry is known by the
-- columns that begin with `of_` and by `at`, its serial. Here they are indexes seen as tables.

CREATE VIEW orders_of_operator AS SELECT operator AS of_operator, serial AS at, * FROM orders;

CREATE VIEW orders_of_market AS
SELECT operator AS of_operator, market AS of_market, serial AS at, * FROM orders;

CREATE VIEW orders_of_player AS
SELECT operator AS of_operator, player_id AS of_player, serial AS at, * FROM orders;

CREATE VIEW orders_of_transaction AS
SELECT operator AS of_operator, transaction_id AS of_transaction, serial AS at, * FROM orders
WHERE transaction_id IS NOT NULL;

CREATE VIEW open_orders AS
SELECT operator AS of_operator, serial AS at, * FROM orders WHERE status <= 1;

CREATE VIEW open_orders_of_player AS
SELECT operator AS of_operator, player_id AS of_player, serial AS at, * FROM orders
WHERE status <= 1;

CREATE VIEW trades_of_operator AS
SELECT buyer AS of_operator, serial AS at, * FROM trades
UNION ALL
SELECT seller, serial, * FROM trades WHERE seller <> buyer;

CREATE VIEW trades_of_market AS SELECT market AS of_market, serial AS at, * FROM trades;

CREATE VIEW trades_of_outcome AS SELECT outcome AS of_outcome, serial AS at, * FROM trades;
