-- The brakes on trading of the exchange (as this shard knows it), of operators and of players.
CREATE TABLE controls (
  holder_kind SMALLINT NOT NULL,
  operator_number BIGINT NOT NULL,
  player_id TEXT NOT NULL,
  -- JSON; null for a brake that was released.
  record TEXT,
  PRIMARY KEY (holder_kind, operator_number, player_id)
);
