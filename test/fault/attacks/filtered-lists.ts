// Pages of lists with filters that almost no record of a large store passes.

import type { Attack } from './support/attack.ts'
import { fillBook, newMarket } from './support/large-book.ts'

export const filteredLists: Attack = {
  name: 'filtered-lists',
  expected: '200',
  prepare: async ({ operator, orders, repeat }) => {
    const market = await newMarket(operator)
    await fillBook(operator, market, orders)
    const queries = [
      'side=BUY&type=LIMIT',
      `marketId=${market.id}&status=PENDING`,
      'status=CANCELLED&side=SELL',
      `outcomeId=${market.outcomeIds[0]}&type=LIMIT&limit=1000`,
    ]
    return () => {
      repeat(100, (number) =>
        operator.call('GET', `/api/v1/orders?${queries[number % queries.length]}`),
      )
    }
  },
}
