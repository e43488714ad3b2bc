-- When API keys were last used (key-use-store.ts).

CREATE TABLE key_uses (
  key_id TEXT NOT NULL PRIMARY KEY REFERENCES keys (id) ON DELETE CASCADE,
  used_at BIGINT NOT NULL
);
