-- The trades of one order can be listed. The index is filled here for the rows that the other
-- indexes have; the writer adds to it with them (deferred-indexes.ts). The issuer, operator 0, has
-- no order.

CREATE TABLE trade_index_by_order (
  order_serial INTEGER NOT NULL,
  serial INTEGER NOT NULL,
  PRIMARY KEY (order_serial, serial)
) STRICT, WITHOUT ROWID;

INSERT INTO trade_index_by_order
SELECT buy_order_serial AS order_serial, serial FROM trades
WHERE serial <= (SELECT value FROM meta WHERE name = 'indexed_to') AND buyer_number <> 0
UNION ALL
SELECT sell_order_serial, serial FROM trades
WHERE serial <= (SELECT value FROM meta WHERE name = 'indexed_to') AND seller_number <> 0
ORDER BY order_serial, serial;

CREATE VIEW trades_of_order AS
SELECT i.order_serial AS key_order_serial, i.serial AS key_serial, t.*
FROM trade_index_by_order AS i LEFT JOIN trades AS t ON t.serial = i.serial
UNION ALL
SELECT buy_order_serial, serial, * FROM trades
WHERE serial > (SELECT value FROM meta WHERE name = 'indexed_to') AND buyer_number <> 0
UNION ALL
SELECT sell_order_serial, serial, * FROM trades
WHERE serial > (SELECT value FROM meta WHERE name = 'indexed_to') AND seller_number <> 0;
