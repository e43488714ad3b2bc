-- A node that hands a shard over names the next owner, which may claim it before all others.
ALTER TABLE head ADD COLUMN successor TEXT, ADD COLUMN released_at TIMESTAMPTZ;
