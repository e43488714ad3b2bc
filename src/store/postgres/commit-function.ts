// The function that commits a turn in one round trip. Its text is generated from the kinds of rows,
// and its name from its text, so that two versions of the service never share a function.

import { createHash } from 'node:crypto'
import { kindNames } from '../rows.ts'
import { leaseEnd } from './lease.ts'
import { mustChange, statementFor } from './row-statements.ts'

/** The SQLSTATEs that the function itself raises. */
export const raised = { fenced: 'OC001', notThere: 'OC002' } as const

const parameters = [
  ['of_shard', 'bigint'],
  ['of_epoch', 'bigint'],
  ['turn_from', 'bigint'],
  ['turn_to', 'bigint'],
  ['of_batch', 'text'],
  ['hash_before', 'bytea'],
  ['hash_after', 'bytea'],
  ['serial_now', 'bigint'],
  ['time_now', 'bigint'],
  ['lease_ms', 'bigint'],
  ['n', 'bigint[]'],
  ['t', 'text[]'],
  /** Where rows begin, in groups: the rows of a group have one kind and one statement. */
  ['places', 'integer[]'],
  ['group_kinds', 'integer[]'],
  ['group_sizes', 'integer[]'],
  /** The lower-case titles of markets, and where the rows of those markets begin. */
  ['folded_at', 'integer[]'],
  ['folded', 'text[]'],
] as const

const body = `
DECLARE
  rows_at integer[];
  done integer := 0;
  changed bigint;
BEGIN
  UPDATE head SET command_sequence = turn_to, last_serial = serial_now, now = time_now,
    batch_id = of_batch, hash = hash_after, lease_until = ${leaseEnd('lease_ms')}
  WHERE shard = of_shard AND epoch = of_epoch AND command_sequence = turn_from
    AND hash = hash_before;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The shard is fenced: it is no longer at command % in epoch %',
      turn_from, of_epoch USING ERRCODE = '${raised.fenced}';
  END IF;
  FOR g IN 1 .. cardinality(group_kinds) LOOP
    rows_at := places[done + 1 : done + group_sizes[g]];
    done := done + group_sizes[g];
    CASE group_kinds[g]
    ${kindNames.map(branchFor).join('\n    ')}
    END CASE;
  END LOOP;
  INSERT INTO batches (
    shard, epoch, command_sequence_from, command_sequence_to, batch_id, hash, now
  ) VALUES (of_shard, of_epoch, turn_from, turn_to, of_batch, hash_after, time_now);
END`

function branchFor(kind: (typeof kindNames)[number], number: number): string {
  const check = `
      GET DIAGNOSTICS changed = ROW_COUNT;
      IF changed <> cardinality(rows_at) THEN
        RAISE EXCEPTION 'A row of kind ${kind} changes a record that does not exist'
          USING ERRCODE = '${raised.notThere}';
      END IF;`
  return `WHEN ${number} THEN
      ${statementFor(kind)};${mustChange(kind) ? check : ''}`
}

// PostgreSQL plans the statements once, when the tables are almost empty, and keeps the plans. They
// must use the indexes, because the tables become large.
const settings = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']
  .map((setting) => `SET ${setting} = off`)
  .join(' ')

const digest = createHash('sha256').update(`${settings} ${body}`).digest('hex')
const name = `commit_turn_${digest.slice(0, 12)}`
const list = parameters.map(([parameter, type]) => `${parameter} ${type}`).join(', ')

export const commitFunction = {
  name,
  /** With the parameters above, in that order. */
  call: `SELECT ${name}(${parameters.map((_, index) => `$${index + 1}`).join(', ')})`,
  definition: `CREATE FUNCTION ${name}(${list}) RETURNS void LANGUAGE plpgsql ${settings}
    AS $$${body}$$`,
}
