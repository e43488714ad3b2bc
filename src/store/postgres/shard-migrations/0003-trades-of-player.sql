-- The trades of one player can be listed. A trade does not say whose orders it matched; the orders
-- do. The issuer, operator 0, has no order. A trigger adds the entries of a turn, so that they are
-- complete also while nodes of an earlier version commit turns.

CREATE TABLE trade_index_by_player (
  operator_number BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  serial BIGINT NOT NULL,
  PRIMARY KEY (operator_number, player_id, serial)
);

-- A player that trades with itself has one entry for both sides.
CREATE FUNCTION index_trades_by_player() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO trade_index_by_player
  SELECT buyer_number, player_id, t.serial FROM made AS t
  JOIN orders AS o ON o.serial = t.buy_order_serial WHERE buyer_number <> 0
  UNION
  SELECT seller_number, player_id, t.serial FROM made AS t
  JOIN orders AS o ON o.serial = t.sell_order_serial WHERE seller_number <> 0;
  RETURN NULL;
END
$$;

-- Before the index is filled: it locks the table, so that no trade is committed without an entry.
CREATE TRIGGER trades_by_player AFTER INSERT ON trades
REFERENCING NEW TABLE AS made
FOR EACH STATEMENT EXECUTE FUNCTION index_trades_by_player();

INSERT INTO trade_index_by_player
SELECT buyer_number, player_id, t.serial FROM trades AS t
JOIN orders AS o ON o.serial = t.buy_order_serial WHERE buyer_number <> 0
UNION
SELECT seller_number, player_id, t.serial FROM trades AS t
JOIN orders AS o ON o.serial = t.sell_order_serial WHERE seller_number <> 0;

CREATE VIEW trades_of_player AS
SELECT i.operator_number AS key_operator_number, i.player_id AS key_player_id,
  i.serial AS key_serial, t.*
FROM trade_index_by_player AS i LEFT JOIN trades AS t ON t.serial = i.serial;
