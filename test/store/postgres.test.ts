// The store on PostgreSQL passes the suite of all stores, each test in a database of its own.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { ask, postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { countedOrder, plainMarket, rows } from './sample-rows.ts'
import { StoreScene } from './store-scene.ts'
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
          onFatal: (cause) => {
            throw cause
          },
        }),
      remove: async () => rmSync(folder, { recursive: true }),
    }
  }
  storeSuite('PostgreSQL', newPlace)

  test('PostgreSQL: a plan that was made for an empty table runs through none', async () => {
    const place = await newPlace()
    const scene = await StoreScene.open(place)
    try {
      const first = Array.from({ length: 20 }, (_, at) => 1_000 + at)
      await scene.commit(...plainMarket, ...first.map((serial) => countedOrder({ serial })))
      const close = () => scene.commit(...first.map((serial) => rows.order({ serial })))
      // After some calls PostgreSQL keeps the plan that it has.
      for (let turn = 0; turn < 10; turn += 1) await close()
      const others = Array.from({ length: 2_000 }, (_, at) => 1_020 + at)
      await scene.commit(...others.map((serial) => countedOrder({ serial })))
      for (let turn = 0; turn < 10; turn += 1) await close()
      // What a connection did is counted with its next transaction, once a second.
      await pause(1_100)
      await close()
      const [orders] = await ask<{ run: number; updates: number }>(
        place.url,
        `SELECT seq_tup_read::float8 AS run, n_tup_upd::float8 AS updates
         FROM pg_stat_user_tables WHERE relname = 'orders'`,
      )
      assert.equal(orders?.updates, 21 * first.length)
      assert.ok(orders.run < others.length, `it ran through ${orders.run} rows`)
    } finally {
      await scene.close()
    }
  })
}
