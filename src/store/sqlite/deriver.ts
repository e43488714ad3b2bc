// Derives the tables from committed turns: many of them in one transaction, in which a record that
// they change several times is written once.

import { assert } from '../../core/assert.ts'
import { chainHash } from '../chain.ts'
import { rowsOf } from '../row-bytes.ts'
import { rowTables } from '../row-tables.ts'
import { kindNames } from '../rows.ts'
import { numberOf } from '../sql/cells.ts'
import { CollapsedRows, type RowGroup } from './collapsed-rows.ts'
import type { Statements } from './connection.ts'
import { EventChunks } from './event-chunks.ts'
import { CannotDerive, isOfDisk } from './failures.ts'
import { inTransaction } from './migrate.ts'
import { rowsAtOnce, statementFor } from './row-statements.ts'
import type { CommittedTurn, TurnsFile } from './turns-file.ts'

/** Of turns in one transaction: about four thousand orders. */
export const stepBytes = 2 * 1024 * 1024

/** Of the last turn in the tables. */
export type DerivedHead = {
  readonly epoch: number
  readonly commandSequence: number
  readonly hash: Uint8Array
}

const rowStatements = new Map(
  kindNames.map((kind) => [
    kind,
    {
      one: statementFor(kind, 1),
      several: statementFor(kind, rowsAtOnce(kind)),
      atOnce: rowsAtOnce(kind),
      mustChange: rowTables[kind].write.kind === 'update',
    },
  ]),
)

type TurnSource = Pick<TurnsFile, 'after'>

export class Deriver {
  readonly #statements: Statements
  readonly #turns: TurnSource
  readonly #shard: number

  constructor(statements: Statements, turns: TurnSource, shard: number) {
    this.#statements = statements
    this.#turns = turns
    this.#shard = shard
  }

  get head(): DerivedHead {
    const head = this.#statements
      .get('SELECT epoch, command_sequence, hash FROM head WHERE shard = ?')
      .get(this.#shard)
    assert(head?.hash instanceof Uint8Array, 'the head has a hash')
    const { epoch, command_sequence, hash } = head
    return { epoch: numberOf(epoch), commandSequence: numberOf(command_sequence), hash }
  }

  /**
   * Derives the first turns that the tables do not have; returns false if there are none. Throws a
   * CannotDerive, or what the database throws.
   */
  step(): boolean {
    const { commandSequence, hash } = this.head
    const turns: CommittedTurn[] = []
    let bytes = 0
    let previous = { to: commandSequence, hash }
    for (const turn of this.#turns.after(commandSequence)) {
      checkChain(previous, turn)
      turns.push(turn)
      previous = turn
      bytes += turn.rows.length
      if (bytes >= stepBytes) break
    }
    if (turns.length === 0) return false
    try {
      const rows = new CollapsedRows(turns.map((turn) => rowsOf(turn.rows)))
      inTransaction(this.#statements.database, () => this.#write(turns, rows))
    } catch (error) {
      throw isOfDisk(error) ? error : doNotFit(turns, error)
    }
    return true
  }

  #write(turns: readonly CommittedTurn[], rows: CollapsedRows): void {
    const statements = this.#statements
    const last = turns.at(-1)!
    writeRows(statements, rows)
    const insert = statements.get(
      `INSERT INTO batches (
         shard, epoch, command_sequence_from, command_sequence_to, batch_id, hash, now
       ) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    for (const { epoch, from, to, batchId, hash, now } of turns) {
      insert.run(this.#shard, epoch, from, to, batchId, hash, now)
    }
    const { to, lastSerial, now, batchId, hash } = last
    statements
      .get(
        `UPDATE head SET command_sequence = ?, last_serial = ?, now = ?, batch_id = ?, hash = ?
         WHERE shard = ?`,
      )
      .run(to, lastSerial, now, batchId, hash, this.#shard)
  }
}

type Previous = { readonly to: number; readonly hash: Uint8Array }

/** A turn that is missing, changed or of another folder is never derived. */
function checkChain(previous: Previous, turn: CommittedTurn): void {
  if (turn.from !== previous.to) {
    throw new CannotDerive(`the commands ${previous.to + 1} to ${turn.from} are missing`)
  }
  if (Buffer.compare(chainHash(previous.hash, turn, turn.rows), turn.hash) !== 0) {
    const commands = `the commands ${turn.from + 1} to ${turn.to}`
    throw new CannotDerive(`${commands} are damaged, or do not belong to the tables`)
  }
}

function doNotFit(turns: readonly CommittedTurn[], cause: unknown): CannotDerive {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const commands = `the commands ${turns[0]!.from + 1} to ${turns.at(-1)!.to}`
  return new CannotDerive(`${commands} have rows that do not fit: ${reason}`, { cause })
}

function writeRows(statements: Statements, collapsed: CollapsedRows): void {
  const chunks = new EventChunks()
  for (const group of collapsed.groups()) writeGroup(statements, group, chunks)
  chunks.write(statements)
}

function writeGroup(statements: Statements, group: RowGroup, chunks: EventChunks): void {
  const { kind, count, parameters } = group
  const { one, several, atOnce, mustChange } = rowStatements.get(kind)!
  for (let at = 0; at < count; ) {
    const rows = at + atOnce <= count ? atOnce : 1
    const values = parameters(at, rows)
    if (kind === 'eventRecord') chunks.add(values)
    const { changes } = statements.get(rows === 1 ? one : several).run(...values)
    assert(!mustChange || changes === 1, 'a row to change exists')
    at += rows
  }
}
