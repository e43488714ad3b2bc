// Holdings too large for a number's 53 bits lose nothing: BigInt arithmetic is the witness.
// Getting there by minting would take a day, so the exchange starts from records.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newExchange, type TestExchange } from '../../../test/support/core/exchange.ts'
import { priceOf, sharesOf } from '../../../test/support/core/steps.ts'
import { Random } from '../../../test/support/process/random.ts'
import type { PositionUpdated } from '../events/event-payload.ts'

type Held = { shares: bigint; cost: bigint; profit: bigint }

/** Ann holds that many shares of both outcomes, and no other player holds any. */
function exchangeWhereAnnHolds({ shares, cost, profit }: Held): TestExchange {
  const exchange = newExchange()
  exchange.mint('ann', 1)
  const records = exchange.save()
  records.markets[0]!.setsMinted = shares
  for (const position of records.positions) {
    position.shares = Number(shares)
    position.cost = cost
    position.profit = profit
  }
  exchange.restart(records)
  return exchange
}

function heldBy(exchange: TestExchange, player: string): Held {
  const outcomeId = exchange.outcomeSerial(0)
  const { shares, cost, profit } = exchange
    .save()
    .positions.find((held) => held.playerId === player && held.outcomeSerial === outcomeId)!
  return { shares: BigInt(shares), cost, profit }
}

function afterSale(held: Held, shares: bigint, price: bigint): Held {
  const costGiven = (2n * held.cost * shares + held.shares) / (2n * held.shares)
  return {
    shares: held.shares - shares,
    cost: held.cost - costGiven,
    profit: held.profit + shares * price - costGiven,
  }
}

function afterPurchase(held: Held, shares: bigint, price: bigint): Held {
  return { ...held, shares: held.shares + shares, cost: held.cost + shares * price }
}

const starts: Readonly<Record<string, Held>> = {
  'far beyond 2^53': { shares: 2n ** 50n + 12_345n, cost: 2n ** 62n + 123_457n, profit: 0n },
  'just above 2^53': { shares: 2n ** 41n + 1n, cost: 2n ** 53n + 1n, profit: 2n ** 53n + 1n },
  'just below 2^52': { shares: 2n ** 41n + 3n, cost: 2n ** 52n - 1n, profit: 1n - 2n ** 52n },
  'with a great loss': { shares: 2n ** 41n, cost: 2n ** 53n, profit: -(2n ** 61n) - 1n },
}

for (const [name, start] of Object.entries(starts)) {
  test(`300 trades of a position ${name} leave its cost and profit exact`, () => {
    const random = new Random(4_217)
    const exchange = exchangeWhereAnnHolds(start)
    let [ann, bob]: [Held, Held] = [start, { shares: 0n, cost: 0n, profit: 0n }]
    for (let round = 0; round < 300; round += 1) {
      const shares = random.between(100, 10_000_000)
      const price = random.between(100, 9_900)
      const terms = [BigInt(shares), BigInt(price)] as const
      const isBack = bob.shares >= terms[0] && random.chance(30)
      const [seller, buyer] = isBack ? ['bob', 'ann'] : ['ann', 'bob']
      exchange.sell(seller!, shares / 100, price / 10_000)
      assert.equal(exchange.buy(buyer!, shares / 100, price / 10_000).code, null)
      if (isBack) [ann, bob] = [afterPurchase(ann, ...terms), afterSale(bob, ...terms)]
      else [ann, bob] = [afterSale(ann, ...terms), afterPurchase(bob, ...terms)]
      assert.deepEqual(heldBy(exchange, 'ann'), ann)
    }
    assert.deepEqual(heldBy(exchange, 'bob'), bob)
  })
}

test('a cost that grows past 2^52 by trading is exact', () => {
  const start = { shares: 2n ** 41n, cost: 2n ** 52n - 1_000_000_000n, profit: 0n }
  const exchange = exchangeWhereAnnHolds(start)
  const terms = [BigInt(sharesOf(100_000)), BigInt(priceOf(0.99))] as const
  exchange.mint('bob', 100_000)
  exchange.sell('bob', 100_000, 0.99)
  exchange.buy('ann', 100_000, 0.99)
  assert.deepEqual(heldBy(exchange, 'ann'), afterPurchase(start, ...terms))
})

test('the cost of what is sold of a large position is rounded half up', () => {
  // A part of 2^10 in 2^41 of that cost is 2^24 and a half.
  const start = { shares: 2n ** 41n, cost: 2n ** 55n + 2n ** 30n, profit: 0n }
  const exchange = exchangeWhereAnnHolds(start)
  exchange.sell('ann', 10.24, 0.5)
  exchange.buy('bob', 10.24, 0.5)
  assert.equal(heldBy(exchange, 'ann').cost, start.cost - 2n ** 24n - 1n)
})

describe('a large position', () => {
  const start = { shares: 2n ** 50n, cost: 2n ** 62n, profit: 0n }

  test('is published with its average to eight decimals', () => {
    const exchange = exchangeWhereAnnHolds(start)
    exchange.sell('ann', 1, 0.5)
    const { events } = exchange.buy('bob', 1, 0.5)
    const [ann] = events
      .filter(({ eventType }) => eventType === 'POSITION_UPDATED')
      .map(({ payload }) => payload as PositionUpdated)
      .filter(({ playerId }) => playerId === 'ann')
    const { shares, cost } = afterSale(start, 100n, 5_000n)
    assert.equal(ann!.avgPrice, Number((2n * cost * 10_000n + shares) / (2n * shares)) / 1e8)
  })

  test('is saved and loaded to the last digit', () => {
    const exchange = exchangeWhereAnnHolds({ ...start, cost: start.cost + 1n, profit: -start.cost })
    const { hash } = exchange
    exchange.restart()
    assert.equal(exchange.hash, hash)
    assert.equal(heldBy(exchange, 'ann').cost, 2n ** 62n + 1n)
  })

  test('is settled for exactly its sets', () => {
    const exchange = exchangeWhereAnnHolds({ ...start, shares: 2n ** 50n + 1n })
    exchange.settleWhole()
    assert.equal(exchange.market().job!.payout.exact, (2n ** 50n + 1n) * 10_000n)
  })
})
