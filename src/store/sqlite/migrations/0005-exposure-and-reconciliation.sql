-- What a player has open, without its orders of the past: PENDING and PARTIAL.
CREATE INDEX orders_open_by_player ON orders (operator, player_id) WHERE status <= 1;

-- The sets of a market, whoever minted them.
DROP INDEX sets_by_market;
CREATE INDEX sets_by_market ON sets (market, operator);
