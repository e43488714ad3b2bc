// The stream over real connections: the response to each message, and what each channel sends.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'
import { StreamClient } from '../../support/stream/stream-client.ts'

let service: Service
let operator: OperatorClient
before(async () => {
  service = await Service.start()
  operator = await OperatorClient.create(service)
})
after(() => service.stop())

const unknownId = '00000000-0000-4000-8000-000000000000'

function connect(key?: string): Promise<StreamClient> {
  return StreamClient.open(service.url, key === undefined ? {} : { key })
}

async function refusedWith(client: StreamClient, message: object, code: string): Promise<Json> {
  const answer = await client.request(message)
  assert.equal(answer.type, 'error', JSON.stringify(answer))
  assert.equal(answer.error.code, code, answer.error.message)
  return answer
}

test('subscribing again sends no state again; after unsubscribing it does', async () => {
  const market = await operator.marketWithHolders({ ann: 100 })
  const client = await connect()
  const topics = { channels: ['orderbook', 'prices', 'trades'], marketIds: [market.id] }
  const states = () =>
    client.messages.filter(({ type }) => type === 'orderbook.snapshot' || type === 'price').length
  const isComplete = (count: number) => client.until(() => states() >= count)
  const first = await client.request({ op: 'subscribe', ...topics })
  await isComplete(4)
  for (let round = 0; round < 5; round += 1) {
    const again = await client.request({ op: 'subscribe', ...topics })
    assert.deepEqual({ ...again, id: '' }, { ...first, id: '' })
  }
  // A new part of a subscription has its state; what was subscribed continues without a gap.
  await operator.sell(market, { price: 0.6, shares: 5 })
  const update = await client.until(({ type }) => type === 'orderbook.update')
  const snapshots = client.ofType('orderbook.snapshot')
  const before = snapshots.find(({ outcomeId }) => outcomeId === update.outcomeId)
  assert.equal(update.version, before.version + 1)
  assert.equal(snapshots.length, 2)
  const known = states()
  await client.request({ op: 'unsubscribe', ...topics })
  await client.request({ op: 'subscribe', ...topics })
  await isComplete(known + 4)
  assert.equal(client.ofType('orderbook.snapshot').length, 4)
  await client.close()
})

test('a book is sent whole, then change by change, with the versions of REST', async () => {
  const market = await operator.marketWithHolders({ ann: 100 })
  await operator.sell(market, { price: 0.6, shares: 5 })
  const client = await connect()
  const answer = await client.request({
    op: 'subscribe',
    channels: ['orderbook'],
    marketIds: [market.id],
    outcomeIds: [market.outcomes[0].id],
  })
  assert.deepEqual(answer, {
    type: 'subscribed',
    id: answer.id,
    channels: ['orderbook'],
    marketIds: [market.id],
    outcomeIds: [market.outcomes[0].id],
  })
  const snapshot = await client.until(({ type }) => type === 'orderbook.snapshot')
  const { timestamp, ...state } = snapshot
  const { timestamp: restTime, ...rest } = await operator.book(market)
  assert.deepEqual(state, { type: 'orderbook.snapshot', ...rest })
  assert.ok(Math.abs(timestamp - restTime) < 60_000)
  await operator.buy(market, { player: 'bob', price: 0.6, shares: 2 })
  await operator.buy(market, { player: 'bob', price: 0.4, shares: 1 })
  const second = await client.until(({ version }) => version === snapshot.version + 2)
  const first = client.messages.find(({ version }) => version === snapshot.version + 1)
  assert.deepEqual(first.asks, [{ price: 0.6, shares: 3, orderCount: 1 }])
  assert.deepEqual(second.bids, [{ price: 0.4, shares: 1, orderCount: 1 }])
  assert.deepEqual([second.bestBid, second.bestAsk, second.spread], [0.4, 0.6, 0.2])
  assert.equal((await operator.book(market)).version, second.version)
  await client.close()
})

test('prices are sent at once and after each change, trades as they are made', async () => {
  const market = await operator.marketWithHolders({ ann: 100 })
  await operator.sell(market, { price: 0.6, shares: 5 })
  const client = await connect()
  await client.request({ op: 'subscribe', channels: ['prices', 'trades'], marketIds: [market.id] })
  await client.until(({ type, bestAsk }) => type === 'price' && bestAsk === 0.6)
  await operator.buy(market, { player: 'bob', price: 0.7, shares: 2 })
  await operator.buy(market, { player: 'bob', price: 0.5, shares: 10 })
  await operator.sell(market, { price: 0.5, shares: 1 })
  const last = await client.until(({ type, takerSide }) => type === 'trade' && takerSide === 'SELL')
  const [outcome] = market.outcomes
  const about = { type: 'trade', marketId: market.id, outcomeId: outcome.id }
  const trades = client.ofType('trade').map(({ timestamp, ...trade }) => trade)
  assert.deepEqual(trades, [
    { ...about, price: 0.6, shares: 2, takerSide: 'BUY' },
    { ...about, price: 0.5, shares: 1, takerSide: 'SELL' },
  ])
  assert.ok(Math.abs(last.timestamp - Date.now()) < 60_000)
  const ofOutcome = client.ofType('price').filter(({ outcomeId }) => outcomeId === outcome.id)
  const updates = (await operator.events('&eventType=PRICE_UPDATED')).filter(
    ({ marketId }: Json) => marketId === market.id,
  )
  const changes = updates.slice(1).map(({ payload }: Json) => ({ type: 'price', ...payload }))
  assert.deepEqual(ofOutcome.slice(1), changes)
  await client.close()
})

test('the channel events needs a key, in the header or in a message', async () => {
  const events = { op: 'subscribe', channels: ['events'], since: 0 }
  const client = await connect()
  await refusedWith(client, events, 'UNAUTHORIZED')
  await refusedWith(client, { op: 'auth', apiKey: 'oc_live_wrong' }, 'UNAUTHORIZED')
  const trader = await operator.withKey({ scopes: ['trade'] })
  await refusedWith(client, { op: 'auth', apiKey: trader.key }, 'FORBIDDEN')
  const answer = await client.request({ op: 'auth', apiKey: operator.key })
  assert.deepEqual(answer, { type: 'authenticated', id: answer.id, operatorId: operator.id })
  const other = await OperatorClient.create(service)
  await refusedWith(client, { op: 'auth', apiKey: other.key }, 'FORBIDDEN')
  const stored = await operator.events()
  const byHeader = await connect(operator.key)
  for (const each of [client, byHeader]) {
    assert.equal((await each.request(events)).earliestSequence, 1)
    await each.until(({ event }) => event?.sequence === stored.length)
    const came = each.ofType('event').map(({ event }) => event)
    assert.deepEqual(came, stored)
    await refusedWith(each, events, 'VALIDATION_ERROR')
    await each.close()
  }
})

test('a wrong key on the upgrade is refused as in REST', async () => {
  const trader = await operator.withKey({ scopes: ['trade'] })
  for (const [key, status] of [
    ['oc_live_wrong', 401],
    [trader.key, 403],
  ] as const) {
    await assert.rejects(connect(key), new RegExp(`response: ${status}`))
  }
})

test('without since only new events are sent', async () => {
  const market = await operator.openMarket()
  const client = await connect(operator.key)
  await client.request({ op: 'subscribe', channels: ['events'] })
  await operator.buy(market)
  await client.until(({ event }) => event?.eventType === 'PRICE_UPDATED')
  const came = client.ofType('event').map(({ event }) => event.eventType)
  assert.deepEqual(came, ['ORDER_PLACED', 'ORDER_BOOK_UPDATE', 'PRICE_UPDATED'])
  await client.close()
})

test('an ended subscription sends nothing more', async () => {
  const [kept, left] = [await operator.openMarket(), await operator.openMarket()]
  const client = await connect(operator.key)
  const marketIds = [kept.id, left.id]
  await client.request({ op: 'subscribe', channels: ['orderbook', 'trades', 'events'], marketIds })
  const answer = await client.request({
    op: 'unsubscribe',
    channels: ['orderbook', 'events'],
    marketIds: [left.id],
  })
  assert.equal(answer.type, 'unsubscribed')
  assert.deepEqual(answer.marketIds, [left.id])
  assert.deepEqual(new Set(answer.outcomeIds), new Set(left.outcomes.map(({ id }: Json) => id)))
  await operator.buy(left)
  await operator.buy(kept)
  const update = await client.until(({ type }) => type === 'orderbook.update')
  assert.equal(update.marketId, kept.id)
  assert.deepEqual(client.ofType('event'), [])
  await client.close()
})

test('an invalid message is answered with an error, and the connection stays open', async () => {
  const market = await operator.openMarket()
  const draft = await operator.createMarket()
  const client = await connect()
  const books = { op: 'subscribe', channels: ['orderbook'] }
  for (const text of ['{', '[]', '"x"', 'null', '']) client.send(text)
  client.socket.send(Buffer.from('{"op":"ping"}'), { binary: true })
  await refusedWith(client, { op: 'sing' }, 'VALIDATION_ERROR')
  assert.equal(client.ofType('error').length, 7)
  assert.ok(client.ofType('error').every(({ error }) => error.code === 'VALIDATION_ERROR'))
  await refusedWith(client, books, 'VALIDATION_ERROR')
  const marketIds = [market.id]
  await refusedWith(client, { ...books, marketIds: ['x'] }, 'VALIDATION_ERROR')
  await refusedWith(client, { ...books, marketIds, channels: ['all'] }, 'VALIDATION_ERROR')
  await refusedWith(client, { ...books, marketIds, depth: 5 }, 'VALIDATION_ERROR')
  await refusedWith(client, { ...books, marketIds: [market.id, unknownId] }, 'MARKET_NOT_FOUND')
  await refusedWith(client, { ...books, marketIds: [draft.id] }, 'MARKET_NOT_FOUND')
  const outcomeIds = [draft.outcomes[0].id]
  await refusedWith(client, { ...books, marketIds, outcomeIds }, 'OUTCOME_NOT_FOUND')
  assert.equal(client.ofType('orderbook.snapshot').length, 0)
  const pong = await client.request({ op: 'ping' })
  assert.deepEqual(Object.keys(pong), ['type', 'id', 'timestamp'])
  await client.close()
})

test('a connection has at most 200 subscriptions, one per channel and market', async () => {
  const markets = await Promise.all(Array.from({ length: 67 }, () => operator.openMarket()))
  const client = await connect()
  const marketIds = markets.map(({ id }) => id)
  const channels = ['prices', 'trades', 'orderbook']
  await refusedWith(client, { op: 'subscribe', channels, marketIds }, 'SUBSCRIPTION_LIMIT')
  const most = { op: 'subscribe', channels, marketIds: marketIds.slice(1) }
  assert.equal((await client.request(most)).outcomeIds.length, 132)
  const more = { op: 'subscribe', channels, marketIds: marketIds.slice(0, 1) }
  await refusedWith(client, more, 'SUBSCRIPTION_LIMIT')
  const fewer = { op: 'unsubscribe', channels: ['trades'], marketIds: marketIds.slice(1, 2) }
  await client.request(fewer)
  assert.equal((await client.request({ ...more, channels: ['prices'] })).type, 'subscribed')
  await client.close()
})

test('an operator gets only its own events', async () => {
  const other = await OperatorClient.create(service)
  const shared = await operator.openMarket({ shared: true })
  const client = await connect(other.key)
  await client.request({ op: 'subscribe', channels: ['events'], since: 0 })
  await operator.buy(shared)
  await other.buy(shared, { player: 'zoe', price: 0.3 })
  await client.until(({ event }) => event?.eventType === 'ORDER_PLACED')
  await client.request({ op: 'ping' })
  const stored = await other.events()
  const came = client.ofType('event').map(({ event }) => event)
  assert.deepEqual(came, stored)
  assert.ok(came.every(({ operatorId }) => operatorId === other.id))
  await client.close()
})

test('a client that sends too often is refused, and disconnected if it continues', async () => {
  const client = await connect()
  for (let count = 0; count < 30; count += 1) client.send({ op: 'ping' })
  await client.until(({ error }) => error?.code === 'RATE_LIMITED')
  assert.ok(client.isOpen)
  for (let count = 0; count < 40; count += 1) client.send({ op: 'ping' })
  assert.equal((await client.ended()).code, 1008)
  assert.ok(client.ofType('pong').length < 30)
})

test('a refusal for too many messages has the id of the message if it is readable', async () => {
  const client = await connect()
  const texts = ['{"op":"ping","id":"late"}', '{"id":"other"}', '{"op":"ping"}', '{"id":5}', 'x']
  for (let count = 0; count < 28; count += 1) client.send({ op: 'ping' })
  for (const text of texts) client.send(text)
  client.socket.send(Buffer.from('{"id":"bytes"}'))
  const refused = () => client.ofType('error').filter(({ error }) => error.code === 'RATE_LIMITED')
  await client.until(() => client.ofType('pong').length + refused().length === 34)
  const ids = refused().map(({ id }) => id)
  assert.deepEqual(ids.slice(-6), ['late', 'other', null, null, null, null])
  await client.close()
})

test('protocol pings count as messages', async () => {
  const client = await connect()
  for (let count = 0; count < 80; count += 1) client.socket.ping()
  assert.equal((await client.ended()).code, 1008)
})

test('a message that is too long ends the connection', async () => {
  const client = await connect()
  client.send({ op: 'ping', id: 'x'.repeat(16 * 1024) })
  assert.equal((await client.ended()).code, 1009)
})

test('a key that expires ends its connection', async () => {
  const expiresAt = new Date(Date.now() + 1_000).toISOString()
  const client = await connect((await operator.withKey({ expiresAt })).key)
  await client.request({ op: 'subscribe', channels: ['events'] })
  assert.equal((await client.ended()).code, 4001)
})

test('only /ws is upgraded; other requests that offer an upgrade are answered', async () => {
  const headers = { connection: 'upgrade, http2-settings', upgrade: 'h2c' }
  assert.equal((await service.request('GET', '/health')).status, 200)
  const { request } = await import('node:http')
  const statusOf = (path: string) =>
    new Promise((resolve, reject) => {
      const upgrade = request(service.url + path, { headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      upgrade.on('error', reject)
      upgrade.end()
    })
  assert.equal(await statusOf('/health'), 200)
  assert.equal(await statusOf('/ws'), 404)
})
