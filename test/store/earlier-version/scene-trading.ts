// Orders of every kind, in markets that go on trading: with each option, filled, partly filled,
// amended, cancelled, expired and refused; matched directly and by complete sets.

import type { OperatorClient } from '../../support/http/operator-client.ts'
import type { Json } from '../../support/process/outcry-process.ts'
import { farAway, meanwhile, soonAfter } from './moments.ts'
import type { Named, Operators } from './scene.ts'

/** One operator's: asks of tom and sam wait at 0.6, one of tom at 0.55 is filled in part. */
export async function tradeInRain(house: OperatorClient): Promise<Named> {
  const rain = await house.openMarket({ title: 'Will it rain in Lisbon?' })
  await house.mint(rain, 'sam', 100, { transactionId: 'mint-1' })
  await house.mint(rain, 'tom', 50)
  const redeem = { playerId: 'sam', shares: 20, transactionId: 'redeem-1' }
  await house.post(`/markets/${rain.id}/redeem`, redeem)

  // An amended order goes behind those that came after it.
  const { order: amended } = await house.sell(rain, { player: 'sam', shares: 30, price: 0.6 })
  const { order: first } = await house.sell(rain, { player: 'tom', shares: 10, price: 0.6 })
  const { order: second } = await house.sell(rain, { player: 'sam', shares: 5, price: 0.6 })
  await house.patch(`/orders/${amended.id}`, { shares: 35 })
  const partly = { player: 'tom', shares: 8, price: 0.55, transactionId: 'ask-1' }
  const { order: partial } = await house.sell(rain, partly)
  await house.buy(rain, { player: 'bob', shares: 2, price: 0.57, transactionId: 'buy-1' })
  await house.buy(rain, { player: 'bob', shares: 1, price: 0.55, timeInForce: 'FOK' })
  await house.buy(rain, { player: 'cat', shares: 1, type: 'MARKET' })

  await house.buy(rain, { player: 'cat', shares: 10, price: 0.52, timeInForce: 'IOC' })
  const own = { selfTradePrevention: 'CANCEL_NEWEST', price: 0.55 }
  await house.buy(rain, { player: 'tom', ...own })
  const whole = { timeInForce: 'FOK', price: 0.55, shares: 500, transactionId: 'fok-1' }
  await house.tryOrder(rain, 'BUY', { player: 'cat', ...whole })
  const waits = { postOnly: true, price: 0.58, transactionId: 'post-1' }
  await house.tryOrder(rain, 'BUY', { player: 'cat', ...waits })
  return { rain, amended, first, second, partial, ...(await bidsInRain(house, rain)) }
}

async function bidsInRain(house: OperatorClient, rain: Json): Promise<Named> {
  const bid = async (more: object) => (await house.buy(rain, { player: 'ann', ...more })).order
  const lasting = await bid({ price: 0.5, shares: 12, expiresAt: farAway, transactionId: 'bid-1' })
  const postOnly = await bid({ price: 0.45, shares: 4.5, postOnly: true })
  const oldest = await bid({ price: 0.44, selfTradePrevention: 'CANCEL_OLDEST' })
  const newest = await bid({ price: 0.43, selfTradePrevention: 'CANCEL_NEWEST', postOnly: true })
  const ending = await bid({ price: 0.42, expiresAt: soonAfter })
  await bid({ price: 0.41, expiresAt: meanwhile })
  await house.cancel(await bid({ price: 0.4 }))
  await house.buy(rain, { player: 'zoe', price: 0.39, outcome: 1 })
  await house.buy(rain, { player: 'zoe', price: 0.38 })
  await house.request('DELETE', '/orders?playerId=zoe')
  return { lasting, postOnly, oldest, newest, ending }
}

/** Of three outcomes and two operators; legs are minted and merged, two of a next set wait. */
export async function tradeInCup({ harbour, lagoon }: Operators): Promise<Named> {
  const outcomes = ['Red', 'Green', 'Blue'].map((name) => ({ name, description: `${name} wins` }))
  const sharing = { shared: true, completeSetMatching: true }
  const cup = await harbour.openMarket({ title: 'Who wins the cup?', outcomes, ...sharing })
  await harbour.buy(cup, { player: 'ann', price: 0.5 })
  await lagoon.buy(cup, { player: 'lea', outcome: 1, price: 0.3 })
  await harbour.buy(cup, { player: 'cid', outcome: 2, price: 0.2 })
  await harbour.sell(cup, { player: 'ann', price: 0.45, shares: 6 })
  await lagoon.sell(cup, { player: 'lea', outcome: 1, price: 0.25, shares: 6 })
  await harbour.sell(cup, { player: 'cid', outcome: 2, price: 0.1, shares: 6 })
  await harbour.buy(cup, { player: 'ann', price: 0.5, shares: 7 })
  await lagoon.buy(cup, { player: 'lea', outcome: 1, price: 0.3, shares: 9 })
  return { cup }
}

/** The other operator's, with a guest: a few dozen orders that cross each other. */
export async function tradeInTide({ harbour, lagoon }: Operators): Promise<Named> {
  const tide = await lagoon.openMarket({ title: 'Will the tide be high?', shared: true })
  for (const house of [harbour, lagoon]) {
    for (const player of players) await house.mint(tide, player, 200)
  }
  await crossInTide({ harbour, lagoon }, tide, { from: 0, to: 40 })
  return { tide }
}

const players = ['ida', 'jon', 'kim']

export async function crossInTide(
  { harbour, lagoon }: Pick<Operators, 'harbour' | 'lagoon'>,
  tide: Json,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  for (let at = from; at < to; at += 1) {
    const house = at % 3 === 0 ? harbour : lagoon
    const player = players[at % players.length]!
    const price = (4_000 + ((at * 733) % 2_000)) / 10_000
    const order = {
      player,
      price,
      shares: 1 + ((at * 37) % 90) / 10,
      outcome: at % 5 === 0 ? 1 : 0,
    }
    await house[at % 2 === 0 ? 'sell' : 'buy'](tide, { ...order, transactionId: `tide-${at}` })
  }
}
