// Holds the lease of the shard, and does all writes except turns, over one connection. A service
// that has lost the shard cannot write here either.

import { randomBytes } from 'node:crypto'
import { prune } from '../sql/prune.ts'
import type { Reading } from '../sql/reading.ts'
import { type PruneRequest, StoreUnavailable } from '../store.ts'
import { answerOf } from './answer.ts'
import { type Client, inTransaction } from './connection.ts'
import { reasonOf } from './failure-text.ts'
import { isFull, isLost } from './failures.ts'
import { releaseLease, renewLease, type ShardLease, shardLost } from './lease.ts'
import type { WriteConnection } from './write-connection.ts'

const probeBytes = 64 * 1024
/** The writes are idempotent, so that they can be retried. */
const retryForMs = 4_000
const retryAfterMs = 200

type LeaseHolderOptions = ShardLease & {
  /** Closed with the holder. */
  readonly connection: WriteConnection
  /** Another service holds the shard. */
  readonly onLost: (cause: Error) => void
  /** When a turn last renewed the lease. */
  readonly renewedAt: () => number
}

export class LeaseHolder {
  readonly #options: LeaseHolderOptions
  readonly #connection: WriteConnection
  readonly #timer: NodeJS.Timeout
  /** When the last confirmed renewal by the timer began, as in performance.now(). */
  renewedAt = 0
  /** Another service holds the shard, and will not give it back. */
  #loss: StoreUnavailable | null = null

  constructor(options: LeaseHolderOptions) {
    this.#options = options
    this.#connection = options.connection
    this.#timer = setInterval(() => void this.#renew(), options.lease.renewEveryMs)
    this.#timer.unref()
  }

  /** The write is durable when the promise resolves. Throws StoreUnavailable. */
  async write<Answer>(writing: () => Reading<Answer>): Promise<Answer> {
    const deadline = performance.now() + retryForMs
    for (;;) {
      try {
        return await this.#connection.call((client) => this.#writeOnce(client, writing))
      } catch (cause) {
        if (this.#loss !== null) throw this.#loss
        if (this.#connection.isClosed) throw cause
        if (!(isLost(cause) || cause instanceof StoreUnavailable)) throw cause
        if (performance.now() > deadline) {
          throw new StoreUnavailable(`The record was not stored: ${reasonOf(cause)}.`, { cause })
        }
        await new Promise((resolve) => setTimeout(resolve, retryAfterMs))
      }
    }
  }

  prune(request: PruneRequest): Promise<{ hasMore: boolean }> {
    const { shard } = this.#options
    return this.#connection.call(async (client) => {
      const hasMore = await inTransaction(client, () => answerOf(client, shard, prune(request)))
      return { hasMore }
    })
  }

  async probe(): Promise<boolean> {
    try {
      await this.#connection.call(async (client) => {
        await client.query('INSERT INTO probes VALUES ($1)', [randomBytes(probeBytes)])
        await client.query('DELETE FROM probes')
      })
      return true
    } catch (error) {
      if (isFull(error) || isLost(error) || error instanceof StoreUnavailable) return false
      throw error
    }
  }

  /** Waits for pending writes, then releases the lease, for a successor if one is named. */
  async release(successor: string | null): Promise<void> {
    clearInterval(this.#timer)
    await this.#connection
      .call((client) => releaseLease(client, this.#options, successor))
      .catch(() => undefined)
    await this.#connection.close()
  }

  /** The lease is lost. This process may hold it again by now, under the same name. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#connection.close()
  }

  // The row stays locked until the commit, so that no other service claims the shard meanwhile.
  #writeOnce<Answer>(client: Client, writing: () => Reading<Answer>): Promise<Answer> {
    const { owner, shard } = this.#options
    return inTransaction(client, async () => {
      const { rowCount } = await client.query(
        'SELECT 1 FROM head WHERE shard = $1 AND owner = $2 FOR SHARE',
        [shard.shard, owner],
      )
      if (rowCount !== 1) throw this.#lost()
      return answerOf(client, shard, writing())
    })
  }

  // Turns renew the lease as well. If the server cannot be reached, the next attempt follows.
  async #renew(): Promise<void> {
    if (performance.now() - this.#options.renewedAt() < this.#options.lease.renewEveryMs) return
    const startedAt = performance.now()
    try {
      const isRenewed = await this.#connection.call((client) => renewLease(client, this.#options))
      if (isRenewed) this.renewedAt = startedAt
      else this.#lost()
    } catch {
      return
    }
  }

  #lost(): Error {
    this.#loss ??= shardLost()
    this.#options.onLost(this.#loss)
    return this.#loss
  }
}
