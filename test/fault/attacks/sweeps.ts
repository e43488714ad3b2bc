// Batches whose orders each match thousands of resting orders by complete sets.

import type { Attack } from './support/attack.ts'
import { fillBook, newMarket, restingBatch } from './support/large-book.ts'

const sweepShares = 100_000

export const sweeps: Attack = {
  name: 'sweeps',
  expected: '200',
  // An order is carried out and stored as a whole: by default, 5,000 trades hold up the next turn.
  env: { MAX_ORDER_FILLS: '1000' },
  prepare: async ({ operator, orders, repeat }) => {
    const market = await newMarket(operator, { completeSetMatching: true })
    await fillBook(operator, market, orders)
    // BUY orders of both outcomes match by minting sets; the rest of a MARKET order never rests.
    const sweep = {
      marketId: market.id,
      outcomeId: market.outcomeIds[1],
      playerId: 'sweeper',
      side: 'BUY',
      type: 'MARKET',
      shares: sweepShares,
    }
    const place = (batch: readonly object[]) =>
      operator.call('POST', '/api/v1/orders/batch', { body: { orders: batch } })
    return () => {
      repeat(2, () => place(Array.from({ length: 6 }, () => sweep)))
      repeat(20, (number) => place(restingBatch(market, number * 100)))
    }
  },
}
