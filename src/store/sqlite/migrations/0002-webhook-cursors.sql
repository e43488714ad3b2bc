-- Where each active webhook stands: all of its deliveries up to this sequence are over. It goes
-- with its webhook.
CREATE TABLE webhook_cursors (
  webhook_id TEXT PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
