-- The audit log (audit-store.ts). Entries are sorted by their ids, which begin with their time.

CREATE TABLE audit_entries (
  id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  created_at BIGINT NOT NULL,
  operator_id TEXT,
  key_id TEXT,
  key_label TEXT,
  action TEXT NOT NULL,
  target_id TEXT,
  reason TEXT,
  request_id TEXT NOT NULL,
  is_done BIGINT NOT NULL
);

CREATE INDEX audit_entries_of_operator ON audit_entries (operator_id, id);
CREATE INDEX audit_entries_of_operator_action ON audit_entries (operator_id, action, id);
CREATE INDEX audit_entries_of_key ON audit_entries (key_id, id);
CREATE INDEX audit_entries_of_key_action ON audit_entries (key_id, action, id);
CREATE INDEX audit_entries_of_action ON audit_entries (action, id);
CREATE INDEX audit_entries_of_target ON audit_entries (target_id, id);
