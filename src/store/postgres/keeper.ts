// All that is written beside turns, over one connection, and the lease that it keeps alive. Whoever
// has lost the shard writes nothing here either.

import { randomBytes } from 'node:crypto'
import { prune } from '../sql/prune.ts'
import type { Reading } from '../sql/reading.ts'
import { type PruneRequest, StoreUnavailable } from '../store.ts'
import { answerOf } from './answer.ts'
import { type Client, inTransaction } from './connection.ts'
import { isFull, isLost, reasonOf } from './failures.ts'
import { beatMs, type Hold, letGo, renew } from './lease.ts'
import { Line } from './line.ts'

const probeBytes = 64 * 1024
/** What is written here is the same when it is written twice, so that it may be tried again. */
const tryForMs = 4_000
const tryAgainMs = 200

type KeeperOptions = Hold & {
  readonly url: string
  /** Another service holds the shard. */
  readonly onLost: (cause: Error) => void
  /** When the lease was renewed by somebody else last. */
  readonly renewedAt: () => number
}

export class Keeper {
  readonly #options: KeeperOptions
  readonly #line: Line
  readonly #timer: NodeJS.Timeout

  constructor(options: KeeperOptions) {
    this.#options = options
    this.#line = new Line(options.url)
    this.#timer = setInterval(() => void this.#beat(), beatMs)
    this.#timer.unref()
  }

  /** Durable when it resolves. Throws StoreUnavailable. */
  async write(writing: () => Reading<void>): Promise<void> {
    const deadline = performance.now() + tryForMs
    for (;;) {
      try {
        await this.#line.call((client) => this.#writeOnce(client, writing))
        return
      } catch (cause) {
        if (this.#line.isClosed || !(isLost(cause) || cause instanceof StoreUnavailable))
          throw cause
        if (performance.now() > deadline) {
          throw new StoreUnavailable(`It is not stored: ${reasonOf(cause)}`, { cause })
        }
        await new Promise((resolve) => setTimeout(resolve, tryAgainMs))
      }
    }
  }

  prune(ask: PruneRequest): Promise<{ hasMore: boolean }> {
    return this.#line.call(async (client) => {
      const hasMore = await inTransaction(client, () => answerOf(client, prune(ask)))
      return { hasMore }
    })
  }

  async probe(): Promise<boolean> {
    try {
      await this.#line.call(async (client) => {
        await client.query('INSERT INTO probes VALUES ($1)', [randomBytes(probeBytes)])
        await client.query('DELETE FROM probes')
      })
      return true
    } catch (error) {
      if (isFull(error) || isLost(error) || error instanceof StoreUnavailable) return false
      throw error
    }
  }

  /** Waits for what was handed in, then lets the next service have the shard. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#line.call((client) => letGo(client, this.#options)).catch(() => undefined)
    await this.#line.close()
  }

  // The row is held until the end, so that no other service takes the shard in between.
  #writeOnce(client: Client, writing: () => Reading<void>): Promise<void> {
    const { owner, shard } = this.#options
    return inTransaction(client, async () => {
      const { rowCount } = await client.query(
        'SELECT 1 FROM shards WHERE shard = $1 AND owner = $2 FOR SHARE',
        [shard, owner],
      )
      if (rowCount !== 1) throw this.#lost()
      await answerOf(client, writing())
    })
  }

  // Turns renew the lease, too. A server that cannot be reached is asked again at the next beat.
  async #beat(): Promise<void> {
    if (performance.now() - this.#options.renewedAt() < beatMs) return
    try {
      if (!(await this.#line.call((client) => renew(client, this.#options)))) this.#lost()
    } catch {
      return
    }
  }

  #lost(): Error {
    const lost = new Error('Another service has taken over the database.')
    this.#options.onLost(lost)
    return lost
  }
}
