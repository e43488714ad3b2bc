// How many orders match before one that rests.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newExchange, type TestExchange } from '../../../test/support/core/exchange.ts'
import { serial } from '../../../test/support/core/steps.ts'
import { ordersOf } from './queue.ts'
import { queuePositions } from './queue-position.ts'

function place(exchange: TestExchange, player: string, shares: number, price: number): string {
  return exchange.buy(player, shares, price).placement!.order.id
}

/** Of each order: how many orders and shares are ahead of it. */
function aheadOf({ core }: TestExchange, ids: readonly string[]): (readonly number[])[] {
  const rows = ids.map((id) => core.orders.find(core.ids.serialOf(id) ?? serial(0)))
  return queuePositions(core, rows).map(({ ordersAhead, sharesAhead }) => {
    return [ordersAhead, sharesAhead / 100]
  })
}

test('counts the orders at the same price that came before, and what remains of them', () => {
  const exchange = newExchange()
  exchange.mint('sam', 100)
  place(exchange, 'ann', 7, 0.6)
  const first = place(exchange, 'ann', 10, 0.5)
  const second = place(exchange, 'bob', 5, 0.5)
  const third = place(exchange, 'ann', 2, 0.5)
  assert.deepEqual(aheadOf(exchange, [third, first, second]), [
    [2, 15],
    [0, 0],
    [1, 10],
  ])
  exchange.sell('sam', 11, 0.5)
  assert.deepEqual(aheadOf(exchange, [second, third]), [
    [1, 6],
    [2, 11],
  ])
  exchange.cancel(first)
  assert.deepEqual(aheadOf(exchange, [second, third]), [
    [0, 0],
    [1, 5],
  ])
})

test('an amendment to fewer shares keeps the place, one to more goes to the end', () => {
  const exchange = newExchange()
  const first = place(exchange, 'ann', 10, 0.5)
  const second = place(exchange, 'bob', 5, 0.5)
  exchange.amend(first, { shares: 4 })
  assert.deepEqual(aheadOf(exchange, [first, second]), [
    [0, 0],
    [1, 4],
  ])
  exchange.amend(first, { shares: 6 })
  assert.deepEqual(aheadOf(exchange, [first, second]), [
    [1, 5],
    [0, 0],
  ])
})

test('visits a level once, and no further than the last order that is asked for', () => {
  const exchange = newExchange()
  const ids = Array.from({ length: 50 }, () => place(exchange, 'ann', 1, 0.5))
  const { visits } = exchange.core
  const asked = [ids[9]!, ids[3]!, ids[9]!]
  assert.deepEqual(aheadOf(exchange, asked), [
    [9, 9],
    [3, 3],
    [9, 9],
  ])
  assert.equal(exchange.core.visits - visits, 10)
})

test('is the order in which a book matches', () => {
  const exchange = newExchange()
  for (let at = 0; at < 60; at += 1) place(exchange, 'ann', 1 + (at % 7), 0.4 + (at % 3) / 100)
  const { core } = exchange
  const rows = [...ordersOf(core, exchange.market().books[0]!.bids)]
  const positions = queuePositions(core, rows)
  assert.equal(positions.length, rows.length)
  for (const { order, ordersAhead, sharesAhead } of positions) {
    const price = core.orders.price(order)
    const level = rows.filter((row) => core.orders.price(row) === price)
    const ahead = level.slice(0, level.indexOf(order))
    assert.equal(ordersAhead, ahead.length)
    const remaining = ahead.reduce((sum, row) => sum + core.orders.remaining(row), 0)
    assert.equal(sharesAhead, remaining)
  }
})
