// Thousands of positions and open orders in one market, put there by an engine on the same folder:
// over HTTP it would take longer than what is tested.

import assert from 'node:assert/strict'
import { Engine } from '../../../src/engine/engine.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { priceOf, sharesOf, usualRules } from '../../support/core/steps.ts'
import type { SceneMarket, Trader } from './trading-fixture.ts'

/** Fewer than may wait for a turn. */
const togetherMax = 4_000
const sharesEach = 10

type CrowdOptions = {
  readonly market: SceneMarket
  readonly players: number
  readonly hasOrders?: boolean
}

/** Each player has minted sets; with orders, it offers half of the first outcome and bids for the
 * second. */
export async function addCrowd(
  folder: string,
  trader: Trader,
  { market, players, hasOrders = true }: CrowdOptions,
): Promise<{ readonly sets: number; readonly positions: number; readonly orders: number }> {
  const onFatal = (error: Error) => assert.fail(error)
  const store = await openSqliteStore({ folder, onFatal })
  const silent = () => undefined
  const engine = await Engine.start({
    store,
    rules: usualRules,
    now: () => Date.now(),
    log: { warn: silent, error: silent },
    metrics: { turn: silent, queue: silent, rebuilt: silent, rejected: silent },
  })
  const serialOf = (id: string) => engine.ids.serialOf(id)!
  const about = { operatorId: trader.id, marketSerial: serialOf(market.id), transactionId: null }
  const [first, second] = market.outcomeIds.map(serialOf)
  for (let from = 0; from < players; from += togetherMax / 4) {
    const answers = []
    for (let player = from; player < Math.min(players, from + togetherMax / 4); player += 1) {
      const playerId = `crowd-${player}`
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
