// Pages of lists on PostgreSQL: those of an operator with few rows do not read the rows of others,
// also after the pages of an operator with many have taught the server how to plan them.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { answerOf } from '../../src/store/postgres/answer.ts'
import {
  type Client,
  inTransaction,
  openClient,
  readBegin,
} from '../../src/store/postgres/connection.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { recordReads } from '../../src/store/record-reads.ts'
import { readingOf } from '../../src/store/sql/readings.ts'
import type { RecordStore } from '../../src/store/store.ts'
import { postgresOrNot, query, quick } from '../support/store/postgres-databases.ts'

const server = await postgresOrNot('plans of reads', quick)
const schema = { shard: 0, schema: 'outcry_shard_0', home: 'public' }

/** Twenty operators trade all the time; one has had few rows, which are old. */
const rowCount = 100_000
const fewOperator = 21
const operator = `CASE WHEN n % 40 = 0 AND n <= ${rowCount / 4} THEN ${fewOperator}
  ELSE n % 20 + 1 END`
const from = `FROM generate_series(1, ${rowCount}) AS n`
const marketAndOutcome = 'n % 50 + 1, n % 100 + 1'
const player = "'p' || n % 1000"
const filling = `SET search_path = ${schema.schema};
  INSERT INTO positions SELECT n, 0, 0, ${marketAndOutcome}, ${operator}, ${player}, 5, 0, 5, 0
    ${from};
  INSERT INTO settlements SELECT n, 0, 0, n, 0, ${marketAndOutcome}, ${operator}, ${player}, 5, 5,
    0, NULL, NULL ${from};
  INSERT INTO orders SELECT n, 0, 0, 0, ${marketAndOutcome}, ${operator}, ${player}, 0, 5, 5, 0,
    0, n % 4, 0, 0, NULL, 0 ${from};
  ANALYZE`

type Paging = { readonly operatorNumber: number; readonly after: number | null }
type Reads = (reads: RecordStore, paging: Paging) => Promise<unknown>

const unfiltered = { limit: 20, marketSerial: null, playerId: null }
const anyOrder = {
  ...{ outcomeSerial: null, side: null, type: null, statuses: null },
  transactionId: null,
}
const lists: Readonly<Record<string, Reads>> = {
  positions: (reads, paging) => reads.positions({ ...paging, ...unfiltered }),
  settlements: (reads, paging) => reads.settlements({ ...paging, ...unfiltered }),
  'settlements to acknowledge': (reads, paging) =>
    reads.settlements({ ...paging, ...unfiltered, isAcknowledged: false }),
  orders: (reads, paging) => reads.orders({ ...paging, ...unfiltered, ...anyOrder }),
  'orders of a side': (reads, paging) =>
    reads.orders({ ...paging, ...unfiltered, ...anyOrder, side: 'BUY' }),
}
/** The server may then plan a statement once for all values. */
const readsBefore = 12

if (server !== null) {
  suite('plans of PostgreSQL', () => {
    let client: Client
    before(async () => {
      const { url } = await server.newDatabase()
      const folder = mkdtempSync(join(tmpdir(), 'outcry-plans-'))
      const store = await openPostgresStore({ url, folder, onLost: () => undefined })
      await store.close()
      rmSync(folder, { recursive: true })
      await query(url, filling)
      client = await openClient(url)
    })
    after(async () => {
      await client.end()
      await server.stop()
    })

    for (const [list, read] of Object.entries(lists)) {
      for (const after of [null, rowCount / 2]) {
        const which = after === null ? 'first' : 'next'
        test(`the ${which} page of ${list} reads no rows of other operators`, async () => {
          const readPage: Reads = (reads, page) => read(reads, { ...page, after })
          for (let count = 0; count < readsBefore; count += 1) await plansOf(client, readPage, 1)
          for (const plan of await plansOf(client, readPage, fewOperator)) {
            for (const [, removed] of plan.matchAll(/Rows Removed by Filter: (\d+)/g)) {
              assert.ok(Number(removed) < 100, plan)
            }
          }
        })
      }
    }
  })
}

/** Executes the statements of a read as a reader does, and returns how each was executed. */
async function plansOf(client: Client, read: Reads, operatorNumber: number): Promise<string[]> {
  const plans: string[] = []
  const explaining = {
    query: async ({ name, text, values }: Statement) => {
      const isKnown = await client.query('SELECT FROM pg_prepared_statements WHERE name = $1', [
        name,
      ])
      if (isKnown.rows.length === 0) await client.query(`PREPARE "${name}" AS ${text}`)
      const plan = await client.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (ANALYZE, TIMING OFF) EXECUTE "${name}" (${values.join(', ')})`,
      )
      plans.push(plan.rows.map((row) => row['QUERY PLAN']).join('\n'))
      // The rows themselves do not matter; more than a page is counted.
      return { rows: text.includes('count(*)') ? [{ total: 1 }] : [] }
    },
  }
  const reads = recordReads((name, argument) =>
    inTransaction(
      client,
      () => answerOf(explaining as never, schema, readingOf(name, argument)),
      readBegin(schema),
    ),
  )
  await read(reads, { operatorNumber, after: null })
  return plans
}

type Statement = {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}
