-- The nodes of a cluster, and the version of the registry, by which they see that it has changed.

-- A node is a service that shares the database with others. It counts as alive until a time of this
-- server's clock. Each process of a node is an incarnation of it.
CREATE TABLE nodes (
  node TEXT PRIMARY KEY,
  incarnation TEXT NOT NULL,
  -- Where other nodes reach it.
  address TEXT NOT NULL,
  version TEXT NOT NULL,
  protocol INTEGER NOT NULL,
  engine_version BIGINT NOT NULL,
  settings_hash TEXT NOT NULL,
  shards_max INTEGER NOT NULL,
  state TEXT NOT NULL,
  registry_seen BIGINT NOT NULL,
  alive_until TIMESTAMPTZ NOT NULL,
  -- JSON.
  load TEXT NOT NULL
);

-- One row. Every write of the registry raises the version and notes what it has changed.
CREATE TABLE registry (
  is_only_row BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (is_only_row),
  version BIGINT NOT NULL
);
INSERT INTO registry (version) VALUES (0);

CREATE TABLE registry_changes (
  version BIGINT NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  -- The process that has made the change: one whose connection was lost finds out whether its
  -- write is stored. Null outside of a cluster.
  incarnation TEXT,
  changed_at TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (version, kind, id)
);

-- The node that a shard was moved to by hand; it stays there.
ALTER TABLE shards ADD COLUMN pinned_to TEXT;

CREATE TABLE takeovers (
  takeover BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  shard BIGINT NOT NULL,
  from_node TEXT,
  to_node TEXT NOT NULL,
  reason TEXT NOT NULL,
  at TIMESTAMPTZ NOT NULL,
  took_ms BIGINT NOT NULL
);
