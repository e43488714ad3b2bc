// The stream of the client: events with no gap over any interruption, trades, prices, errors.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Event, type Feed, isOutcryError } from '../../client/src/outcry.ts'
import { TcpProxy } from '../support/process/tcp-proxy.ts'
import { until } from '../support/webhooks/receiver.ts'
import { ClientFixture, limit } from './fixture.ts'
import { trade } from './trading.ts'

const fixture = await ClientFixture.open()
const proxy = await TcpProxy.open(fixture.service.url)
after(async () => {
  await proxy.close()
  await fixture.close()
})
const client = fixture.clientOf({ baseUrl: proxy.url })

async function stored(since: number): Promise<Event[]> {
  const events: Event[] = []
  for await (const event of fixture.client.events.each({ since })) events.push(event)
  return events
}

/** Collects events until the feed is closed. */
function collect(feed: Feed<Event>) {
  const events: Event[] = []
  const work = (async () => {
    for await (const event of feed) events.push(event)
  })()
  return { events, work }
}

test('a feed yields each event once, in order, while connections are cut', async () => {
  const market = await fixture.market()
  const since = (await stored(0)).length - 2
  const stream = client.stream()
  const feed = stream.events({ since })
  const { events, work } = collect(feed)
  const trading = trade(fixture.client, market)
  for (let turn = 0; turn < 4; turn += 1) {
    const seen = events.length
    await until(() => events.length > seen)
    const { connections } = proxy
    proxy.cut()
    await until(() => proxy.connections > connections)
  }
  assert.ok((await trading.stop()) > 10)
  const all = await stored(since)
  await until(() => events.length >= all.length)
  feed.close()
  await work
  assert.deepEqual(events, all)
  assert.equal(stream.state, 'IDLE')
})

test('a feed without since starts with the next event', async () => {
  const market = await fixture.market()
  const stream = client.stream()
  try {
    const feed = stream.events()
    const { events } = collect(feed)
    await until(() => stream.state === 'OPEN')
    // Subscriptions are answered in order: when the book is ready, so are the events.
    await stream.liveBook(market.marketId, market.outcomeId).ready()
    const { order } = await fixture.client.orders.place(limit(market, 'BUY'))
    await until(() => events.length > 0)
    const [first] = events
    assert.ok(first?.eventType === 'ORDER_PLACED')
    assert.equal(first.payload.orderId, order.id)
  } finally {
    stream.close()
  }
})

test('a wrong key ends the feed of events only', async () => {
  const market = await fixture.market()
  const stream = fixture.clientOf({ apiKey: 'wrong' }).stream()
  try {
    const book = stream.liveBook(market.marketId, market.outcomeId)
    const failing = (async () => {
      for await (const _ of stream.events({ since: 0 })) assert.fail('unexpected event')
    })()
    await assert.rejects(failing, { code: 'UNAUTHORIZED' })
    assert.equal((await book.ready()).isLive, true)
  } finally {
    stream.close()
  }
})

test('a key without the scope read fails the feed of events with FORBIDDEN', async () => {
  const { apiKey } = await client.admin.createKey(fixture.operatorId, { scopes: ['trade'] })
  const stream = fixture.clientOf({ apiKey }).stream()
  try {
    const next = stream.events({ since: 0 })[Symbol.asyncIterator]().next()
    await assert.rejects(next, { code: 'FORBIDDEN' })
  } finally {
    stream.close()
  }
})

test('a second feed of events on one stream throws', () => {
  const stream = client.stream()
  const feed = stream.events({ since: 0 })
  assert.throws(() => stream.events({ since: 0 }), /open another stream/)
  feed.close()
  stream.events({ since: 0 }).close()
})

test('a feed yields every trade, and of prices the latest', async () => {
  const market = await fixture.market()
  const { marketId, outcomeId } = market
  const stream = client.stream()
  try {
    const trades = stream.trades({ marketIds: [marketId], outcomeIds: [outcomeId] })
    const prices = stream.prices({ marketIds: [marketId] })
    await stream.liveBook(marketId, outcomeId).ready()
    await fixture.client.orders.place(limit(market, 'SELL', { price: 0.6, shares: 9 }))
    for (const shares of [1, 2, 3]) {
      await fixture.client.orders.place(limit(market, 'BUY', { price: 0.6, shares }))
    }
    const received: number[] = []
    for await (const { shares, price, takerSide } of trades) {
      assert.deepEqual([price, takerSide], [0.6, 'BUY'])
      received.push(shares)
      if (received.length === 3) break
    }
    assert.deepEqual(received, [1, 2, 3])
    const latest = new Map<string, number | null>()
    for await (const price of prices) {
      latest.set(price.outcomeId, price.lastPrice)
      if (latest.size === 2 && latest.get(outcomeId) === 0.6) break
    }
    assert.equal(latest.get(market.otherId), null)
  } finally {
    stream.close()
  }
})

test('a rejected subscription fails its own feed only', async () => {
  const market = await fixture.market()
  const stream = client.stream()
  try {
    const book = await stream.liveBook(market.marketId, market.outcomeId).ready()
    const next = stream
      .trades({ marketIds: [market.outcomeId] })
      [Symbol.asyncIterator]()
      .next()
    await assert.rejects(next, (error) => isOutcryError(error, 'MARKET_NOT_FOUND'))
    await fixture.client.orders.place(limit(market, 'BUY'))
    await until(() => book.bestBid === 0.5)
  } finally {
    stream.close()
  }
})

test('subscriptions beyond the message rate of the service all succeed', async () => {
  const outcomes = Array.from({ length: 30 }, (_, index) => ({ name: `No. ${index}` }))
  const market = await fixture.client.markets.create({ title: 'Who wins?', outcomes })
  await fixture.client.markets.open(market.id)
  const stream = client.stream()
  try {
    const books = market.outcomes.map(({ id }) => stream.liveBook(market.id, id))
    await Promise.all(books.map((book) => book.ready()))
  } finally {
    stream.close()
  }
})

test('a closed stream ends its feeds and accepts no new ones', async () => {
  const { marketId } = await fixture.market()
  const stream = client.stream()
  const states: string[] = []
  stream.onState((state) => states.push(state))
  const next = stream
    .trades({ marketIds: [marketId] })
    [Symbol.asyncIterator]()
    .next()
  await until(() => stream.state === 'OPEN')
  stream.close()
  assert.deepEqual(await next, { done: true, value: undefined })
  assert.deepEqual(states, ['CONNECTING', 'OPEN', 'CLOSED'])
  assert.throws(() => stream.trades({ marketIds: [marketId] }), /closed/)
})

test('retry ends the wait for the next connection, and does nothing on an open one', async () => {
  const market = await fixture.market()
  const stream = client.stream()
  try {
    const book = await stream.liveBook(market.marketId, market.outcomeId).ready()
    const { connections } = proxy
    stream.retry()
    assert.equal(stream.state, 'OPEN')
    proxy.refuse(true)
    await until(() => stream.state === 'WAITING' && proxy.connections > connections + 1)
    proxy.refuse(false)
    stream.retry()
    assert.equal(stream.state, 'CONNECTING')
    await book.ready()
  } finally {
    proxy.refuse(false)
    stream.close()
  }
})
