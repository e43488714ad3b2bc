// Moving the end of trading of a market that has opened: the answer, the refusals, who gets the
// events, and when trading ends, also after a restart.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused, until } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import type { Json } from '../../support/process/outcry-process.ts'
import { StreamClient } from '../../support/stream/stream-client.ts'
import { WebhookFixture } from '../../support/webhooks/webhook-fixture.ts'

let fixture: WebhookFixture
before(async () => {
  fixture = await WebhookFixture.open()
})
after(() => fixture.close())

const later = '2099-01-01T12:00:00.000Z'
const reason = 'The match starts later'

function inMs(ms: number): string {
  return new Date(Date.now() + ms).toISOString()
}

function change(operator: OperatorClient, { id }: Json, body: object, more: object = {}) {
  return operator.request('POST', `/markets/${id}/trading-window`, body, more)
}

const newOperator = () => OperatorClient.create(fixture.service)

test('an OPEN and a SUSPENDED market are answered with their new end', async () => {
  const operator = await newOperator()
  const market = await operator.openMarket({ tradingEndsAt: '2098-01-01T00:00:00Z' })
  const { status, body } = await change(operator, market, { tradingEndsAt: later, reason })
  assert.equal(status, 200)
  const { updatedAt, ...changed } = body.data
  const { updatedAt: before, ...rest } = market
  assert.deepEqual(changed, { ...rest, tradingEndsAt: later })
  assert.ok(updatedAt >= before)
  assert.deepEqual(await operator.market(market), body.data)
  await operator.suspend(market)
  const sooner = { tradingEndsAt: '2099-01-01T13:00:00+02:00', reason }
  const suspended = (await change(operator, market, sooner)).body.data
  assert.equal(suspended.tradingEndsAt, '2099-01-01T11:00:00.000Z')
  assert.equal(suspended.status, 'SUSPENDED')
})

test('a body without a future end or a reason is refused, and changes nothing', async () => {
  const operator = await newOperator()
  const startsAt = inMs(-1_000)
  const market = await operator.openMarket({ tradingStartsAt: startsAt, tradingEndsAt: later })
  for (const [body, field] of [
    [{ reason }, 'tradingEndsAt'],
    [{ reason, tradingEndsAt: null }, 'tradingEndsAt'],
    [{ reason, tradingEndsAt: inMs(-1) }, 'tradingEndsAt'],
    [{ reason, tradingEndsAt: startsAt }, 'tradingEndsAt'],
    [{ reason, tradingEndsAt: '2001-01-01T00:00:00Z' }, 'tradingEndsAt'],
    [{ reason, tradingEndsAt: '2099-01-01T00:00:00' }, 'tradingEndsAt'],
    [{ reason, tradingEndsAt: '2099-02-30T00:00:00Z' }, 'tradingEndsAt'],
    [{ reason, tradingEndsAt: 4_070_908_800_000 }, 'tradingEndsAt'],
    [{ tradingEndsAt: later }, 'reason'],
    [{ tradingEndsAt: later, reason: null }, 'reason'],
    [{ tradingEndsAt: later, reason: '' }, 'reason'],
    [{ tradingEndsAt: later, reason: 'x'.repeat(1_025) }, 'reason'],
    [{ tradingEndsAt: later, reason: 'a\u0000b' }, 'reason'],
    [{ tradingEndsAt: later, reason, tradingStartsAt: later }, 'tradingStartsAt'],
  ] as const) {
    assertRefused(await change(operator, market, body), 'VALIDATION_ERROR', field)
  }
  assert.deepEqual(await operator.market(market), market)
  assert.deepEqual(await operator.events('&eventType=MARKET_UPDATED'), [])
})

test('only the owner may, with the scope manage, and only while the market is open', async () => {
  const [owner, guest, stranger] = [await newOperator(), await newOperator(), await newOperator()]
  const market = await owner.openMarket({ shared: true })
  const body = { tradingEndsAt: later, reason }
  assertRefused(await change(guest, market, body), 'FORBIDDEN')
  const hidden = await owner.openMarket()
  assertRefused(await change(stranger, hidden, body), 'MARKET_NOT_FOUND')
  assertRefused(await change(owner, { id: crypto.randomUUID() }, body), 'MARKET_NOT_FOUND')
  const trader = await owner.withKey({ scopes: ['read', 'trade'] })
  assertRefused(await change(trader, market, body), 'FORBIDDEN')
  const refused = async (of: Json) =>
    assertRefused(await change(owner, of, body), 'MARKET_NOT_EDITABLE', 'trading window')
  await refused(await owner.createMarket())
  await refused(await owner.openMarket({ tradingStartsAt: '2098-01-01T00:00:00Z' }))
  await owner.act(market, 'close')
  await refused(market)
  await owner.resolve(market)
  await refused(market)
  await owner.act(market, 'settle')
  await refused(market)
  await owner.act(hidden, 'cancel', { reason })
  await refused(hidden)
})

test('all who trade there get MARKET_UPDATED, by replay, stream and webhook', async () => {
  const [owner, guest, onlooker] = [await newOperator(), await newOperator(), await newOperator()]
  const market = await owner.openMarket({ shared: true })
  await guest.buy(market, { price: 0.1 })
  const receiver = await fixture.receiver()
  await fixture.webhook(guest, receiver.url, { events: ['MARKET_UPDATED'] })
  const stream = await StreamClient.open(fixture.service.url, { key: owner.key })
  await stream.request({ op: 'subscribe', channels: ['events'] })
  await change(owner, market, { tradingEndsAt: later, reason })
  const payloads: Json[] = []
  for (const operator of [owner, guest]) {
    const [event, ...more] = await operator.events('&eventType=MARKET_UPDATED')
    assert.deepEqual(more, [])
    assert.equal(event.marketId, market.id)
    assert.equal(event.operatorId, operator.id)
    payloads.push(event.payload)
    const timestamp = Date.parse(event.createdAt)
    assert.deepEqual(event.payload, {
      marketId: market.id,
      tradingEndsAt: later,
      reason,
      priceBand: null,
      timestamp,
    })
  }
  const streamed = await stream.until(({ type }) => type === 'event')
  assert.deepEqual(streamed.event.payload, payloads[0])
  const received = await until(
    async () => receiver.received.map(({ event }) => event),
    ([event]) => event !== undefined,
  )
  assert.deepEqual(
    received.map(({ eventType, payload }) => [eventType, payload]),
    [['MARKET_UPDATED', payloads[1]]],
  )
  assert.deepEqual(await onlooker.events('&eventType=MARKET_UPDATED'), [])
  await stream.close()
})

test('trading ends at the new end and goes on after a later one, also after a crash', async () => {
  const operator = await newOperator()
  const market = await operator.openMarket({ tradingEndsAt: later })
  const soon = inMs(1_500)
  assert.equal((await change(operator, market, { tradingEndsAt: soon, reason })).status, 200)
  assert.equal((await operator.tryOrder(market, 'BUY')).status, 201)
  await fixture.restart('kill')
  const restarted = new OperatorClient(fixture.service, operator)
  await until(
    () => restarted.tryOrder(market, 'BUY'),
    ({ status }) => status === 409,
  )
  assert.ok(Date.now() >= Date.parse(soon))
  assertRefused(await restarted.tryOrder(market, 'BUY'), 'MARKET_NOT_OPEN')
  assert.equal((await restarted.market(market)).status, 'OPEN')
  assert.equal((await change(restarted, market, { tradingEndsAt: later, reason })).status, 200)
  assert.equal((await restarted.tryOrder(market, 'BUY')).status, 201)
  await fixture.restart('kill')
  const again = new OperatorClient(fixture.service, operator)
  assert.equal((await again.tryOrder(market, 'BUY')).status, 201)
  assert.equal((await again.market(market)).tradingEndsAt, later)
  const types = (await again.events('&eventType=MARKET_UPDATED')).map(({ payload }) => payload)
  assert.deepEqual(
    types.map(({ tradingEndsAt }) => tradingEndsAt),
    [soon, later],
  )
})

test('with an Idempotency-Key it is done once', async () => {
  const operator = await newOperator()
  const market = await operator.openMarket()
  const headers = { 'idempotency-key': 'window-1' }
  const post = (end: string) =>
    change(operator, market, { tradingEndsAt: end, reason }, { headers })
  const first = await post(later)
  const again = await post(later)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(again.body, first.body)
  assert.equal((await operator.events('&eventType=MARKET_UPDATED')).length, 1)
  assertRefused(await post('2099-01-02T00:00:00Z'), 'IDEMPOTENCY_KEY_REUSED')
})
