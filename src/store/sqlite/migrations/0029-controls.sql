-- The brakes on trading of the exchange (as this shard knows it), of operators and of players.
CREATE TABLE controls (
  holder_kind INTEGER NOT NULL,
  operator_number INTEGER NOT NULL,
  player_id TEXT NOT NULL,
  -- JSON; null for a brake that was released.
  record TEXT,
  PRIMARY KEY (holder_kind, operator_number, player_id)
) STRICT;

-- The brake on the whole exchange, as the administrator has put it.
CREATE TABLE brakes (
  id TEXT PRIMARY KEY,
  mode TEXT NOT NULL,
  reason TEXT,
  until INTEGER,
  cancels_orders INTEGER NOT NULL,
  number INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
