// Tests of the naive model alone, with numbers computed by hand from the specification: the
// simulator can only find what the model gets right.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultRules, Generator } from './generate.ts'
import { Model } from './model.ts'
import type { FeeSchedule, Result, Step, TestEvent } from './step.ts'

const startMs = 1_000_000

type Options = { readonly outcomes?: number; readonly feeSchedule?: FeeSchedule | null }

/** A model with a shared open market of two outcomes and sets of 100 shares for ann and bob. */
function openModel({ outcomes = 2, feeSchedule = null }: Options = {}): Model {
  const model = new Model({
    operators: [
      { currencies: ['USD'], feeRate: null, feeSchedule: null },
      { currencies: ['USD'], feeRate: 50, feeSchedule: null },
    ],
    rules: defaultRules,
  })
  const names = Array.from({ length: outcomes }, (_, index) => `Answer ${index}`)
  apply(model, {
    do: 'createMarket',
    operator: 0,
    title: 'Will it rain?',
    description: null,
    currency: 'USD',
    outcomes: names,
    tradingStartsAt: null,
    tradingEndsAt: null,
    isShared: true,
    hasCompleteSets: false,
    feeSchedule,
    priceBand: null,
  })
  apply(model, { do: 'open', operator: 0, market: 0 })
  for (const player of ['ann', 'bob']) {
    apply(model, { do: 'mint', operator: 0, player, market: 0, shares: 10_000 })
  }
  return model
}

function apply(model: Model, step: Step, now = startMs): Result {
  const result = model.step(step, now)
  assert.equal(result.reject, null)
  return result
}

type Order = Partial<Extract<Step, { do: 'place' }>> & { player: string; shares: number }

/** Places an order for the first outcome, by players of operator 0 by default. */
function place(model: Model, order: Order, now = startMs): Result {
  return model.step(
    {
      do: 'place',
      operator: 0,
      market: 0,
      outcome: 0,
      side: 'BUY',
      type: 'LIMIT',
      amount: null,
      price: null,
      expiresAt: null,
      timeInForce: 'GTC',
      isPostOnly: false,
      selfTradePrevention: 'NONE',
      group: null,
      ...order,
    },
    now,
  )
}

function eventsOf(result: Result, eventType: string): TestEvent['payload'][] {
  return result.events
    .filter((event) => event.eventType === eventType)
    .map(({ payload }) => payload)
}

function typesOf(result: Result): string[] {
  return result.events.map((event) => event.eventType)
}

describe('matching in the model', () => {
  test('a trade has the price of the resting order, and each side pays its own fee rate', () => {
    const model = openModel()
    place(model, { player: 'ann', side: 'SELL', shares: 1_000, price: 5_500 })
    const result = place(model, { operator: 1, player: 'cid', shares: 1_000, price: 6_000 })
    assert.deepEqual(typesOf(result), [
      'ORDER_PLACED',
      'ORDER_MATCHED',
      'ORDER_MATCHED',
      'POSITION_UPDATED',
      'POSITION_UPDATED',
      'ORDER_BOOK_UPDATE',
      'PRICE_UPDATED',
    ])
    const [incoming, resting] = eventsOf(result, 'ORDER_MATCHED')
    assert.deepEqual(incoming, {
      orderId: 'order-1',
      marketId: 'market-0',
      outcomeId: 'outcome-0-0',
      operatorId: 'operator-1',
      tradeId: 'trade-0',
      side: 'BUY',
      playerId: 'cid',
      transactionId: 't-1',
      role: 'TAKER',
      price: 0.55,
      shares: 10,
      fee: 0.0275,
      filledShares: 10,
      remainingShares: 0,
      status: 'FILLED',
      timestamp: startMs,
    })
    assert.equal(resting!.orderId, 'order-0')
    assert.deepEqual([resting!.role, resting!.fee], ['MAKER', 0.11])
    // 10 shares at 0.55 are 5.50: two percent are 0.11, half a percent is 0.0275.
    assert.deepEqual(model.fees(), [
      { operator: 0, total: 1_100_000_000n },
      { operator: 1, total: 275_000_000n },
    ])
  })

  test('at one price the earlier order trades first, a better price before both', () => {
    const model = openModel()
    place(model, { player: 'ann', side: 'SELL', shares: 300, price: 6_000 })
    place(model, { player: 'bob', side: 'SELL', shares: 300, price: 6_000 })
    place(model, { player: 'bob', side: 'SELL', shares: 100, price: 5_900 })
    const result = place(model, { player: 'cid', shares: 500, price: 6_000 })
    const resting = eventsOf(result, 'ORDER_MATCHED').filter(({ side }) => side === 'SELL')
    const fills = resting.map(({ orderId, shares, price }) => [orderId, shares, price])
    assert.deepEqual(fills, [
      ['order-2', 1, 0.59],
      ['order-0', 3, 0.6],
      ['order-1', 1, 0.6],
    ])
    const [asks] = eventsOf(result, 'ORDER_BOOK_UPDATE').map((update) => update.asks)
    assert.deepEqual(asks, [
      { price: 0.59, shares: 0, orderCount: 0 },
      { price: 0.6, shares: 2, orderCount: 1 },
    ])
  })

  test('the rest of a LIMIT order stays in the book', () => {
    const model = openModel()
    place(model, { player: 'ann', side: 'SELL', shares: 400, price: 5_000 })
    const result = place(model, { player: 'cid', shares: 1_000, price: 5_100 })
    const [placed] = eventsOf(result, 'ORDER_PLACED')
    assert.equal(placed!.status, 'PARTIAL')
    assert.equal(placed!.filledShares, 4)
    const { orders, markets } = model.view(startMs)
    const rest = { order: 1, shares: 1_000, filled: 400, cost: 2_000_000, price: 5_100 }
    assert.deepEqual(orders, [{ ...rest, group: null }])
    assert.deepEqual(markets[0]!.books[0]!.bids, [{ price: 5_100, shares: 600, orders: 1 }])
    assert.equal(markets[0]!.totalVolume, '400')
  })

  test('the rest of a MARKET order is cancelled at once', () => {
    const model = openModel()
    place(model, { player: 'ann', side: 'SELL', shares: 400, price: 5_000 })
    const result = place(model, { player: 'cid', type: 'MARKET', shares: 1_000 })
    const [placed] = eventsOf(result, 'ORDER_PLACED')
    const [cancelled] = eventsOf(result, 'ORDER_CANCELLED')
    assert.equal(placed!.status, 'CANCELLED')
    assert.equal(cancelled!.reason, 'IMMEDIATE')
    assert.equal(cancelled!.cancelledShares, 6)
    assert.equal(cancelled!.price, null)
    assert.deepEqual(model.view(startMs).orders, [])
  })

  test('a MARKET order without a match is REJECTED, published and numbered', () => {
    const model = openModel()
    const result = place(model, { player: 'cid', type: 'MARKET', shares: 1_000 })
    assert.equal(result.reject, 'ORDER_NO_LIQUIDITY')
    assert.deepEqual(typesOf(result), ['ORDER_PLACED'])
    const cancel = model.step({ do: 'cancel', operator: 0, order: 0 }, startMs)
    assert.equal(cancel.reject, 'ORDER_CANNOT_CANCEL')
  })

  test('shares reserved by an open SELL order cannot be sold twice', () => {
    const model = openModel()
    place(model, { player: 'ann', side: 'SELL', shares: 6_000, price: 9_000 })
    const second = { player: 'ann', side: 'SELL', price: 9_000 } as const
    const tooMany = place(model, { ...second, shares: 4_001 })
    assert.equal(tooMany.reject, 'POSITION_INSUFFICIENT_SHARES')
    assert.equal(place(model, { ...second, shares: 4_000 }).reject, null)
  })

  test('an order expires exactly at expiresAt, before an order placed then can match it', () => {
    const order = { player: 'ann', side: 'SELL', shares: 500, price: 5_000 } as const
    for (const [now, trades] of [
      [startMs + 9, 1],
      [startMs + 10, 0],
    ] as const) {
      const model = openModel()
      place(model, { ...order, expiresAt: startMs + 10 })
      const result = place(model, { player: 'cid', shares: 500, price: 5_000 }, now)
      assert.equal(model.view(now).markets[0]!.totalTrades, trades)
      const statuses = eventsOf(result, 'ORDER_CANCELLED').map(({ status }) => status)
      assert.deepEqual(statuses, trades === 1 ? [] : ['EXPIRED'])
    }
  })
})

describe('holdings in the model', () => {
  test('the last outcome of a set gets the remainder of the cost of minting', () => {
    const { positions } = openModel({ outcomes: 3 }).view(startMs)
    const costs = positions.filter(({ player }) => player === 'ann').map(({ cost }) => cost)
    assert.deepEqual(costs, ['33333333', '33333333', '33333334'])
  })

  test('redeeming sells each outcome for its part of a unit, with costs rounded half up', () => {
    const model = openModel({ outcomes: 3 })
    apply(model, { do: 'redeem', operator: 0, player: 'ann', market: 0, shares: 5_000 })
    const { positions, markets } = model.view(startMs)
    const own = positions.filter(({ player }) => player === 'ann')
    const kept = own.map(({ shares, cost, profit }) => [shares, cost, profit])
    // Half of 33.333333 is 16.6666665, of which 16.666667 goes; two parts fetch 16.666666.
    assert.deepEqual(kept, [
      [5_000, '16666666', '-1'],
      [5_000, '16666666', '-1'],
      [5_000, '16666667', '1'],
    ])
    assert.equal(markets[0]!.setsOutstanding, 15_000)
  })

  test('a sale realizes the proceeds minus the cost of the sold shares', () => {
    const model = openModel()
    place(model, { operator: 1, player: 'cid', shares: 3_000, price: 7_000 })
    const sale = { player: 'ann', side: 'SELL', shares: 3_000, price: 6_500 } as const
    const [buyer, seller] = eventsOf(place(model, sale), 'POSITION_UPDATED')
    // 30 of 100 shares that cost 50 go for 21.
    assert.equal(seller!.totalCost, 35)
    assert.equal(seller!.realizedPnl, 6)
    assert.equal(buyer!.avgPrice, 0.7)
    assert.equal(buyer!.operatorId, 'operator-1')
  })

  test('a settlement closes orders first, then pays position by position', () => {
    const model = openModel()
    place(model, { player: 'ann', side: 'SELL', shares: 500, price: 5_000 })
    const aim = { operator: 0, market: 0 }
    apply(model, { do: 'close', ...aim })
    apply(model, {
      do: 'resolve',
      ...aim,
      winner: 1,
      payouts: null,
      source: 'The press',
      notes: null,
    })
    assert.deepEqual(apply(model, { do: 'settle', ...aim }).events, [])

    const slice = { do: 'continue', market: 0, atMost: 3 } as const
    const [orders, most, rest] = [apply(model, slice), apply(model, slice), apply(model, slice)]
    assert.deepEqual(typesOf(orders), ['ORDER_CANCELLED', 'ORDER_BOOK_UPDATE', 'PRICE_UPDATED'])
    assert.equal(eventsOf(orders, 'ORDER_CANCELLED')[0]!.reason, 'SETTLEMENT')
    const payouts = eventsOf(most, 'SETTLEMENT_COMPLETED').map((event) => event.totalPayout)
    assert.deepEqual(payouts, [0, 100, 0])
    assert.deepEqual(typesOf(rest), ['SETTLEMENT_COMPLETED', 'MARKET_STATUS_CHANGED'])
    assert.deepEqual(apply(model, slice).events, [])
    assert.deepEqual(model.view(startMs).positions, [])
  })
})

describe('the generator', () => {
  test('creates the same steps for the same seed, and every kind within 2,000', () => {
    const first = stepsOf(8_191)
    assert.deepEqual(stepsOf(8_191), first)
    const kinds = new Set(first.map(({ step }) => step.do))
    assert.equal(kinds.size, 28)
  })
})

function stepsOf(seed: number): { step: Step; now: number }[] {
  const generator = new Generator(seed)
  const model = new Model(generator.setup)
  return Array.from({ length: 2_000 }, () => {
    const next = generator.next(model)
    model.step(next.step, next.now)
    return next
  })
}

describe('a price band in the model', () => {
  const priceBand = { maxMove: 1_000, suspendOnBand: true }

  /** The last price is 4000; ann sells ten shares at each of the prices. */
  function openBanded(...asks: readonly number[]): Model {
    const model = openModel()
    place(model, { player: 'ann', side: 'SELL', shares: 1_000, price: 4_000 })
    place(model, { player: 'bob', shares: 1_000, price: 4_000 })
    apply(model, { do: 'edit', operator: 0, market: 0, changes: { priceBand } })
    for (const price of asks) place(model, { player: 'ann', side: 'SELL', shares: 1_000, price })
    return model
  }

  test('cuts an order where it ends, and suspends the market last', () => {
    const model = openBanded(5_000, 5_001)
    const result = place(model, { player: 'bob', shares: 1_500, price: 6_000 })
    assert.equal(result.reject, null)
    const [cancelled] = eventsOf(result, 'ORDER_CANCELLED')
    assert.deepEqual([cancelled!.cancelledShares, cancelled!.reason], [5, 'PRICE_BAND'])
    assert.equal(typesOf(result).at(-1), 'MARKET_STATUS_CHANGED')
  })

  test('rejects an order that meets only what is outside, and lets others rest', () => {
    const model = openBanded(5_001)
    assert.equal(place(model, { player: 'bob', shares: 100, price: 5_000 }).reject, null)
    const result = place(model, { player: 'bob', shares: 100, price: 5_001 })
    assert.equal(result.reject, 'ORDER_OUTSIDE_BAND')
    assert.deepEqual(typesOf(result), ['ORDER_PLACED', 'MARKET_STATUS_CHANGED'])
  })
})

describe('an order by amount in the model', () => {
  const order = { player: 'bob', type: 'MARKET', shares: 0 } as const

  /** Ann sells ten shares at 0.5 and ten at 0.6; the fee is 2 %. */
  function openWithAsks(): Model {
    const model = openModel()
    place(model, { player: 'ann', side: 'SELL', shares: 1_000, price: 5_000 })
    place(model, { player: 'ann', side: 'SELL', shares: 1_000, price: 6_000 })
    return model
  }

  test('takes the hundredths that it pays for with their fee', () => {
    // 10 x 0.5 x 1.02 = 5.1, and 3.92 x 0.6 x 1.02 = 2.39904 of the 2.4 that are left.
    const result = place(openWithAsks(), { ...order, amount: 7_500_000 })
    const [placed] = eventsOf(result, 'ORDER_PLACED')
    assert.deepEqual(
      [placed!.shares, placed!.filledShares, placed!.status],
      [13.92, 13.92, 'FILLED'],
    )
  })

  test('is cancelled where the offers end, and filled where less than a hundredth is left', () => {
    // All cost 11.22, and one hundredth more 0.00612.
    const statusOf = (amount: number) =>
      eventsOf(place(openWithAsks(), { ...order, amount }), 'ORDER_PLACED')[0]!.status
    assert.deepEqual([11_226_119, 11_226_120].map(statusOf), ['FILLED', 'CANCELLED'])
  })
})
