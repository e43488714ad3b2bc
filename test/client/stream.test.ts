// The stream through the client: events with no gap over any break, trades, prices, refusals.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Event, type Feed, isOutcryError } from '../../client/src/outcry.ts'
import { until } from '../support/webhooks/receiver.ts'
import { ClientScene, limit } from './scene.ts'
import { TcpProxy } from './tcp-proxy.ts'
import { trade } from './trading.ts'

const scene = await ClientScene.open()
const proxy = await TcpProxy.open(scene.service.url)
after(async () => {
  await proxy.close()
  await scene.close()
})
const client = scene.clientOf({ baseUrl: proxy.url })

async function stored(since: number): Promise<Event[]> {
  const events: Event[] = []
  for await (const event of scene.client.events.each({ since })) events.push(event)
  return events
}

/** Takes events as they come, until the feed is closed. */
function taking(feed: Feed<Event>) {
  const events: Event[] = []
  const work = (async () => {
    for await (const event of feed) events.push(event)
  })()
  return { events, work }
}

test('events come once each, in order, with no gap, while connections are cut', async () => {
  const place = await scene.market()
  const since = (await stored(0)).length - 2
  const stream = client.stream()
  const feed = stream.events({ since })
  const { events, work } = taking(feed)
  const trading = trade(scene.client, place)
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

test('without since, events begin with what happens next', async () => {
  const place = await scene.market()
  const stream = client.stream()
  try {
    const feed = stream.events()
    const { events } = taking(feed)
    await until(() => stream.state === 'OPEN')
    // What is subscribed to in order is answered in order: with the book, the events are there.
    await stream.liveBook(place.marketId, place.outcomeId).ready()
    const { order } = await scene.client.orders.place(limit(place, 'BUY'))
    await until(() => events.length > 0)
    const [first] = events
    assert.ok(first?.eventType === 'ORDER_PLACED')
    assert.equal(first.payload.orderId, order.id)
  } finally {
    stream.close()
  }
})

test('a wrong key ends the feed of events with its error, and nothing else', async () => {
  const place = await scene.market()
  const stream = scene.clientOf({ apiKey: 'wrong' }).stream()
  try {
    const book = stream.liveBook(place.marketId, place.outcomeId)
    const failing = (async () => {
      for await (const _ of stream.events({ since: 0 })) assert.fail('nothing may come')
    })()
    await assert.rejects(failing, { code: 'UNAUTHORIZED' })
    assert.equal((await book.ready()).isLive, true)
  } finally {
    stream.close()
  }
})

test('a key that may not read is told so by its own error', async () => {
  const { apiKey } = await client.admin.createKey(scene.operatorId, { scopes: ['trade'] })
  const stream = scene.clientOf({ apiKey }).stream()
  try {
    const next = stream.events({ since: 0 })[Symbol.asyncIterator]().next()
    await assert.rejects(next, { code: 'FORBIDDEN' })
  } finally {
    stream.close()
  }
})

test('a second feed of events on one stream is a mistake that is told', () => {
  const stream = client.stream()
  const feed = stream.events({ since: 0 })
  assert.throws(() => stream.events({ since: 0 }), /open another stream/)
  feed.close()
  stream.events({ since: 0 }).close()
})

test('trades come one by one; of prices the latest', async () => {
  const place = await scene.market()
  const { marketId, outcomeId } = place
  const stream = client.stream()
  try {
    const trades = stream.trades({ marketIds: [marketId], outcomeIds: [outcomeId] })
    const prices = stream.prices({ marketIds: [marketId] })
    await stream.liveBook(marketId, outcomeId).ready()
    await scene.client.orders.place(limit(place, 'SELL', { price: 0.6, shares: 9 }))
    for (const shares of [1, 2, 3]) {
      await scene.client.orders.place(limit(place, 'BUY', { price: 0.6, shares }))
    }
    const taken: number[] = []
    for await (const { shares, price, takerSide } of trades) {
      assert.deepEqual([price, takerSide], [0.6, 'BUY'])
      taken.push(shares)
      if (taken.length === 3) break
    }
    assert.deepEqual(taken, [1, 2, 3])
    const latest = new Map<string, number | null>()
    for await (const price of prices) {
      latest.set(price.outcomeId, price.lastPrice)
      if (latest.size === 2 && latest.get(outcomeId) === 0.6) break
    }
    assert.equal(latest.get(place.otherId), null)
  } finally {
    stream.close()
  }
})

test('what cannot be had is refused to the one who asked, and the others go on', async () => {
  const place = await scene.market()
  const stream = client.stream()
  try {
    const book = await stream.liveBook(place.marketId, place.outcomeId).ready()
    const next = stream
      .trades({ marketIds: [place.outcomeId] })
      [Symbol.asyncIterator]()
      .next()
    await assert.rejects(next, (error) => isOutcryError(error, 'MARKET_NOT_FOUND'))
    await scene.client.orders.place(limit(place, 'BUY'))
    await until(() => book.bestBid === 0.5)
  } finally {
    stream.close()
  }
})

test('more books than may be asked for at once are all served', async () => {
  const outcomes = Array.from({ length: 30 }, (_, index) => ({ name: `No. ${index}` }))
  const market = await scene.client.markets.create({ title: 'Who wins?', outcomes })
  await scene.client.markets.open(market.id)
  const stream = client.stream()
  try {
    const books = market.outcomes.map(({ id }) => stream.liveBook(market.id, id))
    await Promise.all(books.map((book) => book.ready()))
  } finally {
    stream.close()
  }
})

test('a closed stream ends its feeds and takes no others', async () => {
  const { marketId } = await scene.market()
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

test('retry ends the wait for the next connection, and leaves one that is up alone', async () => {
  const place = await scene.market()
  const stream = client.stream()
  try {
    const book = await stream.liveBook(place.marketId, place.outcomeId).ready()
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
