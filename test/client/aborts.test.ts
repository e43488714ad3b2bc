// A signal ends a request, a feed, a book, the wait for a book, or a whole stream, at once and with
// its reason.

import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { after, test } from 'node:test'
import type { Stream } from '../../client/src/outcry.ts'
import { until } from '../support/webhooks/receiver.ts'
import { ClientFixture, limit } from './fixture.ts'

const fixture = await ClientFixture.open()
after(() => fixture.close())
const { client } = fixture
const enough = { message: 'enough' }
const none = '019a8a30-1c00-7000-8000-000000000001'

function newSignal() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort(new Error('enough')) }
}

async function readAll(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

test('a call with a signal that was aborted before sends nothing', async () => {
  const { signal, abort } = newSignal()
  abort()
  const sent: unknown[] = []
  const silent = fixture.clientOf({
    fetch: async (input) => {
      sent.push(input)
      return Response.json({ success: true, data: {} })
    },
  })
  for (const call of [
    silent.ready({ signal }),
    silent.markets.list({}, { signal }),
    silent.orders.cancel(none, { signal }),
    silent.orders.each({}, { signal }).next(),
    silent.events.each({}, { signal }).next(),
  ]) {
    await assert.rejects(call, enough)
  }
  assert.deepEqual(sent, [])
})

const feeds: Readonly<
  Record<string, (stream: Stream, market: Market, signal: AbortSignal) => AsyncIterable<unknown>>
> = {
  events: (stream, _market, signal) => stream.events({ since: 0, signal }),
  trades: (stream, { marketId }, signal) => stream.trades({ marketIds: [marketId] }, { signal }),
  prices: (stream, { marketId }, signal) => stream.prices({ marketIds: [marketId] }, { signal }),
  liveBook: (stream, { marketId, outcomeId }, signal) =>
    stream.liveBook(marketId, outcomeId, { signal }),
}

type Market = { readonly marketId: string; readonly outcomeId: string }

for (const [name, open] of Object.entries(feeds)) {
  test(`a signal ends ${name}, with its reason, and nothing else on the stream`, async () => {
    const market = await fixture.market()
    const { signal, abort } = newSignal()
    const stream = client.stream()
    try {
      const other = stream.liveBook(market.marketId, market.outcomeId)
      const reading = readAll(open(stream, market, signal))
      await other.ready()
      abort()
      await assert.rejects(reading, enough)
      const { version } = other
      await client.orders.place(limit(market, 'BUY'))
      await until(() => other.version > version)
      other.close()
      assert.equal(stream.state, 'IDLE')
      assert.throws(() => open(stream, market, signal), enough)
      assert.equal(stream.state, 'IDLE')
    } finally {
      stream.close()
    }
  })
}

test('a signal of the stream closes it, and ends everything on it with its reason', async () => {
  const market = await fixture.market()
  const { signal, abort } = newSignal()
  const stream = client.stream({ signal })
  const book = stream.liveBook(market.marketId, market.outcomeId)
  const unknown = stream.liveBook(market.marketId, market.outcomeId)
  const waits = [
    readAll(stream.events({ since: 0 })),
    readAll(stream.trades({ marketIds: [market.marketId] })),
    readAll(book),
    unknown.ready().then((ready) => readAll(ready)),
  ]
  await book.ready()
  abort()
  for (const wait of waits) await assert.rejects(wait, enough)
  assert.equal(stream.state, 'CLOSED')
  assert.equal(book.isLive, false)
  assert.throws(() => client.stream({ signal }), enough)
})

test('a signal ends the wait until a book is ready, and not the book', async () => {
  const market = await fixture.market()
  const stream = client.stream()
  try {
    const book = stream.liveBook(market.marketId, market.outcomeId)
    const { signal, abort } = newSignal()
    const wait = book.ready({ signal })
    abort()
    await assert.rejects(wait, enough)
    await assert.rejects(book.ready({ signal }), enough)
    assert.equal(await book.ready(), book)
  } finally {
    stream.close()
  }
})

test('what has ended leaves no listener on its signal', async () => {
  const market = await fixture.market()
  const { signal } = newSignal()
  const stream = client.stream({ signal })
  const book = stream.liveBook(market.marketId, market.outcomeId, { signal })
  await book.ready({ signal })
  const feed = stream.events({ since: 0, signal })
  for await (const _ of feed) break
  const prices = stream.prices({ marketIds: [market.marketId] }, { signal })
  book.close()
  assert.ok(getEventListeners(signal, 'abort').length > 0)
  stream.close()
  await readAll(prices)
  assert.deepEqual(getEventListeners(signal, 'abort'), [])
})
