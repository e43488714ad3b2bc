// Many orders cancelled at once: which, how many, and the events.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newExchange, participant } from '../../../test/support/core/exchange.ts'

test('open orders are cancelled in the order in which they are named, and counted', () => {
  const exchange = newExchange()
  exchange.mint('sam', 10)
  const ids = [
    exchange.buy('ann', 10, 0.4),
    exchange.sell('sam', 6, 0.6, { outcome: 1 }),
    exchange.buy('ann', 10, 0.3),
  ].map(({ placement }) => placement!.order.id)
  const { cancelled, events } = exchange.cancelMany([ids[2]!, ids[1]!, ids[0]!])
  assert.equal(cancelled, 3)
  const published = events.flatMap(({ payload }) => ('reason' in payload ? [payload] : []))
  assert.deepEqual(
    published.map((payload) => ('orderId' in payload ? payload.orderId : null)),
    [ids[2], ids[1], ids[0]],
  )
  assert.deepEqual(
    events.map(({ eventType }) => eventType).slice(3),
    ['ORDER_BOOK_UPDATE', 'ORDER_BOOK_UPDATE', 'PRICE_UPDATED', 'PRICE_UPDATED'],
    'one word for each book',
  )
  assert.equal(exchange.sell('sam', 10, 0.6, { outcome: 1 }).code, null, 'nothing is reserved')
})

test('what is closed, unknown, named twice or of another operator is passed over', () => {
  const exchange = newExchange()
  const own = exchange.buy('ann', 10, 0.4).placement!.order.id
  const closed = exchange.buy('ann', 10, 0.4).placement!.order.id
  exchange.cancel(closed)
  const foreign = exchange.buy('gil', 10, 0.4, { operator: participant }).placement!.order.id
  const { cancelled } = exchange.cancelMany([closed, own, foreign, exchange.market().id, own])
  assert.equal(cancelled, 1)
  assert.equal(exchange.cancel(foreign, participant).code, null, 'it is still there')
})

test('where nothing is open, nothing has happened', () => {
  const exchange = newExchange()
  const { commandSequence } = exchange.core
  const { cancelled, events } = exchange.cancelMany(['nothing'])
  assert.deepEqual([cancelled, events.length], [0, 0])
  assert.equal(exchange.core.commandSequence, commandSequence)
})

test('orders of several markets are cancelled together, in any state of theirs', () => {
  const exchange = newExchange()
  const first = exchange.buy('ann', 10, 0.4).placement!.order.id
  exchange.manage('suspend')
  exchange.createMarket()
  exchange.manage('open')
  const second = exchange.buy('ann', 10, 0.4).placement!.order.id
  exchange.manage('close')
  const { cancelled, events } = exchange.cancelMany([first, second])
  assert.equal(cancelled, 2)
  assert.equal(new Set(events.map(({ marketId }) => marketId)).size, 2)
})
