// Complete sets: what minting costs, what redeeming earns, and that no share comes from nowhere.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Holding,
  newExchange,
  participant,
  type TestExchange,
} from '../../../test/support/core/exchange.ts'
import { Random } from '../../../test/support/process/random.ts'
import type { RejectCode } from '../reject.ts'
import { partOfSet } from './sets.ts'

const three = { outcomes: ['A', 'B', 'C'] }

function holdings(exchange: TestExchange, player: string): (Holding | null)[] {
  return exchange.market().books.map((_, outcome) => exchange.holding(player, { outcome }))
}

describe('minting', () => {
  test('gives as many shares of every outcome, and splits the cost evenly', () => {
    const exchange = newExchange()
    exchange.mint('ann', 25.01)
    const half = { shares: '25.01', cost: '12.505', profit: '0' }
    assert.deepEqual(holdings(exchange, 'ann'), [half, half])
  })

  test('of three outcomes leaves the remainder of the cost to the last', () => {
    const exchange = newExchange(three)
    exchange.mint('ann', 1)
    assert.deepEqual(
      holdings(exchange, 'ann').map((held) => held!.cost),
      ['0.333333', '0.333333', '0.333334'],
    )
  })

  test('adds to what is held already', () => {
    const exchange = newExchange(three)
    exchange.mint('ann', 1)
    exchange.mint('ann', 1)
    assert.deepEqual(
      holdings(exchange, 'ann').map((held) => [held!.shares, held!.cost]),
      [
        ['2', '0.666666'],
        ['2', '0.666666'],
        ['2', '0.666668'],
      ],
    )
  })

  test('has one event for every position and no other', () => {
    const { events } = newExchange(three).mint('ann', 1)
    const published = events.map(({ eventType }) => eventType)
    assert.deepEqual(published, Array(3).fill('POSITION_UPDATED'))
  })
})

describe('the parts of a set', () => {
  test('are even but for the last, and add up, for any number of shares and outcomes', () => {
    const random = new Random(31)
    for (let round = 0; round < 5_000; round += 1) {
      const shares = random.between(1, 90_000_000)
      const count = random.between(2, 256)
      const parts = Array.from({ length: count }, (_, index) => partOfSet(shares, count, index))
      const [first] = parts
      assert.equal(
        parts.reduce((sum, part) => sum + part, 0),
        shares * 10_000,
      )
      assert.equal(first, Math.floor((shares * 10_000) / count))
      assert(parts.slice(0, -1).every((part) => part === first))
    }
  })
})

describe('redeeming', () => {
  test('is a sale of every outcome at its part of the set', () => {
    const exchange = newExchange()
    exchange.mint('ann', 100)
    exchange.sell('ann', 50, 0.8)
    exchange.buy('bob', 50, 0.8)
    exchange.buy('ann', 50, 0.9)
    exchange.sell('bob', 50, 0.9)
    // Ann holds 100 that cost 25 + 45, and has earned 15 already.
    exchange.redeem('ann', 10)
    assert.deepEqual(holdings(exchange, 'ann'), [
      { shares: '90', cost: '63', profit: '13' },
      { shares: '90', cost: '45', profit: '0' },
    ])
  })

  test('of three outcomes rounds the cost half up and shows the difference as profit', () => {
    const exchange = newExchange(three)
    exchange.mint('ann', 100)
    exchange.redeem('ann', 50)
    // Half of 33.333333 is 16.6666665: 16.666667 goes, and the part fetches 16.666666.
    assert.deepEqual(
      holdings(exchange, 'ann').map((held) => [held!.cost, held!.profit]),
      [
        ['16.666666', '-0.000001'],
        ['16.666666', '-0.000001'],
        ['16.666667', '0.000001'],
      ],
    )
  })

  test('all that was minted leaves no shares, no cost and no profit', () => {
    const exchange = newExchange(three)
    exchange.mint('ann', 7)
    exchange.redeem('ann', 7)
    const nothing = { shares: '0', cost: '0', profit: '0' }
    assert.deepEqual(holdings(exchange, 'ann'), [nothing, nothing, nothing])
  })

  test('has one event for every position and no other', () => {
    const exchange = newExchange(three)
    exchange.mint('ann', 7)
    const published = exchange.redeem('ann', 7).events.map(({ eventType }) => eventType)
    assert.deepEqual(published, Array(3).fill('POSITION_UPDATED'))
  })
})

type Try = (exchange: TestExchange) => { readonly code: RejectCode | null }
type Rejection = { readonly code: RejectCode; readonly rejected: Try; readonly accepted: Try }

/** Ann has 100 sets, and offers 40 shares of the second outcome. */
const rejections: Readonly<Record<string, Rejection>> = {
  'minting less than the least': {
    code: 'ORDER_INVALID_SHARES',
    rejected: (exchange) => exchange.mint('ann', 0.99),
    accepted: (exchange) => exchange.mint('ann', 1),
  },
  'minting more than the most': {
    code: 'ORDER_INVALID_SHARES',
    rejected: (exchange) => exchange.mint('ann', 100_000.01),
    accepted: (exchange) => exchange.mint('ann', 100_000),
  },
  'redeeming less than the least': {
    code: 'ORDER_INVALID_SHARES',
    rejected: (exchange) => exchange.redeem('ann', 0.99),
    accepted: (exchange) => exchange.redeem('ann', 1),
  },
  'redeeming shares that are offered in one outcome': {
    code: 'POSITION_INSUFFICIENT_SHARES',
    rejected: (exchange) => exchange.redeem('ann', 60.01),
    accepted: (exchange) => exchange.redeem('ann', 60),
  },
  'redeeming for a player that holds nothing': {
    code: 'POSITION_INSUFFICIENT_SHARES',
    rejected: (exchange) => exchange.redeem('bob', 1),
    accepted: (exchange) => exchange.redeem('ann', 1),
  },
  "redeeming for another operator's player of the same name": {
    code: 'POSITION_INSUFFICIENT_SHARES',
    rejected: (exchange) => exchange.redeem('ann', 1, { operator: participant }),
    accepted: (exchange) => exchange.redeem('ann', 1),
  },
}

describe('rejected is', () => {
  for (const [name, { code, rejected, accepted }] of Object.entries(rejections)) {
    test(`${name}, and not one step less`, () => {
      const exchange = newExchange()
      exchange.mint('ann', 100)
      exchange.sell('ann', 40, 0.6, { outcome: 1 })
      const { hash } = exchange
      assert.equal(rejected(exchange).code, code)
      assert.equal(exchange.hash, hash, 'a rejection changes nothing')
      assert.equal(accepted(exchange).code, null)
    })
  }

  test('minting beyond what one market can count, and not up to it', () => {
    const exchange = newExchange()
    exchange.mint('ann', 1)
    const records = exchange.save()
    const outstanding = Number.MAX_SAFE_INTEGER - 100
    records.markets[0]!.setsMinted = BigInt(outstanding)
    for (const position of records.positions) position.shares = outstanding
    exchange.restart(records)
    const { reject } = exchange.mint('bob', 1.01)
    assert.partialDeepStrictEqual(reject, { code: 'VALIDATION_ERROR', field: 'shares' })
    assert.equal(exchange.mint('bob', 1).code, null)
  })
})

test('after any trading each outcome has as many shares as sets were minted less redeemed', () => {
  const random = new Random(8_191)
  const exchange = newExchange(three)
  let outstanding = 0
  for (let round = 0; round < 1_000; round += 1) {
    const player = random.pick(['ann', 'bob', 'cid'])
    const shares = random.between(1, 50)
    const price = random.between(30, 70) / 100
    const outcome = random.between(0, 2)
    const deed = random.weighted({ mint: 2, redeem: 1, buy: 4, sell: 4 })
    if (deed === 'buy' || deed === 'sell') exchange[deed](player, shares, price, { outcome })
    else if (exchange[deed](player, shares).code === null) {
      outstanding += deed === 'mint' ? shares * 100 : -shares * 100
    }
  }
  const held = exchange.market().books.map(({ serial }) =>
    exchange
      .save()
      .positions.filter(({ outcomeSerial }) => outcomeSerial === serial)
      .reduce((sum, { shares }) => sum + shares, 0),
  )
  assert(exchange.market().tradeCount > 100)
  assert.deepEqual(held, [outstanding, outstanding, outstanding])
})
