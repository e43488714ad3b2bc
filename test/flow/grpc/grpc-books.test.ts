// MarketDataService: the book of an outcome, once and after each change.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  bareCall,
  framed,
  GrpcClient,
  orderMessage,
  Reader,
  unframed,
} from '../../support/grpc/grpc-client.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
let operator: OperatorClient
let grpc: GrpcClient
before(async () => {
  service = await Service.start({ env: { RATE_LIMIT_ORDERS: '0' } })
  operator = await OperatorClient.create(service)
  grpc = GrpcClient.of(service)
})
after(async () => {
  grpc?.close()
  await service?.stop()
})

const streaming = 'MarketDataService/StreamOrderBook'
const bookOf = (market: Json, more: object = {}) => ({
  market_id: market.id,
  outcome_id: market.outcomes[0].id,
  ...more,
})
const get = (request: object) => grpc.data('MarketDataService/GetOrderBook', request)

/** A market with a bid at each of that many prices. */
async function marketWithBids(count: number): Promise<Json> {
  const market = await operator.openMarket()
  const prices = Array.from({ length: count }, (_, at) => `0.${1_000 + at}`)
  // What the service refused, on a machine that stalled for a moment, is sent again.
  for (let missing = prices; missing.length > 0; ) {
    await bid(market, missing)
    const { bids = [] } = await get(bookOf(market, { depth: 1_000 }))
    const there = new Set(bids.map(({ price }: Json) => Number(price)))
    missing = missing.filter((price) => !there.has(Number(price)))
  }
  return market
}

async function bid(market: Json, prices: readonly string[]): Promise<void> {
  const trader = GrpcClient.of(service, operator.key)
  const stream = trader.duplex('OrderService/PlaceOrders')
  const reader = new Reader(stream)
  const orders = prices.map((price) => ({
    order: orderMessage(market, 'BUY', { price, shares: '1.5' }),
  }))
  while (orders.length > 0) stream.write({ orders: orders.splice(0, 100) })
  stream.end()
  await reader.ended
  trader.close()
}

test('a book has the levels of REST, as decimals', async () => {
  const market = await operator.openMarket()
  const empty = await get(bookOf(market))
  assert.deepEqual(
    ['bids', 'asks', 'best_bid', 'best_ask', 'spread'].filter((name) => name in empty),
    [],
  )
  await operator.mint(market, 'bob', 100)
  await operator.buy(market, { price: 0.41, shares: 2.5 })
  await operator.buy(market, { price: 0.41, shares: 1 })
  await operator.sell(market, { player: 'bob', price: 0.4305, shares: 7 })
  const book = await get(bookOf(market))
  assert.deepEqual(book.bids, [{ price: '0.41', shares: '3.5', order_count: 2 }])
  assert.deepEqual(book.asks, [{ price: '0.4305', shares: '7', order_count: 1 }])
  assert.deepEqual([book.best_bid, book.best_ask, book.spread], ['0.41', '0.4305', '0.0205'])
  const { version, timestamp } = await operator.book(market)
  assert.equal(book.version, version)
  assert.ok(Math.abs(Date.parse(book.timestamp) - timestamp) < 60_000)
})

test('a book with implied shows what complete sets would match, as REST does', async () => {
  const market = await operator.openMarket({ completeSetMatching: true })
  await operator.buy(market, { outcome: 1, price: 0.6, shares: 10 })
  await operator.buy(market, { price: 0.3, shares: 2 })
  const plain = await get(bookOf(market))
  assert.equal('asks' in plain, false)
  const book = await get(bookOf(market, { implied: true }))
  assert.deepEqual(book.asks, [{ price: '0.4', shares: '10', implied: true }])
  assert.deepEqual(book.bids, plain.bids)
  const { asks } = await operator.book(market, 0, '?implied=true')
  assert.deepEqual(asks, [{ price: 0.4, shares: 10, orderCount: 0, implied: true }])
  assert.deepEqual([book.best_bid, 'best_ask' in book], ['0.3', false])
  const [one, other] = await Promise.all([
    get(bookOf(market, { implied: true })),
    get(bookOf(market)),
  ])
  assert.deepEqual(['asks' in one, 'asks' in other], [true, false], 'asked for at once')
})

test('depth limits the levels: 10 by default, at most 1000', async () => {
  const market = await marketWithBids(12)
  assert.equal((await get(bookOf(market))).bids.length, 10)
  assert.equal((await get(bookOf(market, { depth: 3 }))).bids.length, 3)
  assert.equal((await get(bookOf(market, { depth: 1_000 }))).bids.length, 12)
  const name = 'MarketDataService/GetOrderBook'
  const failure = await grpc.failure(name, bookOf(market, { depth: 1_001 }))
  assert.deepEqual([failure.status, failure.code], ['INVALID_ARGUMENT', 'VALIDATION_ERROR'])
})

test('a book that is not public is NOT_FOUND, once and as a stream', async () => {
  const draft = await operator.createMarket()
  const market = await operator.openMarket()
  const cases = [
    [bookOf(draft), 'MARKET_NOT_FOUND'],
    [{ market_id: 'x', outcome_id: 'x' }, 'MARKET_NOT_FOUND'],
    [bookOf(market, { outcome_id: draft.outcomes[0].id }), 'OUTCOME_NOT_FOUND'],
  ] as const
  for (const [request, code] of cases) {
    const failure = await grpc.failure('MarketDataService/GetOrderBook', request)
    assert.deepEqual([failure.status, failure.code], ['NOT_FOUND', code])
    const ended = await new Reader(grpc.stream(streaming, request)).ended
    assert.deepEqual([ended.status, ended.code], ['NOT_FOUND', code])
  }
})

test('a stream sends the whole book immediately and after each change', async () => {
  const market = await operator.openMarket()
  const upper = { market_id: market.id.toUpperCase() }
  const streams = [bookOf(market), bookOf(market, { depth: 1 }), bookOf(market, upper)].map(
    (request) => grpc.stream(streaming, request),
  )
  const readers = streams.map((stream) => new Reader(stream))
  for (const reader of readers) await reader.until((books) => books.length > 0)
  for (const price of [0.2, 0.3, 0.25]) {
    await operator.buy(market, { price })
    const book = await operator.book(market)
    for (const reader of readers) {
      await reader.until((books) => books.at(-1).version === book.version)
      assert.equal(reader.messages.at(-1).best_bid, String(book.bestBid))
    }
  }
  const [whole, best] = readers.map(({ messages }) => messages.at(-1).bids)
  assert.deepEqual(
    whole.map(({ price }: Json) => price),
    ['0.3', '0.25', '0.2'],
  )
  assert.equal(best.length, 1)
  const versions = readers[0]!.messages.map(({ version = 0 }) => version)
  assert.deepEqual(versions, [0, 1, 2, 3])
  for (const stream of streams) stream.cancel()
  for (const reader of readers) assert.equal((await reader.ended).status, 'CANCELLED')
})

test('a stream ends with its deadline', async () => {
  const market = await operator.openMarket()
  const reader = new Reader(grpc.stream(streaming, bookOf(market), { deadline: 2_000 }))
  const ended = await reader.ended
  assert.equal(ended.status, 'DEADLINE_EXCEEDED')
})

test('a slow client gets the latest book, and not all those in between', async () => {
  const market = await marketWithBids(500)
  const { session, stream } = bareCall(service, streaming)
  try {
    stream.end(framed(streaming, bookOf(market, { depth: 1_000 })))
    // A second stream that is read shows when a change was published.
    const quick = grpc.stream(streaming, bookOf(market, { depth: 1 }))
    const reader = new Reader(quick)
    const changes = 150
    for (let change = 0; change < changes; change += 1) {
      await operator.buy(market, { price: 0.5, shares: 1 + change })
    }
    const { version } = await operator.book(market)
    await reader.until((books) => books.at(-1)?.version === version)
    quick.cancel()
    const books = await new Promise<Json[]>((resolve) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        const received = unframed(streaming, Buffer.concat(chunks))
        if (received.at(-1)?.version === version) resolve(received)
      })
    })
    assert.equal(books.at(-1).bids.length, 501)
    assert.ok(books.length < changes / 2, `${books.length} books`)
  } finally {
    stream.destroy()
    session.destroy()
  }
})
