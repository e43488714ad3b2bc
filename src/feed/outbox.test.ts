// Which messages subscribers receive for a committed turn, and the work saved without subscribers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  house,
  newExchange,
  participant,
  type TestExchange,
} from '../../test/support/core/exchange.ts'
import type { CommittedTurn, PublicTrade } from '../core/events/committed-turn.ts'
import type { EventRecord } from '../core/events/events.ts'
import { type Serial, shardOfId } from '../core/ids.ts'
import { type Batch, type Encoders, Outbox } from './outbox.ts'

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
  let serial = 0
  const trade = (): PublicTrade => ({
    serial: ++serial as Serial,
    marketId,
    outcomeId,
    price: 5_000,
    shares: 500,
    isSellIncoming: false,
    createdAt: exchange.now,
  })
  return { exchange, eventRecords, trade, marketId, outcomeId }
}

function outboxOf({ exchange }: { readonly exchange: TestExchange }) {
  let encoded = 0
  const failures: string[] = []
  const encode = (name: string) => () => {
    encoded += 1
    return Buffer.from(`${name} `)
  }
  const [book, price, trade] = ['book', 'price', 'trade'].map(encode)
  const encoders: { -readonly [Kind in keyof Encoders]: Encoders[Kind] } = {
    book: book!,
    price: price!,
    trade: trade!,
    event: ({ sequence }: { readonly sequence: number }) => {
      encoded += 1
      return Buffer.from(`${sequence} `)
    },
  }
  const outbox = new Outbox(encoders, (_edge, _event, { error }) => {
    failures.push(String(error))
  })
  const deliver = (turn: CommittedTurn) => outbox.deliver(turn, exchange.core.ids)
  return { outbox, deliver, encoders, failures, encoded: () => encoded }
}

class Listener {
  text = ''
  numbers: number[] = []

  receive({ pieces, whole }: Batch): void {
    this.text += whole.toString()
    this.numbers.push(...pieces.map(({ number }) => number))
  }
}

/** Event records that throw when their body is read. */
function unreadable(eventRecords: readonly EventRecord[]): EventRecord[] {
  return eventRecords.map((eventRecord) => ({
    ...eventRecord,
    get body(): never {
      throw new Error('body was read')
    },
  }))
}

test('event records without a listener to their market or operator are not expanded', () => {
  const turn = traded()
  const { outbox, deliver, failures } = outboxOf(turn)
  const eventRecords = unreadable(turn.eventRecords)
  deliver({ eventRecords, trades: [turn.trade()] })
  const elsewhere = { marketId: 'another', outcomeId: 'other' }
  const stop = outbox.listen('orderbook', elsewhere, new Listener())
  outbox.listenToOperator({ id: 'unknown', shard: 0 }, new Listener())
  deliver({ eventRecords, trades: [turn.trade()] })
  stop()
  const ended = outbox.listen('prices', turn, new Listener())
  assert.deepEqual(failures, [])
  deliver({ eventRecords, trades: [] })
  assert.match(failures.splice(0).join(), /body was read/)
  ended()
  deliver({ eventRecords, trades: [] })
  assert.deepEqual(failures, [])
})

test('a listener that fails keeps no message from others, in this turn or the next', () => {
  const turn = traded()
  const { outbox, deliver, failures } = outboxOf(turn)
  const failing = {
    receive: () => {
      throw new Error('listener')
    },
  }
  const [same, other] = [new Listener(), new Listener()]
  outbox.listen('orderbook', turn, failing)
  outbox.listen('orderbook', turn, same)
  outbox.listen('trades', turn, other)
  for (const round of [1, 2]) {
    deliver({ eventRecords: turn.eventRecords, trades: [turn.trade()] })
    assert.equal(same.text, 'book book '.repeat(round))
    assert.equal(other.text, 'trade '.repeat(round))
  }
  assert.deepEqual(failures, ['Error: listener', 'Error: listener'])
})

test('a message that cannot be encoded is reported, and the others are sent', () => {
  const turn = traded()
  const { outbox, deliver, encoders, failures } = outboxOf(turn)
  const [book, trades] = [new Listener(), new Listener()]
  outbox.listen('orderbook', turn, book)
  outbox.listen('trades', turn, trades)
  const { book: encode } = encoders
  encoders.book = () => {
    throw new RangeError('Invalid string length')
  }
  deliver({ eventRecords: turn.eventRecords, trades: [turn.trade()] })
  assert.equal(trades.text, 'trade ')
  assert.match(failures.join(), /Invalid string length/)
  encoders.book = encode
  deliver({ eventRecords: turn.eventRecords, trades: [] })
  assert.equal(book.text, 'book book ')
})

test('unsubscribing twice does not affect other listeners of the market', () => {
  const turn = traded()
  const { outbox, deliver } = outboxOf(turn)
  const [leaving, staying, joining] = [new Listener(), new Listener(), new Listener()]
  const stop = outbox.listen('orderbook', turn, leaving)
  outbox.listen('orderbook', turn, staying)
  stop()
  stop()
  deliver({ eventRecords: turn.eventRecords, trades: [] })
  assert.notEqual(staying.text, '')
  outbox.listen('orderbook', turn, joining)
  deliver({ eventRecords: turn.eventRecords, trades: [] })
  assert.equal(leaving.text, '')
  assert.notEqual(joining.text, '')
})

test('each message is encoded once, however many listeners there are', () => {
  const turn = traded()
  const { outbox, deliver, encoded } = outboxOf(turn)
  const listeners = Array.from({ length: 10 }, () => new Listener())
  for (const listener of listeners) outbox.listen('orderbook', turn, listener)
  deliver({ eventRecords: turn.eventRecords, trades: [turn.trade()] })
  assert.equal(encoded(), 2)
  for (const listener of listeners) {
    assert.equal(listener.text, 'book book ')
    assert.deepEqual(listener.numbers, [1, 2])
  }
})

test('prices have the version of their book; trades arrive in order', () => {
  const turn = traded()
  const { outbox, deliver } = outboxOf(turn)
  const [prices, trades] = [new Listener(), new Listener()]
  outbox.listen('prices', turn, prices)
  outbox.listen('trades', turn, trades)
  deliver({ eventRecords: turn.eventRecords, trades: [turn.trade(), turn.trade()] })
  assert.deepEqual(prices.numbers, [1, 2])
  assert.equal(trades.text, 'trade trade ')
})

test('if a command changes several books, each price has the version of its own book', () => {
  const exchange = newExchange({ hasCompleteSetMatching: true })
  exchange.buy('ann', 5, 0.6)
  exchange.buy('ann', 5, 0.5)
  const before = exchange.eventRecords.length
  exchange.buy('bob', 5, 0.4, { outcome: 1 })
  const { outbox, deliver } = outboxOf({ exchange })
  const market = exchange.market()
  const listeners = market.books.map(({ id }) => {
    const listener = new Listener()
    outbox.listen('prices', { marketId: market.id, outcomeId: id }, listener)
    return listener
  })
  deliver({ eventRecords: exchange.eventRecords.slice(before), trades: [] })
  assert.deepEqual(
    listeners.map(({ numbers }) => numbers),
    [[3], [1]],
  )
})

test('an operator receives its own events, numbered without a gap', () => {
  const turn = traded()
  const { outbox, deliver } = outboxOf(turn)
  const listeners = { [house]: new Listener(), [participant]: new Listener() }
  for (const [operatorId, listener] of Object.entries(listeners))
    outbox.listenToOperator({ id: operatorId, shard: 0 }, listener)
  deliver({ eventRecords: turn.eventRecords, trades: [] })
  for (const [operatorId, { numbers }] of Object.entries(listeners)) {
    const records = turn.eventRecords.filter(({ operator }) => operator.id === operatorId)
    const count = records.reduce((sum, eventRecord) => sum + eventRecord.count, 0)
    assert.deepEqual(
      numbers,
      Array.from({ length: count }, (_, at) => at + 1),
    )
    assert.ok(count > 2)
  }
})

test('after a match across several books, each price has the version of its own book', () => {
  const exchange = newExchange({ hasCompleteSetMatching: true })
  // The book of the first outcome is ahead by one.
  exchange.buy('ann', 10, 0.5)
  exchange.buy('ann', 10, 0.6)
  exchange.buy('bob', 4, 0.45, { outcome: 1 })
  const { id: marketId, books } = exchange.market()
  const { outbox, deliver } = outboxOf({ ...traded(), exchange })
  const listeners = books.map(({ id: outcomeId }) => {
    const listener = new Listener()
    outbox.listen('prices', { marketId, outcomeId }, listener)
    return listener
  })
  deliver({ eventRecords: exchange.eventRecords, trades: [] })
  assert.deepEqual(
    listeners.map(({ numbers }) => numbers.at(-1)),
    books.map(({ version }) => version),
  )
  assert.notEqual(books[0]!.version, books[1]!.version)
})

/** A node whose interests are in force, which tests change. */
const remote = { begin: () => undefined, end: () => undefined, isInForce: () => true }

test('missed trades are read from the store; each trade arrives once, in order', async () => {
  const turn = traded()
  const { outbox, encoders, deliver } = outboxOf(turn)
  encoders.trade = ({ serial }: PublicTrade) => Buffer.from(`${serial} `)
  const stored = Array.from({ length: 4 }, turn.trade)
  const asked: number[] = []
  const [first, second, third, fourth] = stored
  const tape = {
    lastSerial: async () => 1,
    since: async (_outcome: object, serial: number) => {
      asked.push(serial)
      deliver({ eventRecords: [], trades: [third!, fourth!] })
      return stored.filter((trade) => trade.serial > serial && trade !== fourth)
    },
  }
  outbox.setRemote({ ...remote, tape })
  const listener = new Listener()
  outbox.listen('trades', { ...turn, after: 1 }, listener)
  outbox.onInForce({ kind: 'market', id: turn.marketId })
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(listener.text, '2 3 4 ')
  deliver({ eventRecords: [], trades: [first!, second!] })
  outbox.resync(shardOfId(turn.marketId) ?? 0)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(listener.text, '2 3 4 ')
  assert.deepEqual(asked, [1, 4])
})

test('trades wait while earlier ones may be missing, and arrive in order', async () => {
  const turn = traded()
  const { outbox, encoders, deliver } = outboxOf(turn)
  encoders.trade = ({ serial }: PublicTrade) => Buffer.from(`${serial} `)
  const [first, second, third, fourth, fifth] = Array.from({ length: 5 }, turn.trade)
  const shard = shardOfId(turn.marketId) ?? 0
  const stored = [first!]
  const tape = {
    lastSerial: async () => stored.at(-1)!.serial,
    since: async (_outcome: object, after: number) => stored.filter(({ serial }) => serial > after),
  }
  outbox.setRemote({ ...remote, isInForce: () => false, tape })
  const after = (await outbox.tapeStarts([turn])).get(shard)
  const listener = new Listener()
  outbox.listen('trades', { ...turn, after }, listener)
  // The second trade does not arrive: the owner did not know of the interest yet.
  stored.push(second!, third!)
  deliver({ eventRecords: [], trades: [third!] })
  assert.equal(listener.text, '')
  outbox.onInForce({ kind: 'market', id: turn.marketId })
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(listener.text, '2 3 ')
  // Nor does the fourth: its owner is gone, and the next one sends the fifth.
  outbox.onMissing(shard)
  stored.push(fourth!, fifth!)
  deliver({ eventRecords: [], trades: [fifth!] })
  assert.equal(listener.text, '2 3 ')
  outbox.resync(shard)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(listener.text, '2 3 4 5 ')
})

test('trades wait also if they may be missing again while missed ones are read', async () => {
  const turn = traded()
  const { outbox, encoders, deliver } = outboxOf(turn)
  encoders.trade = ({ serial }: PublicTrade) => Buffer.from(`${serial} `)
  const [first, second, third] = Array.from({ length: 3 }, turn.trade)
  const shard = shardOfId(turn.marketId) ?? 0
  const stored = [first!]
  const tape = {
    lastSerial: async () => 0,
    since: async (_outcome: object, after: number) => {
      const found = stored.filter(({ serial }) => serial > after)
      if (after === 0) {
        outbox.onMissing(shard)
        stored.push(second!, third!)
        deliver({ eventRecords: [], trades: [third!] })
      }
      return found
    },
  }
  outbox.setRemote({ ...remote, tape })
  const listener = new Listener()
  outbox.listen('trades', { ...turn, after: 0 }, listener)
  outbox.resync(shard)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(listener.text, '1 ')
  outbox.resync(shard)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(listener.text, '1 2 3 ')
})

test('listeners that come at once share a read of the last serial', async () => {
  const { outbox } = outboxOf(traded())
  let reads = 0
  const lastSerial = async () => {
    reads += 1
    return reads
  }
  outbox.setRemote({ ...remote, tape: { lastSerial, since: async () => [] } })
  const { marketId, outcomeId } = traded()
  const start = () => outbox.tapeStarts([{ marketId, outcomeId }])
  const all = await Promise.all([start(), start(), start()])
  assert.equal(reads, 1)
  assert.deepEqual(
    all.map((starts) => [...starts.values()]),
    [[1], [1], [1]],
  )
  assert.deepEqual([...(await start()).values()], [2])
})

test('listeners of an operator hear that events may have been missed, in their shard', () => {
  const { outbox } = outboxOf(traded())
  const tape = { lastSerial: async () => 0, since: async () => [] }
  outbox.setRemote({ ...remote, tape })
  let heard = 0
  const listener = {
    receive: () => undefined,
    resync: () => {
      heard += 1
    },
  }
  const stop = outbox.listenToOperator({ id: 'operator', shard: 3 }, listener)
  outbox.onInForce({ kind: 'operator', id: 'other' })
  outbox.resync(4)
  assert.equal(heard, 0)
  outbox.onInForce({ kind: 'operator', id: 'operator' })
  assert.equal(heard, 1)
  outbox.resync(3)
  assert.equal(heard, 2)
  stop()
  outbox.resync(3)
  assert.equal(heard, 2)
})
