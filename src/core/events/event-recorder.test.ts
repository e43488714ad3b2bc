// Event records before they are expanded: what is written, for which operator, and what is not.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  house,
  newExchange,
  participant,
  startMs,
  TestExchange,
} from '../../../test/support/core/exchange.ts'
import { busyMarkets, Traffic } from '../../../test/support/core/traffic.ts'
import type { LevelChanged } from '../state/facts.ts'
import type { Book } from '../state/market.ts'
import { eventTypes } from '../words.ts'
import type { Field } from './event-body.ts'
import type { OrderCancelled } from './event-payload.ts'
import { expand, storedRecordOf } from './events.ts'
import { writeOrderBookUpdate } from './market-events.ts'

// Each step at a time of its own, so that the ages of things differ.
function wholeLife(): TestExchange {
  const exchange = new TestExchange()
  const at = (ms: number) => exchange.wait(startMs + ms - exchange.now)
  at(1)
  exchange.createMarket({ isShared: true, categoryId: 'weather' })
  at(20)
  exchange.manage('open')
  at(300)
  exchange.mint('ann', 20)
  at(4_000)
  exchange.sell('ann', 12, 0.5, { transactionId: 'offer' })
  exchange.sell('ann', 5, 0.55)
  at(50_000)
  exchange.buy('gil', 15, 'market', { operator: participant, transactionId: 'bid' })
  at(600_000)
  const { order } = exchange.buy('gil', 4, 0.25, { operator: participant }).placement!
  at(7_000_000)
  exchange.cancel(order.id, participant)
  exchange.settleWhole()
  return exchange
}

test('a whole life is written as stores have it: the receiver, the time, the body', () => {
  const written = wholeLife().eventRecords.map(
    ({ operator, createdAt, body }) =>
      `${operator.id} ${createdAt - startMs} ${JSON.stringify(body)}`,
  )
  assert.deepEqual(written, [
    'house 1 [0,"Will it rain?","USD","weather",2,1,"Yes",2,"No"]',
    'house 20 [1,null,0,2,null]',
    'house 300 [8,5,0,1,"ann",2000,10000000,0,8,6,0,2,"ann",2000,10000000,0]',
    'house 4000 [37,7,0,1,1,1200,5000,0,0,"ann","offer",3,1,1,0,5000,0,1,5000,1200,1,4,1,0,5000,0]',
    'house 4000 [37,8,0,1,1,500,5500,0,0,"ann",null,3,1,2,0,5000,0,1,5500,500,1]',
    'participant 50000 [37,9,0,1,0,1500,0,2,1500,"gil","bid",' +
      '38,9,0,1,0,10,5000,1200,1200,300,1,1200000000,0,' +
      '38,9,0,1,0,12,5500,300,1500,0,1,330000000,0,8,11,0,1,"gil",1500,7650000,0]',
    'house 50000 [38,7,46000,1,1,10,5000,1200,1200,0,0,1200000000,"ann","offer",' +
      '38,8,46000,1,1,12,5500,300,300,200,0,330000000,"ann",null,' +
      '8,5,49700,1,"ann",500,2500000,150000,3,1,3,0,5500,0,2,5000,0,0,5500,200,1,4,1,0,5500,5500]',
    'participant 600000 [37,13,0,1,0,400,2500,0,0,"gil",null]',
    'house 600000 [3,1,4,2500,5500,1,2500,400,1,0,4,1,2500,5500,5500]',
    'participant 7000000 [39,13,6400000,1,0,2500,0,400,3,0,"gil",null]',
    'house 7000000 [3,1,5,0,5500,1,2500,0,0,0,4,1,0,5500,5500]',
    'house 7000000 [1,null,2,4,null]',
    'participant 7000000 [1,"house",2,4,null]',
    'house 7000000 [1,null,4,5,null,2,null,1,"The press","At noon"]',
    'participant 7000000 [1,"house",4,5,null,2,"house",1,"The press","At noon"]',
    'house 7000000 [39,8,6996000,1,1,5500,300,200,3,5,"ann",null,' +
      '3,1,6,0,0,0,1,5500,0,0,4,1,0,0,5500]',
    'house 7000000 [9,14,0,5,6999700,1,"ann",500,10000,2,9,15,0,6,6999700,2,"ann",2000,0,2,' +
      '1,null,5,6,null]',
    'participant 7000000 [9,16,0,11,6950000,1,"gil",1500,10000,2,1,"house",5,6,null]',
  ])
})

test('a command with many events has several records, without a gap between them', () => {
  const exchange = newExchange()
  exchange.mint('ann', 500)
  for (let order = 0; order < 150; order += 1) exchange.sell('ann', 1, 0.5)
  const before = exchange.eventRecords.length
  exchange.buy('gil', 150, 0.5, { operator: participant })
  const published = exchange.eventRecords.slice(before)
  for (const operator of [house, participant]) {
    const own = published.filter((eventRecord) => eventRecord.operator.id === operator)
    const counts = own.map(({ count }) => count)
    const sum = counts.reduce((total, count) => total + count, 0)
    assert.equal(counts.length, 2, operator)
    assert.ok(Math.max(...counts) <= 102, operator)
    assert.equal(own[1]!.firstSequence, own[0]!.firstSequence + own[0]!.count)
    // The order; 150 matches; a position; and for the owner its book and the prices of it.
    assert.equal(sum, operator === house ? 150 + 1 + 2 : 1 + 150 + 1)
    const events = own.flatMap((eventRecord) =>
      expand(exchange.core.ids, storedRecordOf(eventRecord)),
    )
    const first = own[0]!.firstSequence
    assert.deepEqual(
      events.map(({ sequence }) => sequence),
      Array.from({ length: sum }, (_, at) => first + at),
    )
  }
})

test('events of books and of their prices are never in two records', () => {
  for (let orders = 95; orders <= 101; orders += 1) {
    const exchange = newExchange()
    exchange.mint('ann', 500)
    for (let order = 0; order < orders; order += 1) exchange.sell('ann', 1, 0.5)
    const before = exchange.eventRecords.length
    exchange.buy('gil', orders, 0.5, { operator: participant })
    const seen = exchange.eventRecords.slice(before).filter(({ types }) => (types & 0b11000) !== 0)
    assert.deepEqual(
      seen.map(({ types }) => types & 0b11000),
      [0b11000],
    )
  }
})

test('sums past 2^53 are written to the last digit', () => {
  const exchange = newExchange()
  exchange.mint('ann', 1)
  const records = exchange.save()
  records.markets[0]!.setsMinted = 2n ** 50n
  for (const position of records.positions) {
    position.shares = 2 ** 50
    position.cost = 2n ** 62n + 1n
    position.profit = -(2n ** 61n) - 1n
  }
  exchange.restart(records)
  exchange.mint('ann', 1)
  const [, , , player, ...quantities] = exchange.eventRecords.at(-1)!.body.slice(1)
  assert.equal(player, 'ann')
  const cost = 2n ** 62n + 1n + 500_000n
  const shares = 2 ** 50 + 100
  assert.deepEqual(quantities.slice(0, 3), [shares, `${cost}`, `${-(2n ** 61n) - 1n}`])
})

describe('over 2,000 commands of three operators', () => {
  const scene = busyMarkets()
  new Traffic(scene, 4_217).run(2_000)
  const { core, eventRecords } = scene.exchange

  test('a record counts its events and names their types', () => {
    for (const eventRecord of eventRecords) {
      const events = expand(core.ids, storedRecordOf(eventRecord))
      const types = events.map(({ eventType }) => 1 << eventTypes.indexOf(eventType))
      assert.equal(eventRecord.count, events.length)
      assert.equal(
        eventRecord.types,
        types.reduce((all, bit) => all | bit, 0),
      )
    }
  })

  test('the records of an operator follow each other without a gap', () => {
    const next = new Map<string, number>()
    for (const { operator, firstSequence, count } of eventRecords) {
      assert.equal(firstSequence, next.get(operator.id) ?? 1)
      next.set(operator.id, firstSequence + count)
    }
    assert.deepEqual(
      [...next].map(([id, sequence]) => [id, sequence - 1]),
      [...next.keys()].map((id) => [id, core.operator(id)!.eventSequence]),
    )
  })
})

test('one command makes one record for each operator, in whichever order their events come', () => {
  const exchange = newExchange()
  exchange.mint('ann', 50)
  for (const price of [0.5, 0.51, 0.52]) exchange.sell('ann', 4, price)
  const before = exchange.eventRecords.length
  exchange.together(() => {
    exchange.buy('gil', 6, 0.51, { operator: participant })
    exchange.buy('gil', 6, 0.52, { operator: participant })
  })
  assert.deepEqual(
    exchange.eventRecords.slice(before).map(({ operator }) => operator.id),
    [participant, house, participant, house],
  )
})

test('an update lists the changed levels best first, each as it was at the end', () => {
  const exchange = newExchange()
  const [book] = exchange.market().books as [Book]
  const changes = [
    [book.asks, 5_500, 1],
    [book.asks, 5_700, 2],
    [book.bids, 4_000, 3],
    [book.asks, 5_400, 4],
    [book.bids, 4_200, 5],
    [book.asks, 5_600, 6],
    [book.asks, 5_500, 7],
    [book.bids, 4_100, 8],
  ] as const
  const levels = changes.map(
    ([side, price, shares]): LevelChanged => ({
      kind: 'LEVEL',
      side,
      price,
      shares,
      orderCount: 1,
    }),
  )
  const changed = { kind: 'BOOK', book, bestBid: 4_200, bestAsk: 5_400, lastPrice: 0 } as const
  const body: Field[] = []
  writeOrderBookUpdate(body, changed, [...levels, changed])
  const [bids, asks] = [body.slice(5, 14), body.slice(15)]
  assert.deepEqual(bids, [4_200, 5, 1, 4_100, 8, 1, 4_000, 3, 1])
  assert.deepEqual(asks, [5_400, 4, 1, 5_500, 7, 1, 5_600, 6, 1, 5_700, 2, 1])
})

test('in the first form, the events of orders are those that earlier versions read', () => {
  const exchange = newExchange()
  exchange.eventForm = 0
  exchange.mint('ann', 10)
  exchange.sell('ann', 4, 0.5, { transactionId: 'offer' })
  exchange.buy('bob', 5, 'market', { transactionId: 'bid' })
  const bodies = exchange.eventRecords.slice(-2).map(({ body }) => JSON.stringify(body))
  assert.deepEqual(bodies, [
    '[5,7,0,1,1,400,5000,0,0,3,1,1,0,5000,0,1,5000,400,1,4,1,0,5000,0]',
    '[5,8,0,1,0,500,0,3,400,6,8,0,1,0,9,5000,400,400,100,6,7,0,1,1,9,5000,400,400,0,' +
      '7,8,0,1,0,"bob",0,400,100,3,2,8,5,0,1,"ann",600,3000000,0,8,10,0,1,"bob",400,2000000,0,' +
      '3,1,2,0,0,0,1,5000,0,0,4,1,0,0,5000]',
  ])
})

test('a record contains neither orders nor players of another operator', () => {
  const exchange = newExchange()
  exchange.mint('ann', 50)
  const owners = new Map<unknown, string>()
  for (const [operator, player] of [
    [house, 'ann'],
    [participant, 'gil'],
    [house, 'bob'],
    [participant, 'gus'],
  ] as const) {
    owners.set(player, operator)
    const side = player === 'ann' ? 'sell' : 'buy'
    for (const price of [0.5, 0.51, 0.52]) {
      const transactionId = `${player} ${price}`
      const { order } = exchange[side](player, 4, price, { operator, transactionId }).placement!
      owners.set(order.id, operator)
      owners.set(transactionId, operator)
    }
  }
  exchange.settleWhole()
  for (const { operatorId, payload } of exchange.events) {
    const about = payload as Partial<OrderCancelled>
    for (const mentioned of [about.orderId, about.playerId, about.transactionId]) {
      if (mentioned !== undefined) assert.equal(owners.get(mentioned), operatorId)
    }
  }
  for (const { operator, body } of exchange.eventRecords) {
    for (const field of body) assert.equal(owners.get(field) ?? operator.id, operator.id)
  }
})
