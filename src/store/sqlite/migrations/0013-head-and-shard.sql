-- The head of the shard has the name that it has on PostgreSQL, and an operator tells its shard.

ALTER TABLE shards RENAME TO head;
ALTER TABLE operators ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;
