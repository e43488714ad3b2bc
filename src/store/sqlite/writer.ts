// All writes to the tables, over the only connection that writes. Runs in a separate thread.

import { setImmediate as nextIteration } from 'node:timers/promises'
import { assert } from '../../core/assert.ts'
import { pruneAudit, writeAudit } from '../sql/audit-log.ts'
import { numberOf, textOf } from '../sql/cells.ts'
import {
  beginKept,
  dropKept,
  finishKept,
  keptSince,
  pruneKept,
  renewKept,
} from '../sql/kept-answers.ts'
import { saveKeyUses } from '../sql/key-uses.ts'
import { prune } from '../sql/prune.ts'
import type { Reading } from '../sql/reading.ts'
import {
  addOperator,
  deleteItem,
  type Item,
  putItem,
  type TableName,
} from '../sql/registry-tables.ts'
import { deleteCursor, putCursors } from '../sql/webhook-cursors.ts'
import { addAttempts } from '../sql/webhook-log.ts'
import type {
  AttemptBatch,
  AuditChange,
  KeptAnswer,
  KeptAttempt,
  KeptRequest,
  KeptSince,
  KeptState,
  KeyUse,
  PruneRequest,
  ShardHead,
  WebhookCursor,
} from '../store.ts'
import { answerOf, openWriter, Statements, whileNoReadWaits } from './connection.ts'
import { updateIndexesWhenDue } from './deferred-indexes.ts'
import type { DerivedProgress } from './derived-progress.ts'
import { type DerivedHead, Deriver } from './deriver.ts'
import { DiskReserve } from './disk-reserve.ts'
import { CannotDerive, isBusy, isFull } from './failures.ts'
import { inTransaction } from './migrate.ts'
import { type StartOptions, setMeta } from './start.ts'
import { TurnsFile } from './turns-file.ts'

/** A claimed shard, and what its next turn follows. */
export type Claimed = { readonly head: ShardHead; readonly derived: DerivedHead }

export class Writer {
  readonly #statements: Statements
  readonly #options: StartOptions
  readonly #turns: TurnsFile
  readonly #deriver: Deriver
  readonly #reserve: DiskReserve
  readonly #progress: DerivedProgress
  #indexing: NodeJS.Immediate | undefined

  constructor(options: StartOptions, progress: DerivedProgress) {
    const { folder, shard } = options
    this.#options = options
    this.#progress = progress
    this.#statements = new Statements(openWriter(folder))
    this.#turns = TurnsFile.forReader(folder)
    this.#deriver = new Deriver(this.#statements, this.#turns, shard)
    this.#reserve = new DiskReserve(folder)
    this.#reserve.fill()
  }

  claim(): Claimed {
    const { shard, engineVersion } = this.#options
    while (this.#deriveStep());
    const head = this.#statements
      .get(
        `UPDATE head SET epoch = epoch + 1, engine_version = ?
         WHERE shard = ? AND engine_version <= ?
         RETURNING epoch, command_sequence, last_serial, now, batch_id`,
      )
      .get(engineVersion, shard, engineVersion)
    assert(head !== undefined, 'the start has created the shard')
    return {
      head: {
        epoch: numberOf(head.epoch),
        commandSequence: numberOf(head.command_sequence),
        lastSerial: numberOf(head.last_serial),
        now: numberOf(head.now),
        batchId: textOf(head.batch_id),
      },
      derived: this.#deriver.head,
    }
  }

  /**
   * Derives at least the turns up to that command; other calls may run in between. Returns the
   * command up to which the tables have everything.
   */
  async derive(to: number): Promise<number> {
    let derivedTo = this.#deriver.head.commandSequence
    while (derivedTo < to) {
      if (!this.#deriveStep()) throw new CannotDerive(`the commands up to ${to} are missing`)
      derivedTo = this.#deriver.head.commandSequence
      this.#progress.setDerived(derivedTo)
      // An update of an index, which may be next, does not delay the answer.
      if (derivedTo >= to) break
      await nextIteration()
      // Another call may have derived the rest.
      derivedTo = this.#deriver.head.commandSequence
    }
    this.#updateIndexesSoon()
    return derivedTo
  }

  /** After the answer, and one after the other: a derivation can run between two of them. */
  #updateIndexesSoon(): void {
    clearImmediate(this.#indexing)
    this.#indexing = setImmediate(() => {
      const { database } = this.#statements
      let wasDue = false
      try {
        whileNoReadWaits(database, () => {
          inTransaction(database, () => {
            wasDue = updateIndexesWhenDue(this.#statements)
          })
        })
      } catch (error) {
        if (!isFull(error) && !isBusy(error)) throw error
        wasDue = false
      }
      if (wasDue) this.#updateIndexesSoon()
    })
  }

  #deriveStep(): boolean {
    return this.#reserve.withSpace(() => this.#deriver.step())
  }

  /** Called when a full disk seems to have space again; returns whether it has enough. */
  reserveSpace(): boolean {
    return this.#reserve.fill()
  }

  prune(request: PruneRequest): { hasMore: boolean } {
    return { hasMore: this.#inOneGo(prune(request)) }
  }

  put(table: TableName, item: Item): void {
    answerOf(this.#statements, putItem(table, item))
  }

  delete(table: TableName, id: string): void {
    answerOf(this.#statements, deleteItem(table, id))
  }

  addOperator(operator: Item, key: Item): void {
    this.#inOneGo(addOperator(operator, key))
  }

  putCursors(cursors: readonly WebhookCursor[]): void {
    this.#inOneGo(putCursors(cursors))
  }

  addAttempts(batch: AttemptBatch): void {
    this.#inOneGo(addAttempts(batch))
  }

  deleteCursor(webhookId: string): void {
    answerOf(this.#statements, deleteCursor(webhookId))
  }

  beginKept(request: KeptRequest): KeptState {
    return this.#inOneGo(beginKept(request))
  }

  renewKept(attempt: KeptAttempt, busyUntil: number): void {
    this.#inOneGo(renewKept(attempt, busyUntil))
  }

  finishKept(attempt: KeptAttempt, answer: KeptAnswer): void {
    this.#inOneGo(finishKept(attempt, answer))
  }

  dropKept(attempt: KeptAttempt): void {
    this.#inOneGo(dropKept(attempt))
  }

  keptSince(requests: KeptSince): readonly string[] {
    return this.#inOneGo(keptSince(requests))
  }

  pruneKept(before: number, atMost: number): { hasMore: boolean } {
    return this.#inOneGo(pruneKept(before, atMost))
  }

  writeAudit(changes: readonly AuditChange[]): void {
    this.#inOneGo(writeAudit(changes))
  }

  pruneAudit(before: number, atMost: number): { hasMore: boolean } {
    return this.#inOneGo(pruneAudit(before, atMost))
  }

  saveKeyUses(uses: readonly KeyUse[]): void {
    this.#inOneGo(saveKeyUses(uses))
  }

  #inOneGo<Answer>(reading: Reading<Answer>): Answer {
    let answer: { readonly of: Answer } | null = null
    inTransaction(this.#statements.database, () => {
      answer = { of: answerOf(this.#statements, reading) }
    })
    return answer!.of
  }

  /**
   * To be called when nothing is committed any more. If not everything can be derived, or the stop
   * cannot be marked as clean, the next start does the rest; nothing is lost.
   */
  close(): void {
    const { database } = this.#statements
    clearImmediate(this.#indexing)
    try {
      while (this.#deriveStep());
      setMeta(database, 'clean_stop', 1)
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      this.#turns.close()
      emptyTurns(this.#options.folder, this.#deriver.head)
    } catch (error) {
      if (!isFull(error) && !isBusy(error)) throw error
    } finally {
      if (this.#turns.database.isOpen) this.#turns.close()
      database.close()
    }
  }
}

function emptyTurns(folder: string, head: DerivedHead): void {
  const turns = TurnsFile.forWriter(folder)
  try {
    turns.empty(head)
  } finally {
    turns.close()
  }
}
