// Complete sets of a market with as many outcomes as a market may have: each mint changes a
// position in every outcome.

import type { Attack } from './support/attack.ts'
import { newMarket } from './support/large-book.ts'

const outcomes = 256

export const largeMints: Attack = {
  name: 'large-mints',
  expected: '201',
  prepare: async ({ operator, repeat }) => {
    const names = Array.from({ length: outcomes }, (_, number) => ({ name: `Runner ${number}` }))
    const { id } = await newMarket(operator, { outcomes: names })
    return () => {
      repeat(300, (number) =>
        operator.call('POST', `/api/v1/markets/${id}/mint`, {
          body: { playerId: `player-${number}`, shares: 1 },
        }),
      )
    }
  },
}
