// Orders by amount: what they take, what they spend, and how they end. The simulator compares them
// with the naive model.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  newExchange,
  type OrderOptions,
  type Placed,
  type TestExchange,
} from '../../../test/support/core/exchange.ts'
import { linearFees } from '../fee.ts'
import type { FeeRate } from '../money.ts'
import type { Rules } from '../state/exchange.ts'
import type { CancelReason, OrderStatus } from '../words.ts'
import type { OrderOptions as Options } from './options.ts'

type Setup = { readonly feePercent?: number; readonly rules?: Partial<Rules> }

/** With asks of 4 and 6 at 0.5 and 10 at 0.6, and no fee unless said otherwise. */
function exchangeWithAsks({ feePercent = 0, rules = {} }: Setup = {}): TestExchange {
  const exchange = newExchange()
  exchange.putOperator('house', feePercent)
  exchange.mint('ann', 100)
  exchange.sell('ann', 4, 0.5)
  exchange.sell('ann', 6, 0.5)
  exchange.sell('ann', 10, 0.6)
  exchange.restart(exchange.save(), rules)
  return exchange
}

type Order = OrderOptions & { readonly limit?: number; readonly player?: string }

/** A MARKET order unless it has a limit; then it is IOC. */
function buyFor(exchange: TestExchange, amount: number, order: Order = {}): Placed {
  const { limit, player = 'bob', options, ...more } = order
  const timed: Partial<Options> = limit === undefined ? {} : { timeInForce: 'IOC' }
  return exchange.buy(player, 0, limit ?? 'market', {
    ...more,
    amount,
    options: { ...timed, ...options },
  })
}

const fok = { timeInForce: 'FOK' } as const

type End = readonly [
  status: OrderStatus,
  filled: number,
  spent: number,
  reason: CancelReason | null,
]

/** As people write them. */
function endOf({ events, placement }: Placed): End {
  const { order } = placement!
  assert.equal(order.shares, order.filled, 'its shares are those that it has filled')
  assert.equal(order.remaining, 0)
  const own = events.filter(({ payload }) => 'orderId' in payload && payload.orderId === order.id)
  const reasons = own.flatMap(({ payload }) => ('reason' in payload ? [payload.reason] : []))
  const reason = (reasons[0] ?? null) as CancelReason | null
  return [order.status, order.filled / 100, order.spending!.spent / 1e10, reason]
}

describe('an order by amount', () => {
  test('takes the best price first, down to a hundredth of a share', () => {
    // 10 x 0.5 leave 2.503, which pay for 4.17 x 0.6 = 2.502.
    assert.deepEqual(endOf(buyFor(exchangeWithAsks(), 7.503)), ['FILLED', 14.17, 7.502, null])
  })

  test('spends fees and all, to the last micro-unit', () => {
    const exchange = exchangeWithAsks({ feePercent: 2 })
    // One share costs 0.51, and one hundredth more would cost 0.0051.
    assert.deepEqual(endOf(buyFor(exchange, 0.515099)), ['FILLED', 1, 0.51, null])
    assert.deepEqual(endOf(buyFor(exchange, 0.5151)), ['FILLED', 1.01, 0.5151, null])
  })

  test('is cancelled where the liquidity ends, unless too little is left for a hundredth', () => {
    // 5 + 6 = 11, and a hundredth costs 0.006.
    assert.deepEqual(endOf(buyFor(exchangeWithAsks(), 11)), ['FILLED', 20, 11, null])
    assert.deepEqual(endOf(buyFor(exchangeWithAsks(), 11.005999)), ['FILLED', 20, 11, null])
    const left = endOf(buyFor(exchangeWithAsks(), 11.006))
    assert.deepEqual(left, ['CANCELLED', 20, 11, 'IMMEDIATE'])
  })

  test('is cancelled at its limit, unless too little is left', () => {
    const at = (amount: number) => endOf(buyFor(exchangeWithAsks(), amount, { limit: 0.55 }))
    assert.deepEqual(at(5.004999), ['FILLED', 10, 5, null])
    assert.deepEqual(at(5.005), ['CANCELLED', 10, 5, 'IMMEDIATE'])
  })

  test('is filled where the next price is more than the rest', () => {
    // 0.0055 would pay for a hundredth at 0.5 and not at 0.6.
    assert.deepEqual(endOf(buyFor(exchangeWithAsks(), 5.0055)), ['FILLED', 10, 5, null])
  })

  test('has no more shares than the largest order', () => {
    const rules = { sharesMax: 1_200 } as Partial<Rules>
    const most = endOf(buyFor(exchangeWithAsks({ rules }), 12))
    assert.deepEqual(most, ['CANCELLED', 12, 6.2, 'IMMEDIATE'])
    assert.equal(buyFor(exchangeWithAsks({ rules }), 12.000001).code, 'VALIDATION_ERROR')
  })

  test('is rejected if it takes nothing, MARKET, IOC or FOK', () => {
    const exchange = exchangeWithAsks()
    const cheap = buyFor(exchange, 10, { limit: 0.49 })
    assert.equal(cheap.code, 'ORDER_NO_LIQUIDITY')
    assert.deepEqual(endOf(cheap), ['REJECTED', 0, 0, null])
    assert.equal(buyFor(newExchange(), 10).code, 'ORDER_NO_LIQUIDITY')
    // 0.01 does not pay for a hundredth at 0.0099 with 2 % of it.
    const dear = newExchange()
    dear.mint('ann', 1)
    dear.sell('ann', 1, 0.99)
    assert.equal(buyFor(dear, 0.01).code, 'ORDER_NO_LIQUIDITY')
    const whole = buyFor(dear, 0.01, { limit: 0.99, options: fok })
    assert.equal(whole.code, 'ORDER_NO_LIQUIDITY', 'also one that is FOK')
    assert.equal(endOf(buyFor(dear, 0.010098))[0], 'FILLED')
  })

  test('is filled or rejected if it is FOK', () => {
    const exchange = exchangeWithAsks()
    const at = (amount: number) => buyFor(exchange, amount, { limit: 0.55, options: fok })
    const before = exchange.hash
    const tooMuch = at(5.005)
    assert.equal(tooMuch.code, 'ORDER_NO_LIQUIDITY')
    assert.deepEqual(endOf(tooMuch), ['REJECTED', 0, 0, null])
    assert.notEqual(exchange.hash, before, 'it is stored')
    assert.deepEqual(endOf(at(5.004)), ['FILLED', 10, 5, null])
  })

  test('that is FOK is rejected if it would end at the largest number of shares', () => {
    const rules = { sharesMax: 1_200 } as Partial<Rules>
    const order = { limit: 0.6, options: fok }
    const at = (amount: number) => buyFor(exchangeWithAsks({ rules }), amount, order)
    assert.equal(at(6.3).code, 'ORDER_NO_LIQUIDITY')
    assert.deepEqual(endOf(at(6.2)), ['FILLED', 12, 6.2, null])
  })

  test('pays the synthetic price of complete sets', () => {
    const exchange = newExchange({ hasCompleteSetMatching: true })
    exchange.putOperator('house', 0)
    exchange.buy('ann', 10, 0.7, { outcome: 1 })
    exchange.buy('ann', 10, 0.6, { outcome: 1 })
    // 10 x 0.3, and 2 / 0.4.
    assert.deepEqual(endOf(buyFor(exchange, 5)), ['FILLED', 15, 5, null])
  })

  test('ends at as many trades as an order may make', () => {
    const rules = { orderFillsMax: 2 }
    const end = endOf(buyFor(exchangeWithAsks({ rules }), 7))
    assert.deepEqual(end, ['CANCELLED', 10, 5, 'FILL_LIMIT'])
    assert.deepEqual(endOf(buyFor(exchangeWithAsks({ rules }), 5)), ['FILLED', 10, 5, null])
  })
})

describe('an order by amount that meets its own player', () => {
  test('stops there, or is filled before it', () => {
    const order = { player: 'ann', options: { selfTradePrevention: 'CANCEL_NEWEST' } } as const
    const exchange = exchangeWithAsks()
    exchange.mint('bob', 10)
    exchange.sell('bob', 1, 0.4)
    const stopped = endOf(buyFor(exchange, 1, order))
    assert.deepEqual(stopped, ['CANCELLED', 1, 0.4, 'SELF_TRADE'])
    exchange.sell('bob', 1, 0.4)
    assert.deepEqual(endOf(buyFor(exchange, 0.404, order)), ['FILLED', 1, 0.4, null])
  })

  test('cancels the orders that it would pay for, and no further one', () => {
    const options = { selfTradePrevention: 'CANCEL_OLDEST' } as const
    const exchange = newExchange()
    exchange.putOperator('house', 0)
    exchange.mint('ann', 10)
    exchange.mint('bob', 10)
    exchange.sell('ann', 1, 0.4)
    exchange.sell('bob', 1, 0.5)
    exchange.sell('ann', 1, 0.6)
    const { placement, events } = buyFor(exchange, 0.505, { player: 'ann', options })
    assert.equal(placement!.order.status, 'FILLED')
    assert.equal(placement!.order.filled, 100)
    const cancelled = events.filter(({ eventType }) => eventType === 'ORDER_CANCELLED')
    assert.equal(cancelled.length, 1)
    assert.equal(exchange.save().orders.length, 1)
  })
})

describe('an order by amount with QUADRATIC fees', () => {
  test('rounds the fee of each trade, and counts a hundredth more in the same trade', () => {
    const takerRate = 777 as FeeRate
    const feeSchedule = { ...linearFees(takerRate), model: 'QUADRATIC' } as const
    const exchange = newExchange({ feeSchedule })
    exchange.mint('ann', 100)
    exchange.sell('ann', 3, 0.3333)
    exchange.sell('ann', 3, 0.3333)
    // A share costs 0.3333 + 0.3333 x 0.6667 x 0.0777 = 0.350565803247, and 3 in one trade
    // 0.9999 and a fee of 0.0517974097 after rounding.
    const one = endOf(buyFor(exchange, 1.051698))
    assert.deepEqual(one, ['FILLED', 3, 1.0516974097, null])
  })
})

describe('what is no order by amount', () => {
  test('one that may rest or sells, and an amount out of range', () => {
    const exchange = exchangeWithAsks()
    const codeOf = (placed: Placed) => {
      assert.equal(placed.placement, null)
      const { reject } = placed
      return reject?.code === 'VALIDATION_ERROR' ? reject.field : reject?.code
    }
    const gtc = { options: { timeInForce: 'GTC' } } as const
    assert.equal(codeOf(buyFor(exchange, 1, { limit: 0.5, ...gtc })), 'amount')
    assert.equal(codeOf(exchange.sell('ann', 0, 'market', { amount: 1 })), 'amount')
    assert.equal(codeOf(buyFor(exchange, 0.009999)), 'amount')
    assert.equal(codeOf(buyFor(exchange, 100_000.000001)), 'amount')
    assert.equal(endOf(buyFor(exchange, 100_000))[0], 'CANCELLED')
    exchange.sell('ann', 1, 0.5)
    assert.equal(endOf(buyFor(exchange, 0.01))[0], 'FILLED')
  })
})

test('the events of an order by amount say when it is filled', () => {
  const statuses = ({ events, placement }: Placed) =>
    events
      .filter(({ eventType }) => eventType === 'ORDER_MATCHED')
      .flatMap(({ payload }) => ('role' in payload ? [payload] : []))
      .filter(({ orderId }) => orderId === placement!.order.id)
      .map(({ filledShares, remainingShares, status }) => [filledShares, remainingShares, status])
  const filled = buyFor(exchangeWithAsks(), 8)
  assert.deepEqual(statuses(filled), [
    [4, 11, 'PARTIAL'],
    [10, 5, 'PARTIAL'],
    [15, 0, 'FILLED'],
  ])
  const cut = buyFor(exchangeWithAsks(), 8, { limit: 0.5 })
  assert.deepEqual(statuses(cut), [
    [4, 6, 'PARTIAL'],
    [10, 0, 'PARTIAL'],
  ])
})
