// A live book equals the book of the service at the same version, whatever the network does.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { LiveBook } from '../../client/src/outcry.ts'
import { TcpProxy } from '../support/process/tcp-proxy.ts'
import { until } from '../support/webhooks/receiver.ts'
import { ClientFixture, limit } from './fixture.ts'
import { trade } from './trading.ts'

// Heartbeats are more frequent than by default, so that tests of them are fast.
const fixture = await ClientFixture.open({
  program: new URL('../support/stream/stream-process.ts', import.meta.url).pathname,
  env: { STREAM_SETTINGS: JSON.stringify({ heartbeatMs: 200 }), RATE_LIMIT_PUBLIC: '0' },
})
const proxy = await TcpProxy.open(fixture.service.url)
after(async () => {
  await proxy.close()
  await fixture.close()
})
const client = fixture.clientOf({ baseUrl: proxy.url })

function shown({ bids, asks, bestBid, bestAsk, spread, version }: LiveBook | Shown) {
  return { bids, asks, bestBid, bestAsk, spread, version }
}
type Shown = Pick<LiveBook, 'bids' | 'asks' | 'bestBid' | 'bestAsk' | 'spread' | 'version'>

function rest(book: LiveBook): Promise<Shown> {
  return fixture.client.marketData.orderBook(book.marketId, book.outcomeId, { depth: 1_000 })
}

/** Waits until the live book has caught up, and compares. */
async function assertSame(book: LiveBook): Promise<void> {
  const expected = await rest(book)
  await until(() => book.isLive && book.version >= expected.version)
  assert.deepEqual(shown(book), shown(expected))
}

test('under load, a live book equals the book of REST at every version seen in both', async () => {
  const market = await fixture.market()
  const stream = client.stream()
  try {
    const book = await stream.liveBook(market.marketId, market.outcomeId).ready()
    const seen = new Map<number, Shown>([[book.version, shown(book)]])
    book.onChange(() => seen.set(book.version, shown(book)))
    const trading = trade(fixture.client, market)
    const compared: Shown[] = []
    for (let turn = 0; turn < 30; turn += 1) compared.push(shown(await rest(book)))
    assert.ok((await trading.stop()) > 10)
    await assertSame(book)
    for (const each of compared) assert.deepEqual(seen.get(each.version), each)
    assert.ok(new Set(compared.map(({ version }) => version)).size > 5)
    const versions = [...seen.keys()]
    assert.deepEqual(
      versions,
      versions.map((_, index) => (versions[0] ?? 0) + index),
    )
  } finally {
    stream.close()
  }
})

test('a live book is not live while disconnected, and is correct again afterwards', async () => {
  const market = await fixture.market()
  const stream = client.stream()
  try {
    const book = await stream.liveBook(market.marketId, market.outcomeId).ready()
    const states: boolean[] = []
    book.onChange(({ isLive }) => states.push(isLive))
    const trading = trade(fixture.client, market)
    for (let turn = 0; turn < 3; turn += 1) {
      proxy.cut()
      await until(() => !book.isLive)
      await book.ready()
    }
    await trading.stop()
    await assertSame(book)
    assert.ok(states.filter((isLive) => !isLive).length >= 3)
  } finally {
    stream.close()
  }
})

test('a live book recovers after the service was unreachable for a while', async () => {
  const market = await fixture.market()
  const stream = client.stream()
  try {
    const book = await stream.liveBook(market.marketId, market.outcomeId).ready()
    proxy.refuse(true)
    const before = proxy.connections
    await until(() => proxy.connections >= before + 3)
    assert.equal(book.isLive, false)
    await fixture.client.orders.place(limit(market, 'BUY'))
    proxy.refuse(false)
    await book.ready()
    await assertSame(book)
    assert.equal(book.bestBid, 0.5)
  } finally {
    proxy.refuse(false)
    stream.close()
  }
})

test('the stream replaces a connection that receives nothing', async () => {
  const market = await fixture.market()
  const stream = client.stream({ silenceMaxMs: 1_000 })
  try {
    const book = await stream.liveBook(market.marketId, market.outcomeId).ready()
    proxy.stall(true)
    await until(() => !book.isLive)
    proxy.stall(false)
    await book.ready()
    await assertSame(book)
  } finally {
    proxy.stall(false)
    stream.close()
  }
})

/** A WebSocket class that drops some messages, as a faulty proxy would. */
function losing(isLost: (message: { readonly type: string }) => boolean): typeof WebSocket {
  return class extends WebSocket {
    override set onmessage(deliver: ((event: MessageEvent) => void) | null) {
      this.addEventListener('message', (event) => {
        if (deliver !== null && !isLost(JSON.parse(event.data))) deliver(event)
      })
    }
  }
}

test('a live book notices a lost update by the next one and recovers', async () => {
  const market = await fixture.market()
  let updates = 0
  const isThird = ({ type }: { readonly type: string }) => {
    if (type !== 'orderbook.update') return false
    updates += 1
    return updates === 3
  }
  const stream = client.stream({ WebSocket: losing(isThird) })
  try {
    const book = await stream.liveBook(market.marketId, market.outcomeId).ready()
    for (const price of [0.1, 0.2, 0.3, 0.4]) {
      await fixture.client.orders.place(limit(market, 'BUY', { price }))
    }
    await assertSame(book)
    assert.equal(book.bids.length, 4)
  } finally {
    stream.close()
  }
})

test('a live book notices a lost last update by the heartbeats and recovers', async () => {
  const market = await fixture.market()
  let isLossy = false
  const isLost = ({ type }: { readonly type: string }) => isLossy && type === 'orderbook.update'
  const stream = client.stream({ WebSocket: losing(isLost) })
  try {
    const book = await stream.liveBook(market.marketId, market.outcomeId).ready()
    isLossy = true
    await fixture.client.orders.place(limit(market, 'BUY', { price: 0.4 }))
    await assertSame(book)
    assert.equal(book.bestBid, 0.4)
  } finally {
    stream.close()
  }
})

test('a second live book of an outcome becomes live, and the first stays correct', async () => {
  const market = await fixture.market()
  const stream = client.stream()
  try {
    const first = await stream.liveBook(market.marketId, market.outcomeId).ready()
    const second = await stream.liveBook(market.marketId, market.outcomeId).ready()
    const trading = trade(fixture.client, market)
    await until(() => second.version > 3)
    await trading.stop()
    await assertSame(first)
    await assertSame(second)
  } finally {
    stream.close()
  }
})

test('iterating over a live book yields it now and after each change', async () => {
  const market = await fixture.market()
  const stream = client.stream()
  const book = stream.liveBook(market.marketId, market.outcomeId)
  const best: (number | null)[] = []
  for await (const { bestBid } of book) {
    best.push(bestBid)
    const price = best.length / 10
    if (best.length === 4) break
    await fixture.client.orders.place(limit(market, 'BUY', { price }))
  }
  assert.deepEqual(best, [null, 0.1, 0.2, 0.3])
  book.close()
  assert.equal(stream.state, 'IDLE')
})

test('a live book of an unknown outcome fails with OUTCOME_NOT_FOUND', async () => {
  const { marketId } = await fixture.market()
  const stream = client.stream()
  await assert.rejects(stream.liveBook(marketId, marketId).ready(), { code: 'OUTCOME_NOT_FOUND' })
  assert.equal(stream.state, 'IDLE')
})
