-- Every shard has a schema of its own, because the serials of its records, which are primary keys,
-- are counted per shard. The tables so far become those of shard 0; the registry stays here. Moving
-- a table is instant, whatever its size. The name of the schema is set by the code that runs this.

ALTER TABLE shards RENAME TO head;
ALTER INDEX shards_pkey RENAME TO head_pkey;
ALTER TABLE head SET (fillfactor = 20);
ALTER INDEX batches_shard_seq_from_key RENAME TO batches_shard_command_sequence_from_key;

DO $$
DECLARE
  schema_of_shard text := current_setting('outcry.schema_of_shard');
  moved record;
BEGIN
  EXECUTE format('CREATE SCHEMA %I', schema_of_shard);
  FOR moved IN
    SELECT relname AS name, CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END AS kind
    FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v') AND relname IN (
      'head', 'batches', 'probes', 'webhook_cursors', 'markets', 'market_counters', 'outcomes',
      'books', 'candles', 'participants', 'jobs', 'orders', 'sets', 'trades', 'positions',
      'settlements', 'event_records', 'event_chunks', 'event_sequences', 'tallies',
      'orders_of_operator', 'orders_of_market', 'orders_of_player', 'orders_of_transaction',
      'open_orders', 'open_orders_of_player', 'open_orders_of_side', 'trades_of_operator',
      'trades_of_market', 'trades_of_outcome', 'trades_of_order'
    )
  LOOP
    EXECUTE format('ALTER %s %I SET SCHEMA %I', moved.kind, moved.name, schema_of_shard);
  END LOOP;
  FOR moved IN
    SELECT oid::regprocedure::text AS signature FROM pg_proc
    WHERE proname LIKE 'commit\_turn\_%' AND pronamespace = current_schema()::regnamespace
  LOOP
    EXECUTE format('DROP FUNCTION %s', moved.signature);
  END LOOP;
END
$$;

-- The version of a shard's tables is the number of steps in shard-migrations that it has.
CREATE TABLE shards (
  shard BIGINT PRIMARY KEY,
  schema TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL
);
INSERT INTO shards VALUES (0, current_setting('outcry.schema_of_shard'), 1);

ALTER TABLE operators ADD COLUMN shard BIGINT NOT NULL DEFAULT 0;
ALTER TABLE operators ALTER COLUMN shard DROP DEFAULT;
