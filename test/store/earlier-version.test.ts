// The service opens data of version 0.1.0, which has other names of tables and columns: it is
// complete, and the service continues with it. See fixtures/version-0.1.0/README.md.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, suite, test } from 'node:test'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { Receiver } from '../support/webhooks/receiver.ts'
import type { Expected } from './earlier-version/expected.ts'
import {
  areReplayed,
  continueEvents,
  deliverOn,
  holdOn,
  isFinished,
  isShown,
  liveOn,
  type Receivers,
  redirectWebhooks,
  tradeOn,
  yearLater,
} from './earlier-version/going-on.ts'
import {
  type Opened,
  open,
  type Restored,
  restorePostgres,
  restoreSqlite,
} from './earlier-version/restored.ts'

const fixture = new URL('./fixtures/version-0.1.0/', import.meta.url)
const minuteMs = 60_000
const yearMs = 366 * 24 * 60 * minuteMs

/** In the names of version 0.1.0. Real trades of that size would take days. 7 is CANCELLED. */
const largeSums = `
  UPDATE positions SET cost = '9007199254740993', profit = '-9007199254740995'
  WHERE market IN (SELECT serial FROM markets WHERE status = 7);
  UPDATE market_counters SET volume = '9007199254740997'
  WHERE market IN (SELECT serial FROM markets WHERE status = 7);`

const server = await postgresOrNot('data of version 0.1.0 on PostgreSQL', quick)
after(() => server?.stop())

goesOn('SQLite', () => restoreSqlite(new URL('./sqlite/', fixture)))
if (server !== null) {
  goesOn('PostgreSQL', () => restorePostgres(new URL('./postgres/', fixture), server))
}

/** Each test continues from the state of the one before. */
function goesOn(store: string, restore: () => Promise<Restored>): void {
  suite(`data of version 0.1.0: ${store}`, () => {
    let restored: Restored
    let expected: Expected
    let opened: Opened
    let receivers: Receivers

    before(async () => {
      restored = await restore()
      expected = restored.expected
      receivers = { harbour: await Receiver.open(), lagoon: await Receiver.open() }
      opened = await open(restored, minuteMs)
      await redirectWebhooks(expected, opened, receivers)
    })
    after(async () => {
      await opened?.service.stop()
      for (const receiver of Object.values(receivers)) await receiver.close()
      await rm(restored.dataDir, { recursive: true })
    })

    test('every record is returned as before', () => isShown(expected, opened))
    test('unfinished jobs are completed once', () => isFinished(expected, opened))
    test('used transactionIds are replayed', () => areReplayed(expected, opened))
    test('resting orders match by price and then by time', () => tradeOn(expected, opened))
    test('players have the same positions', () => holdOn(expected, opened))
    test('markets continue from every status', () => liveOn(expected, opened))
    test('webhooks continue from their cursors', () => deliverOn(expected, opened, receivers))
    test('events continue without a gap', () => continueEvents(expected, opened))
    test('an audit finds no violations afterwards', async () => {
      await opened.service.stop()
      assert.deepEqual(await restored.violations(), [])
    })
    test('a year later everything due has happened and nothing is lost', async () => {
      opened = await open(restored, yearMs)
      await yearLater(expected, opened)
      await opened.service.stop()
      assert.deepEqual(await restored.violations(), [])
    })
  })

  test(`sums past 2^53 of version 0.1.0 stay exact: ${store}`, async (t) => {
    const restored = await restore()
    await restored.change(largeSums)
    const { harbour, service } = await open(restored, minuteMs)
    t.after(async () => {
      await service.stop()
      await rm(restored.dataDir, { recursive: true })
    })
    const { cancelled } = restored.expected.named
    const [held] = await harbour.get(`/positions?marketId=${cancelled.id}`)
    assert.equal(held.totalCost, '9007199254.740993')
    assert.equal(held.realizedPnl, '-9007199254.740995')
    assert.equal((await harbour.market(cancelled)).totalVolume, '90071992547409.97')
  })
}
