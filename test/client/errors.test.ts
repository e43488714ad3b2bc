// The client throws an error of the service with its code, status, details and retryAfter.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isOutcryError, type OutcryClient } from '../../client/src/outcry.ts'
import { ClientFixture, limit } from './fixture.ts'

const limits = { RATE_LIMIT_PUBLIC: '1' }
const fixture = await ClientFixture.open({ env: limits })
after(() => fixture.close())
const { client } = fixture
const market = await fixture.market()
const none = '019a8a30-1c00-7000-8000-000000000001'
const once = { retriesMax: 0 }

async function settledMarket(): Promise<string> {
  const { marketId, outcomeId } = await fixture.market()
  await client.markets.close(marketId)
  const answer = { winningOutcomeId: outcomeId, resolutionSource: 'the news' }
  await client.markets.resolve(marketId, answer)
  await client.markets.settle(marketId)
  return marketId
}

async function readOnlyClient(): Promise<OutcryClient> {
  const { apiKey } = await client.admin.createKey(fixture.operatorId, { scopes: ['read'] })
  return fixture.clientOf({ apiKey })
}

const cases: readonly [code: string, status: number, call: () => Promise<unknown>][] = [
  ['VALIDATION_ERROR', 400, () => client.markets.create({ title: '' })],
  ['ORDER_INVALID_SHARES', 400, () => client.orders.place(limit(market, 'BUY', { shares: 0.001 }))],
  ['ORDER_INVALID_PRICE', 400, () => client.orders.place(limit(market, 'BUY', { price: 2 }))],
  ['UNAUTHORIZED', 401, () => fixture.clientOf({ apiKey: 'wrong' }).markets.list()],
  ['UNAUTHORIZED', 401, () => fixture.clientOf({ adminKey: 'wrong' }).admin.operators()],
  ['FORBIDDEN', 403, async () => (await readOnlyClient()).orders.place(limit(market, 'BUY'))],
  ['MARKET_NOT_FOUND', 404, () => client.markets.get(none)],
  ['MARKET_NOT_FOUND', 404, () => client.markets.get('../../health')],
  ['ORDER_NOT_FOUND', 404, () => client.orders.cancel(none)],
  ['TRADE_NOT_FOUND', 404, () => client.trades.get(none)],
  ['CATEGORY_NOT_FOUND', 404, () => client.categories.edit(none, {})],
  ['WEBHOOK_NOT_FOUND', 404, () => client.webhooks.delete(none)],
  ['OPERATOR_NOT_FOUND', 404, () => client.admin.operator(none)],
  ['KEY_NOT_FOUND', 404, () => client.admin.revokeKey(fixture.operatorId, none)],
  [
    'SETTLEMENT_NOT_FOUND',
    404,
    () => client.settlements.acknowledge(none, { transactionId: 'x', status: 'COMPLETED' }),
  ],
  [
    'MARKET_NOT_OPEN',
    409,
    async () => {
      const other = await fixture.market()
      await client.markets.suspend(other.marketId, 'pause')
      return client.orders.place(limit(other, 'BUY'))
    },
  ],
  ['MARKET_INVALID_TRANSITION', 409, () => client.markets.resume(market.marketId)],
  ['MARKET_NOT_EDITABLE', 409, () => client.markets.edit(market.marketId, { title: 'Other' })],
  [
    'ORDER_CANNOT_CANCEL',
    409,
    async () => {
      const { order } = await client.orders.place(limit(market, 'BUY'))
      await client.orders.cancel(order.id)
      return client.orders.cancel(order.id)
    },
  ],
  [
    'ORDER_DUPLICATE_TRANSACTION',
    409,
    async () => {
      const order = { ...limit(market, 'BUY'), transactionId: 'twice' }
      await client.orders.place(order)
      return client.orders.place({ ...order, shares: 11 })
    },
  ],
  [
    'POSITION_INSUFFICIENT_SHARES',
    409,
    () => client.orders.place(limit(market, 'SELL', { playerId: 'nobody' })),
  ],
  [
    'CATEGORY_DUPLICATE_SLUG',
    409,
    async () => {
      await client.categories.create({ name: 'A', slug: 'twice' })
      return client.categories.create({ name: 'B', slug: 'twice' })
    },
  ],
  ['SETTLEMENT_ALREADY_COMPLETED', 409, async () => client.markets.settle(await settledMarket())],
  [
    'PAYLOAD_TOO_LARGE',
    413,
    () => client.markets.create({ title: 'x', description: 'x'.repeat(300_000) }),
  ],
]

for (const [code, status, call] of cases) {
  test(`the client throws ${code} with status ${status}`, async () => {
    await assert.rejects(call(), (error) => {
      assert.ok(isOutcryError(error))
      assert.equal(error.code, code)
      assert.equal(error.status, status)
      assert.ok((error.requestId ?? '') !== '')
      assert.equal(error.retryAfter, null)
      return true
    })
  })
}

test('an error has the details that the service sent', async () => {
  const other = await fixture.market()
  const { price: _, ...order } = limit(other, 'BUY')
  await assert.rejects(client.orders.place({ ...order, type: 'MARKET' }), (error) => {
    assert.ok(isOutcryError(error, 'ORDER_NO_LIQUIDITY'))
    assert.equal(typeof error.details.orderId, 'string')
    return true
  })
})

test('RATE_LIMITED errors state how long to wait', async () => {
  const requests = Array.from({ length: 10 }, () => client.marketData.prices(market.marketId, once))
  const results = await Promise.allSettled(requests)
  const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  assert.ok(refused.length > 0)
  for (const error of refused) {
    assert.ok(isOutcryError(error, 'RATE_LIMITED'))
    assert.equal(error.status, 429)
    assert.ok((error.retryAfter ?? 0) >= 1)
  }
})

test('isOutcryError recognizes codes, and no errors of other kinds', async () => {
  const error = await client.markets.get(none).catch((reason: unknown) => reason)
  assert.ok(isOutcryError(error, 'ORDER_NOT_FOUND', 'MARKET_NOT_FOUND'))
  assert.ok(!isOutcryError(error, 'ORDER_NOT_FOUND'))
  assert.ok(!isOutcryError(new Error('other')))
})
