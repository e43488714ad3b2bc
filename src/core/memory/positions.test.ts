// What players hold: which shares they may offer, what those cost, and what selling them earned.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newExchange, participant } from '../../../test/support/core/exchange.ts'
import { check } from '../../../test/support/core/script.ts'
import type { PositionUpdated } from '../events/event-payload.ts'

describe('shares that are offered', () => {
  test('cannot be offered again', () => {
    check(`
      mint S1 10
      sell S1 6 @ 60
      sell S1 4.01 @ 70
      rejects S1 POSITION_INSUFFICIENT_SHARES
      sell S1 4 @ 70
      rests S1 6 @ 60
      rests S1 4 @ 70
    `)
  })

  test('stay offered when others of the same order are sold', () => {
    check(`
      mint S1 10
      sell S1 6 @ 60
      buy  B1 2 @ 60
      trade S1 B1 2 @ 60
      sell S1 4.01 @ 70
      rejects S1 POSITION_INSUFFICIENT_SHARES
      sell S1 4 @ 70
      rests S1 4 @ 60
      rests S1 4 @ 70
    `)
  })

  test('are free again when the order is cancelled', () => {
    check(`
      mint S1 10
      sell S1 10 @ 60
      cancel S1
      sell S1 10 @ 70
      rests S1 10 @ 70
    `)
  })

  test('are free again when the order expires', () => {
    check(`
      mint S1 10
      sell S1 10 @ 60 for 1000
      wait 1000
      sell S1 10 @ 70
      rests S1 10 @ 70
    `)
  })

  test('do not count what a SELL filled at once', () => {
    check(`
      mint S1 10
      buy  B1 6 @ 60
      sell S1 6 @ 60
      trade S1 B1 6 @ 60
      sell S1 4 @ 70
      rests S1 4 @ 70
    `)
  })
})

describe('cost and profit', () => {
  test('a BUY costs the value of its trades, at the prices of the resting orders', () => {
    check(`
      sell S1 10 @ 60
      sell S2 10 @ 70
      buy  B1 15 @ 80
      trade S1 B1 10 @ 60
      trade S2 B1 5 @ 70
      holds B1 15 cost 9.5 profit 0
      rests S2 5 @ 70
    `)
  })

  test('a sale takes its part off the cost, and what it fetched beyond that is profit', () => {
    check(`
      mint S1 100
      buy  B1 30 @ 65
      sell S1 30 @ 60
      trade S1 B1 30 @ 65
      holds S1 70 cost 35 profit 4.5
    `)
  })

  test('a sale below cost is a loss', () => {
    check(`
      mint S1 100
      sell S1 30 @ 1.5
      buy  B1 30 @ 1.5
      trade S1 B1 30 @ 1.5
      holds S1 70 cost 35 profit -14.55
    `)
  })

  test('profits of several sales add up, and later purchases do not touch them', () => {
    check(`
      mint S1 10
      sell S1 4 @ 60
      buy  B1 4 @ 60
      trade S1 B1 4 @ 60
      holds S1 6 cost 3 profit 0.4
      sell S1 2 @ 80
      buy  B1 2 @ 80
      trade S1 B1 2 @ 80
      holds S1 4 cost 2 profit 1
      sell S2 4 @ 90
      buy  S1 4 @ 90
      trade S2 S1 4 @ 90
      holds S1 8 cost 5.6 profit 1
    `)
  })

  test('at no shares the cost is 0 and the position stays with its profit', () => {
    check(`
      mint S1 3
      sell S1 3 @ 33.33
      buy  B1 3 @ 33.33
      trade S1 B1 3 @ 33.33
      holds S1 0 cost 0 profit -0.5001
    `)
  })

  // 4 shares of one outcome in three cost 1.333333: two of them 0.6666665, half up 0.666667.
  test('the cost of what is sold is rounded half up to a micro-unit', () => {
    const exchange = newExchange({ outcomes: ['A', 'B', 'C'] })
    exchange.mint('ann', 4)
    exchange.buy('bob', 2, 0.5)
    exchange.sell('ann', 2, 0.5)
    const { shares, cost, profit } = exchange.holding('ann')!
    assert.deepEqual([shares, cost, profit], ['2', '0.666666', '0.333333'])
  })

  // 1 of 4 shares costs 0.33333325, which is nearer to 0.333333.
  test('and down where it is less than half', () => {
    const exchange = newExchange({ outcomes: ['A', 'B', 'C'] })
    exchange.mint('ann', 4)
    exchange.buy('bob', 1, 0.5)
    exchange.sell('ann', 1, 0.5)
    assert.equal(exchange.holding('ann')!.cost, '1')
  })

  test('fees are in neither', () => {
    const exchange = newExchange()
    exchange.putOperator('house', 100)
    exchange.mint('ann', 10)
    exchange.sell('ann', 10, 0.5)
    exchange.buy('bob', 10, 0.5)
    assert.deepEqual(exchange.holding('bob'), { shares: '10', cost: '5', profit: '0' })
    assert.deepEqual(exchange.holding('ann'), { shares: '0', cost: '0', profit: '0' })
  })

  test('players of one name are kept apart by operator, market and outcome', () => {
    const exchange = newExchange()
    exchange.mint('ann', 10)
    exchange.mint('ann', 5, { operator: participant })
    exchange.sell('ann', 10, 0.6, { outcome: 1 })
    exchange.buy('bob', 10, 0.6, { outcome: 1 })
    assert.equal(exchange.holding('ann')!.shares, '10')
    assert.equal(exchange.holding('ann', { outcome: 1 })!.shares, '0')
    assert.equal(exchange.holding('ann', { operator: participant, outcome: 1 })!.shares, '5')
    exchange.createMarket()
    assert.equal(exchange.holding('ann'), null)
  })
})

describe('a trade with oneself', () => {
  // 40 of 100 shares that cost 50 go for 28, and come back for 28.
  const after = 'holds P1 100 cost 58 profit 8'

  test('realizes the profit of the sale and buys back at its price, on an incoming BUY', () => {
    check(`
      mint P1 100
      sell P1 40 @ 70
      buy  P1 40 @ 75
      trade P1 P1 40 @ 70
      ${after}
    `)
  })

  test('and on an incoming SELL', () => {
    check(`
      mint P1 100
      buy  P1 40 @ 70
      sell P1 40 @ 65
      trade P1 P1 40 @ 70
      ${after}
    `)
  })

  test('of all shares leaves no trace of the old cost', () => {
    check(`
      mint P1 100
      sell P1 100 @ 70
      buy  P1 100 @ 70
      trade P1 P1 100 @ 70
      holds P1 100 cost 70 profit 20
    `)
  })

  test('frees the shares that it had offered', () => {
    check(`
      mint P1 100
      sell P1 100 @ 70
      buy  P1 40 @ 70
      trade P1 P1 40 @ 70
      sell P1 40.01 @ 80
      rejects P1 POSITION_INSUFFICIENT_SHARES
      sell P1 40 @ 80
      rests P1 60 @ 70
      rests P1 40 @ 80
    `)
  })

  test('pays both fees and publishes one change of one position', () => {
    const exchange = newExchange()
    exchange.mint('ann', 10)
    exchange.sell('ann', 10, 0.5)
    const { placement, events } = exchange.buy('ann', 10, 0.5)
    const [trade] = placement!.trades
    assert.deepEqual([trade!.buyerFee, trade!.sellerFee], [1_000_000_000, 1_000_000_000])
    const published = events.filter(({ eventType }) => eventType === 'POSITION_UPDATED')
    assert.equal(published.length, 1)
  })
})

describe('an average price', () => {
  /** As published to bob's operator after buying those shares, each at its price. */
  function averageOf(...bought: readonly (readonly [shares: number, price: number])[]) {
    const exchange = newExchange()
    exchange.mint('ann', 1_000)
    let published: PositionUpdated | undefined
    for (const [shares, price] of bought) {
      exchange.sell('ann', shares, price)
      const { events } = exchange.buy('bob', shares, price)
      const updates = events.filter(({ eventType }) => eventType === 'POSITION_UPDATED')
      published = updates.map(({ payload }) => payload as PositionUpdated).find(isOfBob)
    }
    return published!.avgPrice
  }
  const isOfBob = ({ playerId }: PositionUpdated) => playerId === 'bob'

  test('weighs prices by shares', () => {
    assert.equal(averageOf([10, 0.6], [30, 0.7]), 0.675)
  })

  test('has eight decimals, rounded up from the half', () => {
    // 1 at 0.5001 and 1.56 at 0.5003: 1.280568 / 2.56 is 0.500221875 exactly.
    assert.equal(averageOf([1, 0.5001], [1.56, 0.5003]), 0.50022188)
  })

  test('and down below it', () => {
    // 2 at 0.5 and 1 at 0.5001: 1.5001 / 3 is 0.50003333...
    assert.equal(averageOf([2, 0.5], [1, 0.5001]), 0.50003333)
  })
})
