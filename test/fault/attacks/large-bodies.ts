// Bodies of as many bytes and values as a request may have, which are refused.

import type { Attack } from './support/attack.ts'
import { newMarket } from './support/large-book.ts'

export const largeBodies: Attack = {
  name: 'large-bodies',
  expected: '429 RATE_LIMITED',
  prepare: async ({ operator, repeat }) => {
    const market = await newMarket(operator)
    const body = { metadata: { values: Array.from({ length: 80_000 }, () => ({})) } }
    return () => {
      repeat(50, () => operator.call('PATCH', `/api/v1/markets/${market.id}`, { body }))
    }
  },
}
