// What must hold of the turns that were stored, of the head that they lead to, and of the file
// that all of it is in.

import { textOf } from '../../sql/cells.ts'
import { type Check, sqlCheck } from './check.ts'

const withSerials = [
  'markets',
  'outcomes',
  'orders',
  'sets',
  'trades',
  'positions',
  'settlements',
] as const

export const turnChecks: readonly Check[] = [
  {
    name: 'file',
    weight: 6,
    *run({ database }) {
      for (const cells of database.prepare('PRAGMA integrity_check(20)').iterate()) {
        const finding = textOf(cells.integrity_check)
        if (finding !== 'ok') yield `The database is damaged: ${finding}.`
      }
    },
  },
  sqlCheck(
    'turn-chain',
    null,
    `SELECT 'The turn from ' || seq_from || ' to ' || seq_to || ' does not follow the one to ' ||
       before || '.' AS finding
     FROM (SELECT *, lag(seq_to) OVER (PARTITION BY shard ORDER BY batch) AS before FROM batches)
     WHERE seq_to < seq_from OR seq_from <> before
     UNION ALL
     SELECT 'The head of shard ' || shards.shard || ' is at ' || seq ||
       ' and not what its last turn made it.'
     FROM shards JOIN batches ON batch = (SELECT max(batch) FROM batches AS b
       WHERE b.shard = shards.shard)
     WHERE seq_to <> seq OR batches.hash <> shards.hash OR batches.batch_id <> shards.batch_id
       OR batches.now <> shards.now
     UNION ALL
     SELECT 'The turn from ' || min(seq_from) || ' has the hash of another one.'
     FROM batches GROUP BY hash HAVING count(*) > 1
     UNION ALL
     SELECT 'The turn from ' || seq_from || ' has no hash of 32 bytes.'
     FROM batches WHERE length(hash) <> 32`,
  ),
  sqlCheck(
    'turn-epochs',
    null,
    `SELECT 'The turn from ' || seq_from || ' is of epoch ' || epoch || ' after epoch ' ||
       before || '.' AS finding
     FROM (SELECT *, lag(epoch) OVER (PARTITION BY shard ORDER BY batch) AS before FROM batches)
     WHERE epoch < before
     UNION ALL
     SELECT 'The turn from ' || seq_from || ' is of epoch ' || batches.epoch ||
       '; its shard has come to ' || shards.epoch || ' only.'
     FROM batches JOIN shards USING (shard) WHERE batches.epoch > shards.epoch`,
  ),
  sqlCheck(
    'turn-times',
    null,
    `SELECT 'The turn from ' || seq_from || ' is of a time before the turn before it.' AS finding
     FROM (SELECT *, lag(now) OVER (PARTITION BY shard ORDER BY batch) AS before FROM batches)
     WHERE now < before`,
  ),
  sqlCheck(
    'head-serials',
    null,
    withSerials
      .map(
        (table) => `
          SELECT 'Table ${table} has serial ' || max(serial) || '; the last one given is ' ||
            (SELECT max(last_serial) FROM shards) || '.' AS finding
          FROM ${table} HAVING max(serial) > (SELECT max(last_serial) FROM shards)`,
      )
      .join(' UNION ALL '),
  ),
  sqlCheck(
    'serials-unique',
    null,
    `SELECT 'Serial ' || serial || ' was given to ' || count(*) || ' records.' AS finding
     FROM (${withSerials.map((table) => `SELECT serial FROM ${table}`).join(' UNION ALL ')})
     GROUP BY serial HAVING count(*) > 1`,
  ),
]
