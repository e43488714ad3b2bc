// The bodies of requests over many markets, a BUY and then a SELL in each that meet at one price:
// an order makes as many trades in one market as in ten thousand, which chance would not do.

import { Random } from '../../test/support/process/random.ts'
import type { LoadMarket } from './load-target.ts'

/** In hundredths. */
const price = { least: 30, most: 70 }
const sharesMost = 100

/** Goes round the markets in an order of its own, so that none is left out. */
export function pairedBodies(
  markets: readonly LoadMarket[],
  { seed, count }: { readonly seed: number; readonly count: number },
): string[] {
  const random = new Random(seed)
  const shuffled = markets
    .map((market) => ({ market, place: random.fraction() }))
    .sort((one, other) => one.place - other.place)
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
