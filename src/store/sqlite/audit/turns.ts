// Checks of the database file, of the stored turns and of the head that they lead to.

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
    `SELECT 'The turn from ' || command_sequence_from || ' to ' || command_sequence_to ||
       ' does not follow the one to ' || before || '.' AS finding
     FROM (
       SELECT *, lag(command_sequence_to) OVER (PARTITION BY shard ORDER BY batch) AS before
       FROM batches
     )
     WHERE command_sequence_to < command_sequence_from OR command_sequence_from <> before
     UNION ALL
     SELECT 'The head of shard ' || head.shard || ' is at ' || command_sequence ||
       ', which does not match its last turn.'
     FROM head JOIN batches ON batch = (SELECT max(batch) FROM batches AS b
       WHERE b.shard = head.shard)
     WHERE command_sequence_to <> command_sequence OR batches.hash <> head.hash
       OR batches.batch_id <> head.batch_id
       OR batches.now <> head.now
     UNION ALL
     SELECT 'The turn from ' || min(command_sequence_from) || ' has the hash of another turn.'
     FROM batches GROUP BY hash HAVING count(*) > 1
     UNION ALL
     SELECT 'The turn from ' || command_sequence_from || ' has no hash of 32 bytes.'
     FROM batches WHERE length(hash) <> 32`,
  ),
  sqlCheck(
    'turn-epochs',
    null,
    `SELECT 'The turn from ' || command_sequence_from || ' has epoch ' || epoch ||
       ' after epoch ' || before || '.' AS finding
     FROM (SELECT *, lag(epoch) OVER (PARTITION BY shard ORDER BY batch) AS before FROM batches)
     WHERE epoch < before
     UNION ALL
     SELECT 'The turn from ' || command_sequence_from || ' has epoch ' || batches.epoch ||
       '; its shard has epoch ' || head.epoch || '.'
     FROM batches JOIN head USING (shard) WHERE batches.epoch > head.epoch`,
  ),
  sqlCheck(
    'turn-times',
    null,
    `SELECT 'The turn from ' || command_sequence_from ||
       ' is earlier than the turn before it.' AS finding
     FROM (SELECT *, lag(now) OVER (PARTITION BY shard ORDER BY batch) AS before FROM batches)
     WHERE now < before`,
  ),
  sqlCheck(
    'head-serials',
    null,
    withSerials
      .map(
        (table) => `
          SELECT 'Table ${table} has serial ' || max(serial) || '; the last allocated is ' ||
            (SELECT max(last_serial) FROM head) || '.' AS finding
          FROM ${table} HAVING max(serial) > (SELECT max(last_serial) FROM head)`,
      )
      .join(' UNION ALL '),
  ),
  sqlCheck(
    'serials-unique',
    null,
    `SELECT 'Serial ' || serial || ' belongs to ' || count(*) || ' records.' AS finding
     FROM (${withSerials.map((table) => `SELECT serial FROM ${table}`).join(' UNION ALL ')})
     GROUP BY serial HAVING count(*) > 1`,
  ),
]
