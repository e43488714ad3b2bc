// The suite that every store must pass.

import { suite, test } from 'node:test'
import { auditTests } from './audit-tests.ts'
import { commitTests } from './commit-tests.ts'
import { controlsTests } from './controls-tests.ts'
import { dailyTotalsTests } from './daily-totals-tests.ts'
import { eventTests } from './event-tests.ts'
import { holdingTests } from './holding-tests.ts'
import { keptAnswerTests } from './kept-answer-tests.ts'
import { legTests } from './leg-tests.ts'
import { listTests } from './list-tests.ts'
import { loadTests } from './load-tests.ts'
import { marketListTests } from './market-list-tests.ts'
import { marketTests } from './market-tests.ts'
import { openOrderTests } from './open-order-tests.ts'
import { orderTests } from './order-tests.ts'
import { playerTests } from './player-tests.ts'
import { readTests } from './read-tests.ts'
import { reconciliationTests } from './reconciliation-tests.ts'
import { registryTests } from './registry-tests.ts'
import { StoreFixture, type StorePlace } from './store-fixture.ts'
import { tradeDataTests } from './trade-data-tests.ts'
import { visibleMarketTests } from './visible-market-tests.ts'
import { webhookLogTests } from './webhook-log-tests.ts'

/** Each test has a new store. */
export function storeSuite(name: string, newPlace: () => Promise<StorePlace>): void {
  const parts = {
    turns: commitTests,
    orders: orderTests,
    'open orders': openOrderTests,
    callers: readTests,
    lists: listTests,
    legs: legTests,
    markets: marketTests,
    'visible markets': visibleMarketTests,
    'lists of markets': marketListTests,
    'trade data': tradeDataTests,
    'daily totals': dailyTotalsTests,
    holdings: holdingTests,
    players: playerTests,
    controls: controlsTests,
    reconciliation: reconciliationTests,
    events: eventTests,
    registry: registryTests,
    'kept answers': keptAnswerTests,
    'audit log': auditTests,
    'webhook log': webhookLogTests,
    loading: loadTests,
  }
  for (const [part, tests] of Object.entries(parts)) {
    suite(`${name}: ${part}`, () => {
      for (const [title, run] of Object.entries(tests)) {
        test(title, async () => {
          const fixture = await StoreFixture.open(await newPlace())
          try {
            await run(fixture)
          } finally {
            await fixture.close()
          }
        })
      }
    })
  }
}
