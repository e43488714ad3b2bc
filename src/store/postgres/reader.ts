// Reads over one connection of the pool at a time, each read from one snapshot of the database.

import type pg from 'pg'
import type { RecordReader } from '../read-lanes.ts'
import { type Reading, untilAbandoned } from '../sql/reading.ts'
import { type ReadAnswer, type ReadArgument, type ReadName, readingOf } from '../sql/readings.ts'
import { StoreUnavailable } from '../store.ts'
import { answerOf } from './answer.ts'
import { inTransaction, readBegin } from './connection.ts'
import { isLost, isTimeout, reasonOf } from './failures.ts'

export class Reader implements RecordReader {
  readonly #pool: pg.Pool
  #isAbandoned = false

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  read<Name extends ReadName>(name: Name, argument: ReadArgument<Name>): Promise<ReadAnswer<Name>> {
    return this.run(() => readingOf(name, argument))
  }

  /** Throws StoreUnavailable if the server cannot be reached or does not answer. */
  async run<Answer>(reading: () => Reading<Answer>): Promise<Answer> {
    this.#isAbandoned = false
    try {
      return await this.#runOnce(untilAbandoned(reading(), () => this.#isAbandoned))
    } catch (cause) {
      if (!isLost(cause) && !isTimeout(cause)) throw cause
      throw new StoreUnavailable(`PostgreSQL cannot be read: ${reasonOf(cause)}.`, { cause })
    }
  }

  /** The read ends before its next statement; the server ends a statement that takes too long. */
  abandon(): void {
    this.#isAbandoned = true
  }

  /** The store closes the pool, which all readers share. */
  async close(): Promise<void> {}

  async #runOnce<Answer>(reading: Reading<Answer>): Promise<Answer> {
    const client = await this.#pool.connect()
    // A client that has failed is not used again.
    let isSound = false
    const ignore = () => undefined
    client.on('error', ignore)
    try {
      const answer = await inTransaction(client, () => answerOf(client, reading), readBegin)
      isSound = true
      return answer
    } finally {
      client.off('error', ignore)
      client.release(!isSound)
    }
  }
}
