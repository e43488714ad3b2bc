// Who is told what of a stored turn, and what is not done for those who are not there.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  house,
  newExchange,
  participant,
  type TestExchange,
} from '../../test/support/core/exchange.ts'
import type { EventRecord } from '../core/events/events.ts'
import { type Batch, Outbox, type ToldTrade } from './outbox.ts'

function traded() {
  const exchange = newExchange({ isShared: true })
  exchange.mint('ann', 20)
  exchange.sell('ann', 5, 0.5)
  exchange.buy('gil', 5, 0.5, { operator: participant })
  const { eventRecords } = exchange
  const market = exchange.market()
  const [book] = market.books
  const marketId = market.id
  const outcomeId = book!.id
  const trade: ToldTrade = {
    ...{ marketId, outcomeId, price: 5_000, shares: 500 },
    ...{ isSellIncoming: false, createdAt: exchange.now },
  }
  return { exchange, eventRecords, trade, marketId, outcomeId }
}

function outboxOf({ exchange }: { readonly exchange: TestExchange }) {
  let encoded = 0
  const encode = (name: string) => () => {
    encoded += 1
    return Buffer.from(`${name} `)
  }
  const [book, price, trade] = ['book', 'price', 'trade'].map(encode)
  const outbox = new Outbox(exchange.core.ids, {
    ...{ book: book!, price: price!, trade: trade! },
    event: ({ sequence }) => {
      encoded += 1
      return Buffer.from(`${sequence} `)
    },
  })
  return { outbox, encoded: () => encoded }
}

class Ear {
  text = ''
  numbers: number[] = []

  take({ pieces, whole }: Batch): void {
    this.text += whole.toString()
    this.numbers.push(...pieces.map(({ number }) => number))
  }
}

/** Tellings of which nobody may read the body. */
function sealed(eventRecords: readonly EventRecord[]): EventRecord[] {
  return eventRecords.map((eventRecord) => ({
    ...eventRecord,
    get body(): never {
      throw new Error('It was read.')
    },
  }))
}

test('where nobody listens to a market or an operator, its tellings are not read', () => {
  const scene = traded()
  const { outbox } = outboxOf(scene)
  const eventRecords = sealed(scene.eventRecords)
  outbox.deliver({ eventRecords, trades: [scene.trade] })
  const elsewhere = { marketId: 'another', outcomeId: 'other' }
  const stop = outbox.listen('orderbook', elsewhere, new Ear())
  outbox.listenToOperator('nobody', new Ear())
  outbox.deliver({ eventRecords, trades: [scene.trade] })
  stop()
  const ended = outbox.listen('prices', scene, new Ear())
  assert.throws(() => outbox.deliver({ eventRecords, trades: [] }), /It was read/)
  ended()
  outbox.deliver({ eventRecords, trades: [] })
})

test('who leaves twice has left once: others of the market still hear', () => {
  const scene = traded()
  const { outbox } = outboxOf(scene)
  const [leaving, staying, coming] = [new Ear(), new Ear(), new Ear()]
  const stop = outbox.listen('orderbook', scene, leaving)
  outbox.listen('orderbook', scene, staying)
  stop()
  stop()
  outbox.deliver({ eventRecords: scene.eventRecords, trades: [] })
  assert.notEqual(staying.text, '')
  outbox.listen('orderbook', scene, coming)
  outbox.deliver({ eventRecords: scene.eventRecords, trades: [] })
  assert.equal(leaving.text, '')
  assert.notEqual(coming.text, '')
})

test('each message is encoded once, however many listen', () => {
  const scene = traded()
  const { outbox, encoded } = outboxOf(scene)
  const ears = Array.from({ length: 10 }, () => new Ear())
  for (const ear of ears) outbox.listen('orderbook', scene, ear)
  outbox.deliver({ eventRecords: scene.eventRecords, trades: [scene.trade] })
  assert.equal(encoded(), 2)
  for (const ear of ears) {
    assert.equal(ear.text, 'book book ')
    assert.deepEqual(ear.numbers, [1, 2])
  }
})

test('prices have the version of the book they belong to; trades come in order', () => {
  const scene = traded()
  const { outbox } = outboxOf(scene)
  const [prices, trades] = [new Ear(), new Ear()]
  outbox.listen('prices', scene, prices)
  outbox.listen('trades', scene, trades)
  outbox.deliver({ eventRecords: scene.eventRecords, trades: [scene.trade, scene.trade] })
  assert.deepEqual(prices.numbers, [1, 2])
  assert.equal(trades.text, 'trade trade ')
})

test('where a command changes several books, each price has the version of its own', () => {
  const exchange = newExchange({ hasCompleteSetMatching: true })
  exchange.buy('ann', 5, 0.6)
  exchange.buy('ann', 5, 0.5)
  const told = exchange.eventRecords.length
  exchange.buy('bob', 5, 0.4, { outcome: 1 })
  const { outbox } = outboxOf({ exchange })
  const market = exchange.market()
  const ears = market.books.map(({ id }) => {
    const ear = new Ear()
    outbox.listen('prices', { marketId: market.id, outcomeId: id }, ear)
    return ear
  })
  outbox.deliver({ eventRecords: exchange.eventRecords.slice(told), trades: [] })
  assert.deepEqual(
    ears.map(({ numbers }) => numbers),
    [[3], [1]],
  )
})

test('an operator gets its own events, numbered without a gap', () => {
  const scene = traded()
  const { outbox } = outboxOf(scene)
  const ears = { [house]: new Ear(), [participant]: new Ear() }
  for (const [operatorId, ear] of Object.entries(ears)) outbox.listenToOperator(operatorId, ear)
  outbox.deliver({ eventRecords: scene.eventRecords, trades: [] })
  for (const [operatorId, { numbers }] of Object.entries(ears)) {
    const told = scene.eventRecords.filter(({ operator }) => operator.id === operatorId)
    const count = told.reduce((sum, eventRecord) => sum + eventRecord.count, 0)
    assert.deepEqual(
      numbers,
      Array.from({ length: count }, (_, at) => at + 1),
    )
    assert.ok(count > 2)
  }
})

test('prices come with the version of their own book where a match has changed several', () => {
  const exchange = newExchange({ hasCompleteSetMatching: true })
  // The book of the first outcome is ahead by one.
  exchange.buy('ann', 10, 0.5)
  exchange.buy('ann', 10, 0.6)
  exchange.buy('bob', 4, 0.45, { outcome: 1 })
  const { id: marketId, books } = exchange.market()
  const { outbox } = outboxOf({ ...traded(), exchange })
  const ears = books.map(({ id: outcomeId }) => {
    const ear = new Ear()
    outbox.listen('prices', { marketId, outcomeId }, ear)
    return ear
  })
  outbox.deliver({ eventRecords: exchange.eventRecords, trades: [] })
  assert.deepEqual(
    ears.map(({ numbers }) => numbers.at(-1)),
    books.map(({ version }) => version),
  )
  assert.notEqual(books[0]!.version, books[1]!.version)
})
