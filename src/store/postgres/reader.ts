// Reads records over a few connections, each reading from one snapshot of the database.

import type pg from 'pg'
import type { Reading } from '../sql/reading.ts'
import { StoreUnavailable } from '../store.ts'
import { answerOf } from './answer.ts'
import { inTransaction } from './connection.ts'
import { isLost, reasonOf } from './failures.ts'
import { oneState } from './load-shard.ts'

const longReadsMax = 16

export class Reader {
  readonly #pool: pg.Pool
  #isClosed = false
  #longReads = 0
  #lastLong: Promise<unknown> = Promise.resolve()

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** Throws StoreUnavailable if the server cannot be reached or does not answer. */
  async read<Answer>(reading: () => Reading<Answer>): Promise<Answer> {
    if (this.#isClosed) throw new StoreUnavailable('The store is closed.')
    try {
      return await this.#readOnce(reading)
    } catch (cause) {
      if (!isLost(cause)) throw cause
      throw new StoreUnavailable(`PostgreSQL cannot be read: ${reasonOf(cause)}.`, { cause })
    }
  }

  /**
   * For reads that may take seconds: one after the other, so that they never use all connections.
   */
  readLong<Answer>(reading: () => Reading<Answer>): Promise<Answer> {
    if (this.#longReads >= longReadsMax) {
      return Promise.reject(new StoreUnavailable('Too many long reads are waiting.'))
    }
    this.#longReads += 1
    const answer = this.#lastLong.then(() => this.read(reading))
    this.#lastLong = answer
      .catch(() => undefined)
      .finally(() => {
        this.#longReads -= 1
      })
    return answer
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#pool.end()
  }

  async #readOnce<Answer>(reading: () => Reading<Answer>): Promise<Answer> {
    const client = await this.#pool.connect()
    // A client that has failed is not used again.
    let isSound = false
    const ignore = () => undefined
    client.on('error', ignore)
    try {
      const answer = await inTransaction(client, () => answerOf(client, reading()), oneState)
      isSound = true
      return answer
    } finally {
      client.off('error', ignore)
      client.release(!isSound)
    }
  }
}
