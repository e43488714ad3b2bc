// The numbers of a preview. The simulator compares them with what every placement then does.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  newExchange,
  type OrderOptions,
  type TestExchange,
} from '../../../test/support/core/exchange.ts'
import { priceOf, sharesOf } from '../../../test/support/core/steps.ts'
import type { Reject } from '../reject.ts'
import type { Side } from '../words.ts'
import { packOptions, usualOptions } from './options.ts'
import { type Preview, preview } from './preview.ts'

type PreviewedOrder = OrderOptions & { readonly player?: string; readonly shares: number }

function previewOf(
  exchange: TestExchange,
  side: Side,
  price: number | null,
  order: PreviewedOrder,
) {
  return preview(exchange.core, {
    operator: exchange.operator('house'),
    marketSerial: exchange.marketSerial,
    outcomeSerial: exchange.outcomeSerial(order.outcome ?? 0),
    playerId: order.player ?? 'bob',
    side,
    type: price === null ? 'MARKET' : 'LIMIT',
    shares: sharesOf(order.shares),
    price: price === null ? null : priceOf(price),
    expiresAt: null,
    options: packOptions({ ...usualOptions, ...order.options }),
    transactionId: null,
  })
}

function seen(found: Preview | Reject): Preview {
  assert.ok(!('code' in found), 'code' in found ? found.code : '')
  return found
}

/** With asks of 10 at 0.5 and 10 at 0.6, and a fee of 2 %. */
function exchangeWithAsks(): TestExchange {
  const exchange = newExchange()
  exchange.mint('ann', 100)
  exchange.sell('ann', 4, 0.5)
  exchange.sell('ann', 6, 0.5)
  exchange.sell('ann', 10, 0.6)
  return exchange
}

test('a BUY is shown its fills by price, and what its rest may cost at its limit', () => {
  const found = seen(previewOf(exchangeWithAsks(), 'BUY', 0.55, { shares: 15 }))
  assert.deepEqual(found, {
    fills: [{ price: 5_000, shares: 1_000 }],
    filled: 1_000,
    value: 5_000_000,
    fee: 1_000_000_000,
    resting: 500,
    cost: 5_000_000,
    // 5 for the fills, 2.75 for the rest, 2 % of 7.75.
    maxCost: 79_050_000_000n,
  })
})

test('a MARKET or IOC order leaves no rest to pay for', () => {
  const exchange = exchangeWithAsks()
  const whole = seen(previewOf(exchange, 'BUY', null, { shares: 25 }))
  assert.deepEqual([whole.filled, whole.resting, whole.maxCost], [2_000, 0, 112_200_000_000n])
  const options = { timeInForce: 'IOC' } as const
  const cut = seen(previewOf(exchange, 'BUY', 0.5, { shares: 25, options }))
  assert.deepEqual([cut.filled, cut.resting, cut.maxCost], [1_000, 0, 51_000_000_000n])
})

test('a SELL pays its fees and nothing else', () => {
  const exchange = exchangeWithAsks()
  exchange.buy('bob', 10, 0.4)
  const found = seen(previewOf(exchange, 'SELL', 0.3, { player: 'ann', shares: 20 }))
  assert.equal(found.cost, 0)
  assert.equal(found.value, 4_000_000)
  assert.equal(found.maxCost, 1_400_000_000n, '2 % of 4 and of 3')
})

test('what placing would reject is rejected, and names no order', () => {
  const exchange = exchangeWithAsks()
  for (const [found, reject] of [
    [previewOf(exchange, 'BUY', 0.5, { shares: 0.5 }), 'ORDER_INVALID_SHARES'],
    [previewOf(exchange, 'BUY', 0.999, { shares: 1 }), 'ORDER_INVALID_PRICE'],
    [previewOf(exchange, 'SELL', 0.5, { shares: 1 }), 'POSITION_INSUFFICIENT_SHARES'],
    [previewOf(exchange, 'BUY', null, { shares: 1, outcome: 1 }), 'ORDER_NO_LIQUIDITY'],
    [
      previewOf(exchange, 'BUY', 0.5, { shares: 1, options: { isPostOnly: true } }),
      'ORDER_WOULD_MATCH',
    ],
    [
      previewOf(exchange, 'BUY', 0.5, { shares: 11, options: { timeInForce: 'FOK' } }),
      'ORDER_NO_LIQUIDITY',
    ],
  ] as const) {
    assert.ok('code' in found)
    assert.equal(found.code, reject)
    if ('orderId' in found) assert.equal(found.orderId, null)
  }
})

test('a preview is rejected with ORDER_LIMIT when the placement would be', () => {
  const exchange = newExchange({}, { playerOrdersMax: 1 })
  exchange.buy('bob', 1, 0.1)
  const rejected = previewOf(exchange, 'BUY', 0.2, { shares: 1 })
  assert.deepEqual(rejected, { code: 'ORDER_LIMIT', holder: 'player', max: 1 })
})
