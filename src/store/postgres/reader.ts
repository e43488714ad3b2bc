// Reads records over a few connections, each reading from one state of the database.

import type pg from 'pg'
import type { Reading } from '../sql/reading.ts'
import { StoreUnavailable } from '../store.ts'
import { answerOf } from './answer.ts'
import { inTransaction } from './connection.ts'
import { isLost, reasonOf } from './failures.ts'
import { oneState } from './load-shard.ts'

export class Reader {
  readonly #pool: pg.Pool
  #isClosed = false

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** Throws StoreUnavailable where the server is not there or does not answer. */
  async read<Answer>(reading: () => Reading<Answer>): Promise<Answer> {
    if (this.#isClosed) throw new StoreUnavailable('The store is closed.')
    try {
      return await this.#readOnce(reading)
    } catch (cause) {
      if (!isLost(cause)) throw cause
      throw new StoreUnavailable(`PostgreSQL cannot be read: ${reasonOf(cause)}.`, { cause })
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#pool.end()
  }

  async #readOnce<Answer>(reading: () => Reading<Answer>): Promise<Answer> {
    const client = await this.#pool.connect()
    // A client that has failed once is not used again.
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
