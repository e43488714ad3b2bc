// Previews, FOK orders and post-only orders, each of which could match a large book as a whole.

import type { Attack } from './support/attack.ts'
import { fillBook, mint, newMarket } from './support/large-book.ts'

const perSecond = 100

export const bookWalks: Attack = {
  name: 'book-walks',
  expected: '409 ORDER_WOULD_MATCH',
  prepare: async ({ operator, orders, repeat }) => {
    const market = await newMarket(operator)
    // More shares than rest in the book: a FOK order finds too few at the end of its walk.
    const shares = orders + 1
    await mint(operator, market, 'seller', shares)
    await fillBook(operator, market, orders)
    const order = {
      marketId: market.id,
      outcomeId: market.outcomeIds[0],
      playerId: 'seller',
      side: 'SELL',
      type: 'LIMIT',
      shares,
      price: 0.01,
    }
    const send = (path: string, more: object) =>
      operator.call('POST', path, { body: { ...order, ...more } })
    return () => {
      repeat(perSecond, () => send('/api/v1/orders/preview', {}))
      repeat(perSecond, () => send('/api/v1/orders', { timeInForce: 'FOK' }))
      repeat(perSecond, () => send('/api/v1/orders', { postOnly: true }))
    }
  },
}
