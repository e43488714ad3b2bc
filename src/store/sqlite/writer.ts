// All writes, over the only connection that writes. Runs in a separate thread.

import { randomBytes } from 'node:crypto'
import { assert } from '../../core/assert.ts'
import { chainHash } from '../chain.ts'
import { rowTables } from '../row-tables.ts'
import { kindNames } from '../rows.ts'
import { numberOf, textOf } from '../sql/cells.ts'
import { prune } from '../sql/prune.ts'
import {
  addOperator,
  deleteItem,
  type Item,
  putItem,
  type TableName,
} from '../sql/registry-tables.ts'
import { deleteCursor, putCursors } from '../sql/webhook-cursors.ts'
import { CommitFailure, type PruneRequest, type ShardHead, type WebhookCursor } from '../store.ts'
import type { SentTurn } from '../turn-sender.ts'
import { eachGroup } from '../unpack-rows.ts'
import { answerOf, openWriter, Statements } from './connection.ts'
import { updateIndexesWhenDue } from './deferred-indexes.ts'
import { EventChunks, eventRecordKind } from './event-chunks.ts'
import { isBusy, isFatal, isFull } from './failures.ts'
import { inTransaction } from './migrate.ts'
import { rowsAtOnce, statementFor } from './row-statements.ts'
import { type StartOptions, setMeta } from './start.ts'

/** More than may be free in a log that cannot grow. */
const probeBytes = 64 * 1024

export class Writer {
  readonly #statements: Statements
  readonly #options: StartOptions
  readonly #rowStatements = kindNames.map((kind) => ({
    one: statementFor(kind, 1),
    several: statementFor(kind, rowsAtOnce(kind)),
    atOnce: rowsAtOnce(kind),
    mustChange: rowTables[kind].write.kind === 'update',
  }))
  #failedGeneration = -1
  /** Whether the disk was full. */
  #hasFailedFull = false

  constructor(options: StartOptions) {
    this.#options = options
    this.#statements = new Statements(openWriter(options.folder))
  }

  claim(): ShardHead {
    const { shard, engineVersion } = this.#options
    const head = this.#statements
      .get(
        `UPDATE head SET epoch = epoch + 1, engine_version = ?
         WHERE shard = ? AND engine_version <= ?
         RETURNING epoch, command_sequence, last_serial, now, batch_id`,
      )
      .get(engineVersion, shard, engineVersion)
    assert(head !== undefined, 'the start has created the shard')
    return {
      epoch: numberOf(head.epoch),
      commandSequence: numberOf(head.command_sequence),
      lastSerial: numberOf(head.last_serial),
      now: numberOf(head.now),
      batchId: textOf(head.batch_id),
    }
  }

  /** Throws a CommitFailure. */
  commit(turn: SentTurn): void {
    if (turn.generation <= this.#failedGeneration) {
      throw new CommitFailure('An earlier turn was not stored.', {
        outcome: 'aborted',
        isFull: this.#hasFailedFull,
      })
    }
    const { database } = this.#statements
    let isCommitting = false
    try {
      database.exec('BEGIN IMMEDIATE')
      this.#write(turn)
      isCommitting = true
      database.exec('COMMIT')
    } catch (error) {
      this.#failedGeneration = turn.generation
      const failure = commitFailure(error, isCommitting)
      this.#hasFailedFull = failure.isFull
      // An error of a full disk has already rolled the transaction back.
      if (database.isTransaction) this.#rollBack(error)
      throw failure
    }
  }

  probe(): boolean {
    const { database } = this.#statements
    try {
      inTransaction(database, () => {
        this.#statements.get('INSERT INTO probes VALUES (?)').run(randomBytes(probeBytes))
      })
      inTransaction(database, () => {
        this.#statements.get('DELETE FROM probes').run()
      })
      return true
    } catch (error) {
      if (isFull(error) || isBusy(error)) return false
      throw error
    }
  }

  prune(request: PruneRequest): { hasMore: boolean } {
    let hasMore = false
    inTransaction(this.#statements.database, () => {
      hasMore = answerOf(this.#statements, prune(request))
    })
    return { hasMore }
  }

  put(table: TableName, item: Item): void {
    answerOf(this.#statements, putItem(table, item))
  }

  delete(table: TableName, id: string): void {
    answerOf(this.#statements, deleteItem(table, id))
  }

  addOperator(operator: Item, key: Item): void {
    inTransaction(this.#statements.database, () => {
      answerOf(this.#statements, addOperator(operator, key))
    })
  }

  putCursors(cursors: readonly WebhookCursor[]): void {
    inTransaction(this.#statements.database, () => {
      answerOf(this.#statements, putCursors(cursors))
    })
  }

  deleteCursor(webhookId: string): void {
    answerOf(this.#statements, deleteCursor(webhookId))
  }

  /** If the stop cannot be marked as clean, the next start checks the file; nothing is lost. */
  close(): void {
    const { database } = this.#statements
    try {
      setMeta(database, 'clean_stop', 1)
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch (error) {
      if (!isFull(error) && !isBusy(error)) throw error
    } finally {
      database.close()
    }
  }

  #write(turn: SentTurn): void {
    const { epoch, from, to, batchId, lastSerial, now, rows } = turn
    const { shard } = this.#options
    const statements = this.#statements
    const head = statements.get('SELECT last_serial, hash FROM head WHERE shard = ?').get(shard)
    assert(head?.hash instanceof Uint8Array, 'the head has a hash')
    const hash = chainHash(head.hash, turn)
    const { changes } = statements
      .get(
        `UPDATE head SET command_sequence = ?, last_serial = ?, now = ?, batch_id = ?, hash = ?
         WHERE shard = ? AND epoch = ? AND command_sequence = ?`,
      )
      .run(to, lastSerial, now, batchId, hash, shard, epoch, from)
    if (changes !== 1) {
      throw new CommitFailure(
        `The shard is fenced: it is no longer at command ${from} in epoch ${epoch}.`,
        { outcome: 'aborted' },
      )
    }
    const atOnce = (kind: number): number => this.#rowStatements[kind]!.atOnce
    const chunks = new EventChunks()
    eachGroup(rows, atOnce, (kind, count, parameters) => {
      const { one, several, mustChange } = this.#rowStatements[kind]!
      const result = statements.get(count === 1 ? one : several).run(...parameters)
      assert(!mustChange || result.changes === 1, 'a row to change exists')
      if (kind === eventRecordKind) chunks.add(parameters)
    })
    chunks.write(statements)
    updateIndexesWhenDue(statements, { serialBefore: numberOf(head.last_serial), lastSerial })
    statements
      .get(
        `INSERT INTO batches (
           shard, epoch, command_sequence_from, command_sequence_to, batch_id, hash, now
         ) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(shard, epoch, from, to, batchId, hash, now)
  }

  // If this fails, it is unknown what the next commit of the connection contains.
  #rollBack(cause: unknown): void {
    try {
      this.#statements.database.exec('ROLLBACK')
    } catch (error) {
      const message = 'A failed turn could not be rolled back.'
      throw new CommitFailure(message, { outcome: 'unknown', cause: [cause, error] })
    }
  }
}

function commitFailure(error: unknown, isCommitting: boolean): CommitFailure {
  if (error instanceof CommitFailure) return error
  const reason = error instanceof Error ? error.message : String(error)
  const message = `The turn was not stored: ${reason}.`
  if (isFull(error))
    return new CommitFailure(message, { outcome: 'aborted', isFull: true, cause: error })
  if (isFatal(error) || (isCommitting && !isBusy(error))) {
    const unknown = `It is unknown whether the turn was stored: ${reason}.`
    return new CommitFailure(unknown, { outcome: 'unknown', cause: error })
  }
  return new CommitFailure(message, { outcome: 'aborted', cause: error })
}
