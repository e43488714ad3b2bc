// Repeated batches of orders that each made hundreds of trades.

import type { Attack } from './support/attack.ts'
import { fillBook, mint, newMarket } from './support/large-book.ts'

const tradesPerOrder = 400

export const largeReplays: Attack = {
  name: 'large-replays',
  expected: '200',
  prepare: async ({ operator, repeat }) => {
    const market = await newMarket(operator)
    await mint(operator, market, 'seller', 20_000)
    const orders: object[] = []
    for (let at = 0; at < 5; at += 1) {
      await fillBook(operator, market, tradesPerOrder)
      const order = {
        marketId: market.id,
        outcomeId: market.outcomeIds[0],
        playerId: 'seller',
        side: 'SELL',
        type: 'MARKET',
        shares: tradesPerOrder,
        transactionId: `sweep-${at}`,
      }
      await operator.data('POST', '/api/v1/orders', order)
      orders.push(order)
    }
    const batch = Array.from({ length: 20 }, (_, at) => orders[at % orders.length])
    return () => {
      repeat(10, () => operator.call('POST', '/api/v1/orders/batch', { body: { orders: batch } }))
    }
  },
}
