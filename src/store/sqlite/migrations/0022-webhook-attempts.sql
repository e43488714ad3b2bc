-- The attempts to deliver to webhooks: the latest of each, for as long as events are kept. Those of
-- a deleted webhook are deleted in slices, so nothing refers to it.
CREATE TABLE webhook_attempts (
  webhook_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  delivery_id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  event_type TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  is_redelivery INTEGER NOT NULL,
  status TEXT NOT NULL,
  http_status INTEGER NOT NULL,
  error TEXT,
  response TEXT,
  duration_ms INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  PRIMARY KEY (webhook_id, number)
) STRICT, WITHOUT ROWID;

-- How many attempts of each minute of the last hour have delivered.
CREATE TABLE webhook_minutes (
  webhook_id TEXT NOT NULL,
  minute INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  PRIMARY KEY (webhook_id, minute)
) STRICT, WITHOUT ROWID;
