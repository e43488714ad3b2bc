// The store on PostgreSQL passes the suite of all stores, each test in a database of its own.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { postgresOrNot, query, quick } from '../support/store/postgres-databases.ts'
import { countedOrder, plainMarket, rows, unfitTurns } from './sample-rows.ts'
import { failureOf, StoreFixture } from './store-fixture.ts'
import { storeSuite } from './store-suite.ts'

const server = await postgresOrNot('the store on PostgreSQL', quick)

if (server !== null) {
  after(() => server.stop())
  const newPlace = async () => {
    const { url } = await server.newDatabase()
    const folder = mkdtempSync(join(tmpdir(), 'outcry-store-'))
    return {
      url,
      open: () =>
        openPostgresStore({
          url,
          folder,
          onLost: (_shard, cause) => {
            throw cause
          },
        }),
      remove: async () => rmSync(folder, { recursive: true }),
    }
  }
  storeSuite('PostgreSQL', newPlace)

  for (const { what, first, again } of unfitTurns) {
    test(`PostgreSQL: ${what} is refused`, async () => {
      const fixture = await StoreFixture.open(await newPlace())
      try {
        await fixture.commit(...plainMarket, ...first)
        const failure = await failureOf(fixture.shard.commit(fixture.turn(again)))
        assert.equal(failure.outcome, 'aborted')
      } finally {
        await fixture.close()
      }
    })
  }

  test('PostgreSQL: plans that were made for empty tables scan no table', async () => {
    const place = await newPlace()
    const fixture = await StoreFixture.open(place)
    try {
      const first = Array.from({ length: 20 }, (_, at) => 1_000 + at)
      await fixture.commit(...plainMarket, ...first.map((serial) => countedOrder({ serial })))
      const close = () => fixture.commit(...first.map((serial) => rows.order({ serial })))
      // After some calls PostgreSQL keeps the plan.
      for (let turn = 0; turn < 10; turn += 1) await close()
      const others = Array.from({ length: 2_000 }, (_, at) => 1_020 + at)
      await fixture.commit(...others.map((serial) => countedOrder({ serial })))
      for (let turn = 0; turn < 10; turn += 1) await close()
      // A connection reports its statistics with its next transaction, at most once a second.
      await pause(1_100)
      await close()
      const [orders] = await query<{ scanned: number; updates: number }>(
        place.url,
        `SELECT seq_tup_read::float8 AS scanned, n_tup_upd::float8 AS updates
         FROM pg_stat_user_tables WHERE relname = 'orders'`,
      )
      assert.equal(orders?.updates, 21 * first.length)
      assert.ok(orders.scanned < others.length, `scanned ${orders.scanned} rows`)
    } finally {
      await fixture.close()
    }
  })
}
