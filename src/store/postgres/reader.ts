// Reads over one connection of the pool at a time, each read from one snapshot of the database.

import type pg from 'pg'
import { assert } from '../../core/assert.ts'
import type { RecordReader } from '../read-lanes.ts'
import { type Reading, untilAbandoned } from '../sql/reading.ts'
import { type ReadAnswer, type ReadArgument, type ReadName, readingOf } from '../sql/readings.ts'
import { StoreUnavailable } from '../store.ts'
import { answerOf } from './answer.ts'
import { inTransaction, readBegin } from './connection.ts'
import { reasonOf } from './failure-text.ts'
import { isLost, isTimeout } from './failures.ts'
import type { ShardSchema } from './shard-schema.ts'

export class Reader implements RecordReader {
  readonly #pool: pg.Pool
  readonly #schemas: ReadonlyMap<number, ShardSchema>
  #isAbandoned = false

  constructor(pool: pg.Pool, schemas: readonly ShardSchema[]) {
    this.#pool = pool
    this.#schemas = new Map(schemas.map((schema) => [schema.shard, schema]))
  }

  read<Name extends ReadName>(
    shard: number,
    name: Name,
    argument: ReadArgument<Name>,
  ): Promise<ReadAnswer<Name>> {
    const schema = this.#schemas.get(shard)
    assert(schema !== undefined, 'only shards of the store are read')
    return this.run(schema, () => readingOf(name, argument))
  }

  /**
   * Reads a shard, or the registry alone. Throws StoreUnavailable if the server cannot be reached
   * or does not answer.
   */
  async run<Answer>(shard: ShardSchema | null, reading: () => Reading<Answer>): Promise<Answer> {
    this.#isAbandoned = false
    try {
      return await this.#runOnce(
        shard,
        untilAbandoned(reading(), () => this.#isAbandoned),
      )
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

  async #runOnce<Answer>(shard: ShardSchema | null, reading: Reading<Answer>): Promise<Answer> {
    const client = await this.#pool.connect()
    // A client that has failed is not used again.
    let isSound = false
    const ignore = () => undefined
    client.on('error', ignore)
    try {
      const answer = await inTransaction(
        client,
        () => answerOf(client, shard, reading),
        readBegin(shard),
      )
      isSound = true
      return answer
    } finally {
      client.off('error', ignore)
      client.release(!isSound)
    }
  }
}
