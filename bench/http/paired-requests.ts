// Request bodies for many markets, in pairs: a BUY, then a SELL that fills it. So the number of
// trades per order is the same in one market as in ten thousand; random orders would not ensure it.

import { Random } from '../../test/support/process/random.ts'
import type { LoadMarket } from './load-target.ts'

/** In hundredths. */
const price = { least: 30, most: 70 }
const sharesMost = 100

/** Cycles through all markets in a shuffled order. */
export function pairedBodies(
  markets: readonly LoadMarket[],
  { seed, count }: { readonly seed: number; readonly count: number },
): string[] {
  const random = new Random(seed)
  const shuffled = markets
    .map((market) => ({ market, rank: random.fraction() }))
    .sort((one, other) => one.rank - other.rank)
  return Array.from({ length: Math.ceil(count / 2) }, (_, pair) => {
    const { marketId, outcomeIds, holders } = shuffled[pair % shuffled.length]!.market
    const order = {
      marketId,
      outcomeId: random.pick(outcomeIds),
      type: 'LIMIT',
      shares: random.between(1, sharesMost),
      price: random.between(price.least, price.most) / 100,
    }
    return ['BUY', 'SELL'].map((side) =>
      JSON.stringify({ ...order, playerId: random.pick(holders), side }),
    )
  }).flat()
}
