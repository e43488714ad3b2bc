-- The trades of one order can be listed. The issuer, operator 0, has no order.

CREATE INDEX trades_by_buy_order ON trades (buy_order_serial, serial) WHERE buyer_number <> 0;
CREATE INDEX trades_by_sell_order ON trades (sell_order_serial, serial) WHERE seller_number <> 0;

CREATE VIEW trades_of_order AS
SELECT buy_order_serial AS key_order_serial, serial AS key_serial, * FROM trades
WHERE buyer_number <> 0
UNION ALL
SELECT sell_order_serial, serial, * FROM trades WHERE seller_number <> 0;
