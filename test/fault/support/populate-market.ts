// Adds thousands of positions and open orders to a market with an engine on the same data folder:
// over HTTP that would take longer than the test itself.

import assert from 'node:assert/strict'
import { presentForm } from '../../../src/core/events/events.ts'
import { Engine } from '../../../src/engine/engine.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { priceOf, sharesOf, usualRules } from '../../support/core/steps.ts'
import { onlyShard } from '../../support/store/only-shard.ts'
import type { FixtureMarket, Trader } from './trading-fixture.ts'

/** Fewer than the command queue accepts. */
const concurrentMax = 4_000
const sharesEach = 10

type PopulationOptions = {
  readonly market: FixtureMarket
  readonly players: number
  readonly hasOrders?: boolean
}

/** Each player mints sets; with orders, it offers half of one outcome and bids for the other. */
export async function populateMarket(
  folder: string,
  trader: Trader,
  { market, players, hasOrders = true }: PopulationOptions,
): Promise<{ readonly sets: number; readonly positions: number; readonly orders: number }> {
  const onFatal = (error: Error) => assert.fail(error)
  const store = await openSqliteStore({ folder, onFatal })
  const silent = () => undefined
  const engine = await Engine.start({
    store: onlyShard(store),
    isStoreAnswering: () => store.isAnswering(),
    rules: usualRules,
    now: () => Date.now(),
    eventForm: () => presentForm,
    log: { warn: silent, error: silent },
    reportFailure: silent,
    metrics: { turn: silent, queue: silent, rebuilt: silent, rejected: silent },
  })
  const serialOf = (id: string) => engine.ids.serialOf(id)!
  const about = { operatorId: trader.id, marketSerial: serialOf(market.id), transactionId: null }
  const [first, second] = market.outcomeIds.map(serialOf)
  for (let from = 0; from < players; from += concurrentMax / 4) {
    const answers = []
    for (let player = from; player < Math.min(players, from + concurrentMax / 4); player += 1) {
      const playerId = `player-${player}`
      const kind = 'MINT' as const
      answers.push(
        engine.submit('changeSets', { ...about, playerId, kind, shares: sharesOf(sharesEach) }),
      )
      if (!hasOrders) continue
      const order = { ...about, playerId, type: 'LIMIT', expiresAt: null, options: 0 } as const
      const ask = {
        outcomeSerial: first!,
        side: 'SELL',
        shares: sharesOf(5),
        price: priceOf(0.7),
      } as const
      const bid = {
        outcomeSerial: second!,
        side: 'BUY',
        shares: sharesOf(3),
        price: priceOf(0.2),
      } as const
      answers.push(engine.submit('place', { ...order, ...ask }))
      answers.push(engine.submit('place', { ...order, ...bid }))
    }
    for (const { isAccepted } of await Promise.all(answers)) assert(isAccepted)
  }
  await engine.stop()
  await store.close()
  return { sets: players * sharesEach, positions: players * 2, orders: hasOrders ? players * 2 : 0 }
}
