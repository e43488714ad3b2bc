// The open BUY orders of limited players are counted from their first limit on, through everything
// that changes them; check compares the counts with the books.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newExchange, type TestExchange } from '../../../test/support/core/exchange.ts'
import { check } from '../snapshot/check.ts'

/** In hundredths; null where nothing is counted. */
function counted(exchange: TestExchange, playerId: string): number | null {
  check(exchange.core)
  const player = exchange.operator('house').players.get(playerId)!
  const { books } = exchange.core.market(exchange.marketSerial)!
  return player.openBuys?.shares(books[0]!.handle) ?? null
}

test('nothing is counted of players without a limit', () => {
  const exchange = newExchange()
  exchange.buy('ann', 5, 0.1)
  exchange.buy('bob', 5, 0.1)
  exchange.limit('ann', { maxOrderCost: null })
  assert.deepEqual([counted(exchange, 'ann'), counted(exchange, 'bob')], [null, null])
  exchange.limit('ann', { maxOrderCost: 5_000_000 })
  assert.deepEqual([counted(exchange, 'ann'), counted(exchange, 'bob')], [500, null])
  exchange.limit(null, { maxOrderCost: 5_000_000 })
  assert.deepEqual([counted(exchange, 'ann'), counted(exchange, 'bob')], [500, 500])
  exchange.limit('ann', { maxOrderCost: null })
  assert.deepEqual([counted(exchange, 'ann'), counted(exchange, 'bob')], [null, 500])
  exchange.limit(null, null)
  exchange.limit('ann', null)
  assert.deepEqual([counted(exchange, 'ann'), counted(exchange, 'bob')], [null, null])
})

test('orders are counted as they come, are filled, amended, cancelled and expire', () => {
  const exchange = newExchange()
  exchange.limit('ann', { maxOutcomeShares: 100_000 })
  exchange.mint('bob', 20)
  const { id } = exchange.buy('ann', 10, 0.3).placement!.order
  assert.equal(counted(exchange, 'ann'), 1_000)
  exchange.sell('bob', 4, 0.3)
  assert.equal(counted(exchange, 'ann'), 600)
  exchange.amend(id, { shares: 8 })
  assert.equal(counted(exchange, 'ann'), 400)
  exchange.amend(id, { shares: 9, price: 0.4 })
  assert.equal(counted(exchange, 'ann'), 500)
  exchange.restart()
  assert.equal(counted(exchange, 'ann'), 500)
  exchange.buy('ann', 2, 0.1, { expiresAt: exchange.now + 1_000 })
  assert.equal(counted(exchange, 'ann'), 700)
  exchange.wait(1_000)
  assert.equal(counted(exchange, 'ann'), 500)
  exchange.cancel(id)
  assert.equal(counted(exchange, 'ann'), 0)
})

test('only the first limit of a player searches the books', () => {
  const exchange = newExchange()
  for (let at = 0; at < 100; at += 1) exchange.buy(at % 2 === 0 ? 'ann' : 'bob', 1, 0.1)
  const visits = (act: () => unknown) => {
    const { visits } = exchange.core
    act()
    return exchange.core.visits - visits
  }
  const limits = { maxOutcomeShares: 5_100 }
  assert.ok(visits(() => exchange.limit('ann', limits)) >= 99)
  assert.equal(
    visits(() => exchange.limit('ann', { maxMarketCost: 1, ...limits })),
    0,
  )
  assert.equal(
    visits(() => exchange.limit('ann', limits)),
    0,
  )
  assert.equal(
    visits(() => assert.equal(exchange.buy('ann', 1, 0.1).code, null)),
    0,
  )
  assert.equal(
    visits(() => assert.equal(exchange.buy('ann', 1, 0.1).code, 'LIMIT_EXCEEDED')),
    0,
  )
})

test('a player that was forgotten and comes back has the limits of its operator', () => {
  const exchange = newExchange()
  exchange.limit(null, { maxOutcomeShares: 1_000 })
  assert.equal(exchange.buy('ann', 10, 0.3).code, null)
  assert.equal(counted(exchange, 'ann'), 1_000)
  exchange.restart()
  assert.equal(exchange.buy('ann', 1, 0.3).code, 'LIMIT_EXCEEDED')
  exchange.manage('cancel')
  exchange.continueJob()
  exchange.restart()
  exchange.createMarket()
  exchange.manage('open')
  assert.equal(exchange.buy('ann', 10, 0.3).code, null)
  assert.equal(exchange.buy('ann', 1, 0.3).code, 'LIMIT_EXCEEDED')
  check(exchange.core)
})
