// The embedded store passes the suite of all stores.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { databaseFile } from '../../src/store/sqlite/connection.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { plainMarket, rows, unfitTurns } from './sample-rows.ts'
import { failureOf, StoreFixture, type StorePlace } from './store-fixture.ts'
import { storeSuite } from './store-suite.ts'

function newPlace(onFatal: (cause: Error) => void): StorePlace & { folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-store-'))
  return {
    folder,
    open: () => openSqliteStore({ folder, onFatal }),
    remove: async () => rmSync(folder, { recursive: true }),
  }
}

storeSuite('SQLite', async () =>
  newPlace((cause) => {
    throw cause
  }),
)

test('SQLite: a turn that waits for a locked database does not report a full disk', async (t) => {
  const { folder, ...place } = newPlace((cause) => assert.fail(cause))
  t.after(() => place.remove())
  const fixture = await StoreFixture.open(place)
  const other = new DatabaseSync(databaseFile(folder))
  try {
    other.exec('BEGIN IMMEDIATE')
    const description = 'x'.repeat(9 * 1024 * 1024)
    await fixture.commit(...plainMarket, rows.marketDescription({ description }))
    const failure = await failureOf(fixture.shard.commit(fixture.turn([rows.newOrder()])))
    assert.match(failure.message, /because too many are not in the tables: database is locked/)
    assert.deepEqual([failure.outcome, failure.isFull], ['aborted', false])
    other.exec('ROLLBACK')
    await fixture.reopen()
    await fixture.commit(rows.newOrder())
  } finally {
    other.close()
    await fixture.store.close()
  }
})

for (const { what, first, again } of unfitTurns) {
  // It is committed before it is derived.
  test(`SQLite: ${what} ends the service, and the next start says so`, async (t) => {
    const failed = Promise.withResolvers<Error>()
    const place = newPlace(failed.resolve)
    t.after(() => place.remove())
    const fixture = await StoreFixture.open(place)
    await fixture.commit(...plainMarket, ...first)
    await fixture.shard.untilReadable()
    await fixture.commit(...again)
    assert.match((await failed.promise).message, /^the commands 2 to 2 have rows that do not fit: /)
    await fixture.store.close().catch(() => undefined)
    await assert.rejects(place.open(), {
      name: 'TurnsUnusable',
      message: /outcry\.db-turns cannot be used: the commands 2 to 2 have rows that do not fit: /,
    })
  })
}
