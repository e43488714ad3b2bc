-- The attempts to deliver to webhooks: the latest of each, for as long as events are kept. Those of
-- a deleted webhook are deleted in slices, so nothing refers to it.
CREATE TABLE webhook_attempts (
  webhook_id TEXT NOT NULL,
  number BIGINT NOT NULL,
  delivery_id TEXT NOT NULL,
  sequence BIGINT NOT NULL,
  event_type TEXT NOT NULL,
  attempt BIGINT NOT NULL,
  is_redelivery SMALLINT NOT NULL,
  status TEXT NOT NULL,
  http_status BIGINT NOT NULL,
  error TEXT,
  response TEXT,
  duration_ms BIGINT NOT NULL,
  started_at BIGINT NOT NULL,
  next_at BIGINT NOT NULL,
  PRIMARY KEY (webhook_id, number)
);

-- How many attempts of each minute of the last hour have delivered.
CREATE TABLE webhook_minutes (
  webhook_id TEXT NOT NULL,
  minute BIGINT NOT NULL,
  delivered BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  PRIMARY KEY (webhook_id, minute)
) WITH (fillfactor = 50);
