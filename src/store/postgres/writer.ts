// Commits turns over one connection, one after the other, while this process owns the shard.

import { assert } from '../../core/assert.ts'
import { chainHash } from '../chain.ts'
import { type Cells, numberOf, textOf } from '../sql/cells.ts'
import { CommitFailure, type ShardHead, type Turn } from '../store.ts'
import { commitFunction, raised } from './commit-function.ts'
import { type Client, named } from './connection.ts'
import { codeOf, isFull, isRolledBack, reasonOf } from './failures.ts'
import { type Hold, leaseEnd, shardLost } from './lease.ts'
import { rowArguments } from './turn-arguments.ts'
import { WriteConnection } from './write-connection.ts'

/** The server committed without waiting for its standby. */
const standbySkipped = '01000'
/** After so long without an answer the connection counts as lost. */
const commitMsMax = 15_000

type WriterOptions = Hold & {
  readonly url: string
  readonly engineVersion: number
  /** Another service holds the shard. */
  readonly onLost: (cause: Error) => void
}

export class Writer {
  readonly #options: WriterOptions
  readonly #connection: WriteConnection
  /** The hash of the last turn that is known to be stored. */
  #hash: Uint8Array | null = null
  /** The number of failures. Turns that were sent before the last one are refused. */
  #generation = 0
  #hasFailedFull = false
  #hasSkippedStandby = false
  /** When the last turn or claim that has renewed the lease began, as in performance.now(). */
  renewedAt = 0

  constructor(options: WriterOptions) {
    this.#options = options
    this.#connection = new WriteConnection(options.url, options.shard, (code) => {
      if (code === standbySkipped) this.#hasSkippedStandby = true
    })
  }

  /** Waits for a pending turn of this service. A previous owner of the shard is fenced. */
  claim(): Promise<ShardHead> {
    return this.#connection.call((client) => this.#claim(client))
  }

  async #claim(client: Client): Promise<ShardHead> {
    const { engineVersion, lease, onLost, owner, shard } = this.#options
    const startedAt = performance.now()
    const { rows } = await client.query<Cells>(
      `UPDATE head SET epoch = epoch + 1, engine_version = $1, lease_until = ${leaseEnd('$4')}
       WHERE shard = $2 AND owner = $3
       RETURNING epoch, command_sequence, last_serial, now, batch_id, hash`,
      [engineVersion, shard.shard, owner, lease.leaseMs],
    )
    const [head] = rows
    if (head === undefined) {
      const lost = shardLost()
      onLost(lost)
      throw lost
    }
    assert(head.hash instanceof Uint8Array, 'the head has a hash')
    this.#hash = head.hash
    this.renewedAt = startedAt
    return {
      epoch: numberOf(head.epoch),
      commandSequence: numberOf(head.command_sequence),
      lastSerial: numberOf(head.last_serial),
      now: numberOf(head.now),
      batchId: textOf(head.batch_id),
    }
  }

  /** Throws a CommitFailure. */
  async commit(turn: Turn): Promise<void> {
    const generation = this.#generation
    const send = async (client: Client) => {
      if (generation < this.#generation) throw this.#behindFailure()
      try {
        await this.#send(client, turn)
      } catch (error) {
        const failure = commitFailure(error)
        this.#fail(failure)
        throw failure
      }
    }
    try {
      await this.#connection.call(send)
    } catch (error) {
      if (error instanceof CommitFailure) throw error
      // There was no connection to send the turn over.
      const failure = new CommitFailure(`The turn was not stored: ${reasonOf(error)}`, {
        outcome: 'aborted',
        cause: error,
      })
      if (generation === this.#generation) this.#fail(failure)
      throw failure
    }
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  async #send(client: Client, turn: Turn): Promise<void> {
    const { batchId, epoch, from, lastSerial, now, rows, to } = turn
    assert(this.#hash !== null, 'a shard is claimed before turns are committed')
    const hash = chainHash(this.#hash, turn)
    const { lease, shard } = this.#options
    const hashes = [this.#hash, hash].map((bytes) => Buffer.from(bytes))
    const head = [shard.shard, epoch, from, to, batchId, ...hashes, lastSerial, now, lease.leaseMs]
    this.#hasSkippedStandby = false
    const startedAt = performance.now()
    const timer = setTimeout(() => this.#connection.drop(), commitMsMax)
    try {
      await client.query({
        ...named(commitFunction.call, shard),
        values: [...head, ...rowArguments(rows)],
      })
    } finally {
      clearTimeout(timer)
    }
    if (this.#hasSkippedStandby) throw new Error('the server did not wait for its standby')
    this.#hash = hash
    this.renewedAt = startedAt
  }

  #fail(failure: CommitFailure): void {
    this.#generation += 1
    this.#hasFailedFull = failure.isFull
    // The server may still run the turn on this connection.
    if (failure.outcome === 'unknown') this.#connection.drop()
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
