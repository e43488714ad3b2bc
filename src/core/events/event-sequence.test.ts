// The numbers of events: each operator can detect that it missed one, and each
// reader of a book that it missed a version.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newExchange } from '../../../test/support/core/exchange.ts'
import { assertSameEvents, busyMarkets, Traffic } from '../../../test/support/core/traffic.ts'
import type { OrderBookUpdate } from './event-payload.ts'

function groupedBy<Item>(items: readonly Item[], key: (item: Item) => string): Item[][] {
  return [...Map.groupBy(items, key).values()]
}

describe('over 2,000 commands', () => {
  const scene = busyMarkets()
  const turns = new Traffic(scene, 77).run(2_000)
  const { events } = scene.exchange

  test('the sequence of each operator counts 1, 2, 3 without a gap', () => {
    const byOperator = groupedBy(events, ({ operatorId }) => operatorId)
    assert.equal(byOperator.length, 3)
    assert(turns.filter(({ reject }) => reject !== null).length > 100)
    for (const own of byOperator) {
      assert(own.length > 1_000)
      own.forEach(({ sequence }, at) => {
        assert.equal(sequence, at + 1)
      })
    }
  })

  test('the version of each book counts 1, 2, 3 without a gap', () => {
    const updates = events.flatMap(({ payload }) => ('version' in payload ? [payload] : []))
    const byBook = groupedBy(updates, ({ outcomeId }) => outcomeId)
    assert.equal(byBook.length, 4)
    for (const own of byBook) {
      own.forEach(({ version }, at) => {
        assert.equal(version, at + 1)
      })
    }
  })

  test('the published levels add up to the book', () => {
    const books = scene.markets.flatMap((market) => scene.exchange.market(market).books)
    for (const { id, serial } of books) {
      const updates = events.flatMap(({ payload }) =>
        'version' in payload && payload.outcomeId === id ? [payload] : [],
      )
      const open = scene.exchange
        .save()
        .orders.filter(({ outcomeSerial }) => outcomeSerial === serial)
      for (const [side, name] of [
        ['BUY', 'bids'],
        ['SELL', 'asks'],
      ] as const) {
        const levels = new Map<number, number>()
        for (const order of open.filter((order) => order.side === side)) {
          const price = order.price / 10_000
          levels.set(price, (levels.get(price) ?? 0) + order.shares - order.filled)
        }
        assert.deepEqual(levelsAfter(updates, name), levels)
      }
    }
  })

  test('no two events have the same id', () => {
    assert.equal(new Set(events.map(({ id }) => id)).size, events.length)
  })
})

/** Shares by price, in hundredths, as a reader of the updates would know them. */
function levelsAfter(updates: readonly OrderBookUpdate[], side: 'bids' | 'asks') {
  const levels = new Map<number, number>()
  for (const { price, shares, orderCount } of updates.flatMap((update) => update[side])) {
    assert.equal(shares === 0, orderCount === 0)
    if (shares === 0) levels.delete(price)
    else levels.set(price, Math.round(shares * 100))
  }
  return levels
}

test('a rejected command uses no number and publishes nothing', () => {
  const exchange = newExchange()
  const before = exchange.operator('house').eventSequence
  const rejected = [
    exchange.buy('bob', 0.5, 0.5),
    exchange.sell('bob', 1, 0.5),
    exchange.cancel(''),
    exchange.redeem('bob', 1),
    exchange.manage('resume'),
    exchange.editMarket({ title: 'Another' }),
    exchange.createMarket({ currency: 'EUR' }),
    exchange.settle(),
    exchange.retrySettlements(),
  ]
  assert(rejected.every(({ reject, events }) => reject !== null && events.length === 0))
  assert.equal(exchange.operator('house').eventSequence, before)
})

test('a number goes on after a restart', () => {
  const exchange = newExchange()
  exchange.buy('bob', 1, 0.5)
  const last = exchange.events.at(-1)!.sequence
  exchange.restart()
  assert.equal(exchange.buy('bob', 1, 0.5).events[0]!.sequence, last + 1)
})

test('the same commands publish the same events in one turn and in several', () => {
  const [alone, together] = [busyMarkets(), busyMarkets()]
  const [one, many] = [new Traffic(alone, 5), new Traffic(together, 5)]
  for (let turn = 0; turn < 40; turn += 1) {
    for (let step = 0; step < 25; step += 1) one.step()
    together.exchange.together(() => {
      for (let step = 0; step < 25; step += 1) many.step()
    })
    for (const { exchange } of [alone, together]) exchange.wait(100)
  }
  assertSameEvents(together.exchange, alone.exchange)
  assert.equal(together.exchange.hash, alone.exchange.hash)
})
