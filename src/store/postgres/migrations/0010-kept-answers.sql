-- The answers to requests with an Idempotency-Key (kept-answer-store.ts). A status of 0 means that
-- the request is under way, or that its process has ended.

CREATE TABLE kept_answers (
  owner TEXT NOT NULL,
  route TEXT NOT NULL,
  request_key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  record_id TEXT NOT NULL,
  holder TEXT NOT NULL,
  attempt TEXT NOT NULL,
  busy_until BIGINT NOT NULL,
  status BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (owner, route, request_key)
);

CREATE INDEX kept_answers_by_size ON kept_answers (owner, bytes);
CREATE INDEX kept_answers_by_age ON kept_answers (created_at);
