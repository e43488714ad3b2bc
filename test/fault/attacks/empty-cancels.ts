// Mass cancels that match nothing, and the exposure of a player with many open orders.

import type { Attack } from './support/attack.ts'
import { fillBook, newMarket } from './support/large-book.ts'

const perSecond = 50

export const emptyCancels: Attack = {
  name: 'empty-cancels',
  expected: '200',
  prepare: async ({ operator, orders, repeat }) => {
    const market = await newMarket(operator)
    await fillBook(operator, market, orders)
    return () => {
      repeat(perSecond, () => operator.call('DELETE', '/api/v1/orders?side=SELL'))
      repeat(perSecond, () => operator.call('DELETE', '/api/v1/orders?playerId=nobody'))
      repeat(perSecond, () => operator.call('GET', '/api/v1/players/bidder-0/exposure'))
    }
  },
}
