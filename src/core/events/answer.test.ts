// What the caller of a command gets: whole orders and trades, in steps and in public ids.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  newExchange,
  participant,
  startMs,
  type TestExchange,
} from '../../../test/support/core/exchange.ts'

/** With 100 shares of each outcome for ann. */
function exchangeWithShares(): TestExchange {
  const exchange = newExchange()
  exchange.mint('ann', 100)
  return exchange
}

test('an answer has the whole order, in steps and with public ids', () => {
  const exchange = exchangeWithShares()
  exchange.sell('ann', 4, 0.5)
  const expiresAt = startMs + 60_000
  const options = { operator: participant, expiresAt, transactionId: 'tx-1' }
  const { order } = exchange.buy('bob', 10, 0.6, options).placement!
  const { id, ...rest } = order
  assert.equal(exchange.core.ids.serialOf(id), exchange.save().orders[0]!.serial)
  assert.deepEqual(rest, {
    marketId: exchange.market().id,
    outcomeId: exchange.market().books[0]!.id,
    operatorId: participant,
    playerId: 'bob',
    side: 'BUY',
    type: 'LIMIT',
    shares: 1_000,
    price: 6_000,
    filled: 400,
    cost: 2_000_000,
    remaining: 600,
    status: 'PARTIAL',
    options: { timeInForce: 'GTC', isPostOnly: false, selfTradePrevention: 'NONE' },
    transactionId: 'tx-1',
    orderGroupId: null,
    expiresAt,
    createdAt: startMs,
    updatedAt: startMs,
  })
})

for (const incoming of ['BUY', 'SELL'] as const) {
  test(`a trade names both orders and operators when the ${incoming} comes last`, () => {
    const exchange = exchangeWithShares()
    const buy = () => exchange.buy('bob', 4, 0.5, { operator: participant })
    const sell = () => exchange.sell('ann', 4, 0.5)
    const [resting, last] = incoming === 'BUY' ? [sell(), buy()] : [buy(), sell()]
    const [bought, sold] = incoming === 'BUY' ? [last, resting] : [resting, last]
    const { id, ...trade } = last.placement!.trades[0]!
    assert.notEqual(exchange.core.ids.serialOf(id), null)
    assert.deepEqual(trade, {
      marketId: exchange.market().id,
      outcomeId: exchange.market().books[0]!.id,
      buyOrderId: bought.placement!.order.id,
      sellOrderId: sold.placement!.order.id,
      buyerOperatorId: participant,
      sellerOperatorId: 'house',
      price: 5_000,
      shares: 400,
      buyerFee: 400_000_000,
      sellerFee: 400_000_000,
      buyerRole: incoming === 'BUY' ? 'TAKER' : 'MAKER',
      sellerRole: incoming === 'BUY' ? 'MAKER' : 'TAKER',
      kind: 'DIRECT',
      matchId: null,
      createdAt: startMs,
    })
  })
}

test('a cancelled order is answered with nothing remaining and its fills kept', () => {
  const exchange = exchangeWithShares()
  const { order: placed } = exchange.buy('bob', 10, 0.5).placement!
  exchange.sell('ann', 4, 0.5)
  exchange.wait(5)
  assert.deepEqual(exchange.cancel(placed.id).order, {
    ...placed,
    status: 'CANCELLED',
    filled: 400,
    cost: 2_000_000,
    remaining: 0,
    updatedAt: startMs + 5,
  })
})
