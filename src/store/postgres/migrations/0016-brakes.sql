-- The brake on the whole exchange, as the administrator has put it.
CREATE TABLE brakes (
  id TEXT PRIMARY KEY,
  mode TEXT NOT NULL,
  reason TEXT,
  until BIGINT,
  cancels_orders SMALLINT NOT NULL,
  number BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
