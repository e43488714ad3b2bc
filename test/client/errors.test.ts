// Refusals of the service come as errors with its code, its status and what else it tells.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isOutcryError, type OutcryClient } from '../../client/src/outcry.ts'
import { ClientScene, limit } from './scene.ts'

const limits = { RATE_LIMIT_PUBLIC: '1' }
const scene = await ClientScene.open({ env: limits })
after(() => scene.close())
const { client } = scene
const place = await scene.market()
const none = '019a8a30-1c00-7000-8000-000000000001'
const once = { retriesMax: 0 }

async function settled(): Promise<string> {
  const { marketId, outcomeId } = await scene.market()
  await client.markets.close(marketId)
  const answer = { winningOutcomeId: outcomeId, resolutionSource: 'the news' }
  await client.markets.resolve(marketId, answer)
  await client.markets.settle(marketId)
  return marketId
}

async function readOnly(): Promise<OutcryClient> {
  const { apiKey } = await client.admin.createKey(scene.operatorId, { scopes: ['read'] })
  return scene.clientOf({ apiKey })
}

const cases: readonly [code: string, status: number, ask: () => Promise<unknown>][] = [
  ['VALIDATION_ERROR', 400, () => client.markets.create({ title: '' })],
  ['ORDER_INVALID_SHARES', 400, () => client.orders.place(limit(place, 'BUY', { shares: 0.001 }))],
  ['ORDER_INVALID_PRICE', 400, () => client.orders.place(limit(place, 'BUY', { price: 2 }))],
  ['UNAUTHORIZED', 401, () => scene.clientOf({ apiKey: 'wrong' }).markets.list()],
  ['UNAUTHORIZED', 401, () => scene.clientOf({ adminKey: 'wrong' }).admin.operators()],
  ['FORBIDDEN', 403, async () => (await readOnly()).orders.place(limit(place, 'BUY'))],
  ['MARKET_NOT_FOUND', 404, () => client.markets.get(none)],
  ['MARKET_NOT_FOUND', 404, () => client.markets.get('../../health')],
  ['ORDER_NOT_FOUND', 404, () => client.orders.cancel(none)],
  ['CATEGORY_NOT_FOUND', 404, () => client.categories.edit(none, {})],
  ['WEBHOOK_NOT_FOUND', 404, () => client.webhooks.delete(none)],
  ['OPERATOR_NOT_FOUND', 404, () => client.admin.operator(none)],
  ['KEY_NOT_FOUND', 404, () => client.admin.revokeKey(scene.operatorId, none)],
  [
    'SETTLEMENT_NOT_FOUND',
    404,
    () => client.settlements.acknowledge(none, { transactionId: 'x', status: 'COMPLETED' }),
  ],
  [
    'MARKET_NOT_OPEN',
    409,
    async () => {
      const other = await scene.market()
      await client.markets.suspend(other.marketId, 'pause')
      return client.orders.place(limit(other, 'BUY'))
    },
  ],
  ['MARKET_INVALID_TRANSITION', 409, () => client.markets.resume(place.marketId)],
  ['MARKET_NOT_EDITABLE', 409, () => client.markets.edit(place.marketId, { title: 'Other' })],
  [
    'ORDER_CANNOT_CANCEL',
    409,
    async () => {
      const { order } = await client.orders.place(limit(place, 'BUY'))
      await client.orders.cancel(order.id)
      return client.orders.cancel(order.id)
    },
  ],
  [
    'ORDER_DUPLICATE_TRANSACTION',
    409,
    async () => {
      const order = { ...limit(place, 'BUY'), transactionId: 'twice' }
      await client.orders.place(order)
      return client.orders.place({ ...order, shares: 11 })
    },
  ],
  [
    'POSITION_INSUFFICIENT_SHARES',
    409,
    () => client.orders.place(limit(place, 'SELL', { playerId: 'nobody' })),
  ],
  [
    'CATEGORY_DUPLICATE_SLUG',
    409,
    async () => {
      await client.categories.create({ name: 'A', slug: 'twice' })
      return client.categories.create({ name: 'B', slug: 'twice' })
    },
  ],
  ['SETTLEMENT_ALREADY_COMPLETED', 409, async () => client.markets.settle(await settled())],
  [
    'PAYLOAD_TOO_LARGE',
    413,
    () => client.markets.create({ title: 'x', description: 'x'.repeat(300_000) }),
  ],
]

for (const [code, status, ask] of cases) {
  test(`${code} is an error with that code and status ${status}`, async () => {
    await assert.rejects(ask(), (error) => {
      assert.ok(isOutcryError(error))
      assert.equal(error.code, code)
      assert.equal(error.status, status)
      assert.ok((error.requestId ?? '') !== '')
      assert.equal(error.retryAfter, null)
      return true
    })
  })
}

test('what the service adds to a refusal is in its details', async () => {
  const other = await scene.market()
  const { price: _, ...order } = limit(other, 'BUY')
  await assert.rejects(client.orders.place({ ...order, type: 'MARKET' }), (error) => {
    assert.ok(isOutcryError(error, 'ORDER_NO_LIQUIDITY'))
    assert.equal(typeof error.details.orderId, 'string')
    return true
  })
})

test('a rate limit tells how long to wait', async () => {
  const asking = Array.from({ length: 10 }, () => client.marketData.prices(place.marketId, once))
  const results = await Promise.allSettled(asking)
  const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  assert.ok(refused.length > 0)
  for (const error of refused) {
    assert.ok(isOutcryError(error, 'RATE_LIMITED'))
    assert.equal(error.status, 429)
    assert.ok((error.retryAfter ?? 0) >= 1)
  }
})

test('an error is known by its code, and what is not ours is not', async () => {
  const error = await client.markets.get(none).catch((reason: unknown) => reason)
  assert.ok(isOutcryError(error, 'ORDER_NOT_FOUND', 'MARKET_NOT_FOUND'))
  assert.ok(!isOutcryError(error, 'ORDER_NOT_FOUND'))
  assert.ok(!isOutcryError(new Error('other')))
})
