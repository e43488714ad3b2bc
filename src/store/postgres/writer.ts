// Commits turns over one connection, one after the other, while this process owns the shard. Runs
// in a separate thread.

import { assert } from '../../core/assert.ts'
import { chainHash } from '../chain.ts'
import { rowsOf } from '../row-bytes.ts'
import { type Cells, numberOf, textOf } from '../sql/cells.ts'
import { CommitFailure, type ShardHead } from '../store.ts'
import type { SentTurn } from '../turn-sender.ts'
import { commitFunction, raised } from './commit-function.ts'
import { type Client, named } from './connection.ts'
import { reasonOf } from './failure-text.ts'
import { codeOf, isFull, isRolledBack } from './failures.ts'
import { leaseEnd, type ShardLease } from './lease.ts'
import { rowArguments } from './turn-arguments.ts'
import { WriteConnection } from './write-connection.ts'

/** The server committed without waiting for its standby. */
const standbySkipped = '01000'
/** After so long without an answer the connection counts as lost. */
const commitMsMax = 15_000

export type WriterOptions = ShardLease & { readonly engineVersion: number }

export class Writer {
  readonly #options: WriterOptions
  readonly #connection: WriteConnection
  /** The hash of the last turn that is known to be stored. */
  #hash: Uint8Array | null = null
  #failedGeneration = -1
  #hasFailedFull = false
  #hasSkippedStandby = false

  constructor(url: string, options: WriterOptions) {
    this.#options = options
    this.#connection = new WriteConnection(url, options.shard, (code) => {
      if (code === standbySkipped) this.#hasSkippedStandby = true
    })
  }

  /** Waits for the pending turns. Returns null if another service has acquired the shard. */
  claim(): Promise<ShardHead | null> {
    return this.#connection.call((client) => this.#claim(client))
  }

  async #claim(client: Client): Promise<ShardHead | null> {
    const { engineVersion, lease, owner, shard } = this.#options
    const { rows } = await client.query<Cells>(
      `UPDATE head SET epoch = epoch + 1, engine_version = $1, lease_until = ${leaseEnd('$4')}
       WHERE shard = $2 AND owner = $3
       RETURNING epoch, command_sequence, last_serial, now, batch_id, hash`,
      [engineVersion, shard.shard, owner, lease.leaseMs],
    )
    const [head] = rows
    if (head === undefined) return null
    assert(head.hash instanceof Uint8Array, 'the head has a hash')
    this.#hash = head.hash
    return {
      epoch: numberOf(head.epoch),
      commandSequence: numberOf(head.command_sequence),
      lastSerial: numberOf(head.last_serial),
      now: numberOf(head.now),
      batchId: textOf(head.batch_id),
    }
  }

  /** Throws a CommitFailure. */
  async commit(turn: SentTurn): Promise<void> {
    const send = async (client: Client) => {
      if (turn.generation <= this.#failedGeneration) throw this.#behindFailure()
      try {
        await this.#send(client, turn)
      } catch (error) {
        // Before the next turn is sent.
        throw this.#fail(turn, commitFailure(error))
      }
    }
    try {
      await this.#connection.call(send)
    } catch (error) {
      if (error instanceof CommitFailure) throw error
      // There was no connection to send the turn over.
      const message = `The turn was not stored: ${reasonOf(error)}`
      throw this.#fail(turn, new CommitFailure(message, { outcome: 'aborted', cause: error }))
    }
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  async #send(client: Client, turn: SentTurn): Promise<void> {
    const { batchId, epoch, from, lastSerial, now, rows, to } = turn
    assert(this.#hash !== null, 'a shard is claimed before turns are committed')
    const hash = chainHash(this.#hash, turn, rows)
    const { lease, shard } = this.#options
    const hashes = [this.#hash, hash].map((bytes) => Buffer.from(bytes))
    const head = [shard.shard, epoch, from, to, batchId, ...hashes, lastSerial, now, lease.leaseMs]
    this.#hasSkippedStandby = false
    const timer = setTimeout(() => this.#connection.drop(), commitMsMax)
    try {
      await client.query({
        ...named(commitFunction.call, shard),
        values: [...head, ...rowArguments(rowsOf(rows))],
      })
    } finally {
      clearTimeout(timer)
    }
    if (this.#hasSkippedStandby) throw new Error('the server did not wait for its standby')
    this.#hash = hash
  }

  #fail(turn: SentTurn, failure: CommitFailure): CommitFailure {
    this.#failedGeneration = Math.max(this.#failedGeneration, turn.generation)
    this.#hasFailedFull = failure.isFull
    // The server may still run the turn on this connection.
    if (failure.outcome === 'unknown') this.#connection.drop()
    return failure
  }

  #behindFailure(): CommitFailure {
    return new CommitFailure('An earlier turn was not stored.', {
      outcome: 'aborted',
      isFull: this.#hasFailedFull,
    })
  }
}

function commitFailure(cause: unknown): CommitFailure {
  const reason = reasonOf(cause)
  if (!isRolledBack(cause)) {
    const message = `It is unknown whether the turn was stored: ${reason}.`
    return new CommitFailure(message, { outcome: 'unknown', cause })
  }
  const message = codeOf(cause) === raised.fenced ? reason : `The turn was not stored: ${reason}`
  return new CommitFailure(`${message}.`, { outcome: 'aborted', isFull: isFull(cause), cause })
}
