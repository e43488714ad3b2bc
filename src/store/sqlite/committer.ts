// Commits turns to their file. Runs in a thread of its own, so that the event loop never waits for
// a sync of the disk, and a commit never for the tables.

import { randomBytes } from 'node:crypto'
import { assert } from '../../core/assert.ts'
import { chainHash } from '../chain.ts'
import { CommitFailure } from '../store.ts'
import type { SentTurn } from '../turn-sender.ts'
import type { DerivedHead } from './deriver.ts'
import { isBusy, isFatal, isFull } from './failures.ts'
import { inTransaction } from './migrate.ts'
import { TurnsFile } from './turns-file.ts'

/** More than may be free in a log that cannot grow. */
const probeBytes = 64 * 1024

/** `derivedTo`: the tables have everything up to that command, on disk. */
export type Commit = { readonly turn: SentTurn; readonly derivedTo: number }

export class Committer {
  readonly #file: TurnsFile
  readonly #isReserveReleased: () => boolean
  /** What the next turn follows; null before the shard is claimed. */
  #head: DerivedHead | null = null
  #deletedTo = 0
  #failedGeneration = -1
  /** Whether the disk was full. */
  #hasFailedFull = false

  /** While the reserve of disk space is released, nothing is committed. */
  constructor(folder: string, isReserveReleased: () => boolean) {
    this.#file = TurnsFile.forWriter(folder)
    this.#isReserveReleased = isReserveReleased
  }

  /** The shard was claimed: the next turn follows that head. */
  follow(head: DerivedHead): void {
    this.#head = head
  }

  /** Throws a CommitFailure. */
  commit({ turn, derivedTo }: Commit): void {
    if (turn.generation <= this.#failedGeneration) {
      throw new CommitFailure('An earlier turn was not stored.', {
        outcome: 'aborted',
        isFull: this.#hasFailedFull,
      })
    }
    const { database } = this.#file
    let isCommitting = false
    try {
      const hash = this.#hashOf(turn)
      if (this.#isReserveReleased()) throw reserveUsed()
      database.exec('BEGIN IMMEDIATE')
      const { generation: _, ...rest } = turn
      this.#file.add({ ...rest, hash })
      this.#deleteDerived(derivedTo)
      isCommitting = true
      database.exec('COMMIT')
      this.#head = { epoch: turn.epoch, commandSequence: turn.to, hash }
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
    const { database } = this.#file
    try {
      inTransaction(database, () => {
        database.prepare('INSERT INTO probes VALUES (?)').run(randomBytes(probeBytes))
      })
      inTransaction(database, () => {
        database.exec('DELETE FROM probes')
      })
      return true
    } catch (error) {
      if (isFull(error) || isBusy(error)) return false
      throw error
    }
  }

  close(): void {
    this.#file.close()
  }

  #hashOf(turn: SentTurn): Uint8Array {
    assert(this.#head !== null, 'a shard is claimed before turns are committed')
    const { epoch, commandSequence, hash } = this.#head
    if (turn.epoch === epoch && turn.from === commandSequence) {
      return chainHash(hash, turn, turn.rows)
    }
    throw new CommitFailure(
      `The shard is fenced: it is no longer at command ${turn.from} in epoch ${turn.epoch}.`,
      { outcome: 'aborted' },
    )
  }

  #deleteDerived(derivedTo: number): void {
    if (derivedTo > this.#deletedTo && !this.#file.delete(derivedTo)) this.#deletedTo = derivedTo
  }

  // If this fails, it is unknown what the next commit of the connection contains.
  #rollBack(cause: unknown): void {
    try {
      this.#file.database.exec('ROLLBACK')
    } catch (error) {
      const message = 'A failed turn could not be rolled back.'
      throw new CommitFailure(message, { outcome: 'unknown', cause: [cause, error] })
    }
  }
}

function reserveUsed(): CommitFailure {
  const message = 'The turn was not stored: the disk is full.'
  return new CommitFailure(message, { outcome: 'aborted', isFull: true })
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
