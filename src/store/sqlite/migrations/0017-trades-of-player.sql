-- The trades of one player can be listed. A trade does not say whose orders it matched; the orders
-- do. The issuer, operator 0, has no order. The next start fills the index, a part at a time.

CREATE TABLE trade_index_by_player (
  operator_number INTEGER NOT NULL,
  player_id TEXT NOT NULL,
  serial INTEGER NOT NULL,
  PRIMARY KEY (operator_number, player_id, serial)
) STRICT, WITHOUT ROWID;

INSERT INTO index_marks VALUES ('trade_index_by_player', 0);

-- Each trade once for each player that has an order in it.
CREATE VIEW trade_players AS
SELECT t.serial, t.created_at, t.buyer_number AS operator_number, o.player_id
FROM trades AS t CROSS JOIN orders AS o ON o.serial = t.buy_order_serial
WHERE t.buyer_number <> 0
UNION ALL
SELECT t.serial, t.created_at, t.seller_number, o.player_id
FROM trades AS t CROSS JOIN orders AS o ON o.serial = t.sell_order_serial
WHERE t.seller_number <> 0 AND (t.seller_number <> t.buyer_number OR o.player_id IS NOT
  (SELECT player_id FROM orders WHERE serial = t.buy_order_serial));

CREATE VIEW trades_of_player AS
SELECT i.operator_number AS key_operator_number, i.player_id AS key_player_id,
  i.serial AS key_serial, t.*
FROM trade_index_by_player AS i LEFT JOIN trades AS t ON t.serial = i.serial
UNION ALL
SELECT t.buyer_number, o.player_id, t.serial, t.*
FROM trades AS t CROSS JOIN orders AS o ON o.serial = t.buy_order_serial
WHERE t.serial > (
  SELECT indexed_to FROM index_marks WHERE index_name = 'trade_index_by_player'
) AND t.buyer_number <> 0
UNION ALL
SELECT t.seller_number, o.player_id, t.serial, t.*
FROM trades AS t CROSS JOIN orders AS o ON o.serial = t.sell_order_serial
WHERE t.serial > (
  SELECT indexed_to FROM index_marks WHERE index_name = 'trade_index_by_player'
) AND t.seller_number <> 0 AND (t.seller_number <> t.buyer_number OR o.player_id IS NOT
  (SELECT player_id FROM orders WHERE serial = t.buy_order_serial));
