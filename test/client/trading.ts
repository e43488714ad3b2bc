// Places and cancels orders in one book while a test runs.

import type { OutcryClient } from '../../client/src/outcry.ts'
import { Random } from '../support/process/random.ts'
import { limit } from './fixture.ts'

type MarketRef = { readonly marketId: string; readonly outcomeId: string }

/** Trades until `stop` is called, which returns the number of orders placed. */
export function trade(client: OutcryClient, market: MarketRef): { stop(): Promise<number> } {
  let isStopped = false
  const random = new Random(1)
  const placed: string[] = []
  const work = async () => {
    while (!isStopped) {
      const side = random.chance(50) ? 'BUY' : 'SELL'
      const price = random.between(30, 70) / 100
      const { order } = await client.orders.place(limit(market, side, { price, shares: 1 }))
      placed.push(order.id)
      if (order.status === 'PENDING' && random.chance(30)) await client.orders.cancel(order.id)
    }
    return placed.length
  }
  const working = work()
  return {
    stop: () => {
      isStopped = true
      return working
    },
  }
}
