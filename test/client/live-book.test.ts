// A live book is the book of the service at the same version, whatever the network does.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { LiveBook } from '../../client/src/outcry.ts'
import { until } from '../support/webhooks/receiver.ts'
import { ClientScene, limit } from './scene.ts'
import { TcpProxy } from './tcp-proxy.ts'
import { trade } from './trading.ts'

// Heartbeats come more often than usual, so that what they reveal need not be waited for.
const scene = await ClientScene.open({
  program: new URL('../support/stream/stream-process.ts', import.meta.url).pathname,
  env: { STREAM_SETTINGS: JSON.stringify({ heartbeatMs: 200 }), RATE_LIMIT_PUBLIC: '0' },
})
const proxy = await TcpProxy.open(scene.service.url)
after(async () => {
  await proxy.close()
  await scene.close()
})
const client = scene.clientOf({ baseUrl: proxy.url })

function shown({ bids, asks, bestBid, bestAsk, spread, version }: LiveBook | Shown) {
  return { bids, asks, bestBid, bestAsk, spread, version }
}
type Shown = Pick<LiveBook, 'bids' | 'asks' | 'bestBid' | 'bestAsk' | 'spread' | 'version'>

function rest(book: LiveBook): Promise<Shown> {
  return scene.client.marketData.orderBook(book.marketId, book.outcomeId, { depth: 1_000 })
}

/** Waits until it has caught up, and compares. */
async function assertSame(book: LiveBook): Promise<void> {
  const expected = await rest(book)
  await until(() => book.isLive && book.version >= expected.version)
  assert.deepEqual(shown(book), shown(expected))
}

test('it equals the book of REST at every version that both have shown, under load', async () => {
  const place = await scene.market()
  const stream = client.stream()
  try {
    const book = await stream.liveBook(place.marketId, place.outcomeId).ready()
    const seen = new Map<number, Shown>([[book.version, shown(book)]])
    book.onChange(() => seen.set(book.version, shown(book)))
    const trading = trade(scene.client, place)
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

test('after cuts it says that it is not live, comes back by itself and is right', async () => {
  const place = await scene.market()
  const stream = client.stream()
  try {
    const book = await stream.liveBook(place.marketId, place.outcomeId).ready()
    const states: boolean[] = []
    book.onChange(({ isLive }) => states.push(isLive))
    const trading = trade(scene.client, place)
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

test('a service that cannot be reached for a while is found again', async () => {
  const place = await scene.market()
  const stream = client.stream()
  try {
    const book = await stream.liveBook(place.marketId, place.outcomeId).ready()
    proxy.refuse(true)
    const before = proxy.connections
    await until(() => proxy.connections >= before + 3)
    assert.equal(book.isLive, false)
    await scene.client.orders.place(limit(place, 'BUY'))
    proxy.refuse(false)
    await book.ready()
    await assertSame(book)
    assert.equal(book.bestBid, 0.5)
  } finally {
    proxy.refuse(false)
    stream.close()
  }
})

test('a connection on which nothing is heard any more is given up', async () => {
  const place = await scene.market()
  const stream = client.stream({ silenceMaxMs: 1_000 })
  try {
    const book = await stream.liveBook(place.marketId, place.outcomeId).ready()
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

/** A socket that loses messages which are to be lost, as a faulty proxy would. */
function losing(isLost: (message: { readonly type: string }) => boolean): typeof WebSocket {
  return class extends WebSocket {
    override set onmessage(take: ((event: MessageEvent) => void) | null) {
      this.addEventListener('message', (event) => {
        if (take !== null && !isLost(JSON.parse(event.data))) take(event)
      })
    }
  }
}

test('a lost change is noticed by the next one, and the book begins anew', async () => {
  const place = await scene.market()
  let updates = 0
  const isThird = ({ type }: { readonly type: string }) => {
    if (type !== 'orderbook.update') return false
    updates += 1
    return updates === 3
  }
  const stream = client.stream({ WebSocket: losing(isThird) })
  try {
    const book = await stream.liveBook(place.marketId, place.outcomeId).ready()
    for (const price of [0.1, 0.2, 0.3, 0.4]) {
      await scene.client.orders.place(limit(place, 'BUY', { price }))
    }
    await assertSame(book)
    assert.equal(book.bids.length, 4)
  } finally {
    stream.close()
  }
})

test('a lost last change is noticed by the heartbeats, and the book begins anew', async () => {
  const place = await scene.market()
  let isLossy = false
  const isLost = ({ type }: { readonly type: string }) => isLossy && type === 'orderbook.update'
  const stream = client.stream({ WebSocket: losing(isLost) })
  try {
    const book = await stream.liveBook(place.marketId, place.outcomeId).ready()
    isLossy = true
    await scene.client.orders.place(limit(place, 'BUY', { price: 0.4 }))
    await assertSame(book)
    assert.equal(book.bestBid, 0.4)
  } finally {
    stream.close()
  }
})

test('it can be iterated over: first as it is, then as it changes', async () => {
  const place = await scene.market()
  const stream = client.stream()
  const book = stream.liveBook(place.marketId, place.outcomeId)
  const best: (number | null)[] = []
  for await (const { bestBid } of book) {
    best.push(bestBid)
    const price = best.length / 10
    if (best.length === 4) break
    await scene.client.orders.place(limit(place, 'BUY', { price }))
  }
  assert.deepEqual(best, [null, 0.1, 0.2, 0.3])
  book.close()
  assert.equal(stream.state, 'IDLE')
})

test('a book that does not exist is refused to whoever waits for it', async () => {
  const { marketId } = await scene.market()
  const stream = client.stream()
  await assert.rejects(stream.liveBook(marketId, marketId).ready(), { code: 'OUTCOME_NOT_FOUND' })
  assert.equal(stream.state, 'IDLE')
})
