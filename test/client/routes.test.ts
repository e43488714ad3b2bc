// The client has a method for every route of the service, which returns the data of its answer.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type OpenApi, routeName } from '../../client/generate/render.ts'
import { calls, type Resources, refusedAlone } from './every-method.ts'
import { ClientFixture, limit } from './fixture.ts'

const fixture = await ClientFixture.open({ env: { WEBHOOK_ALLOW_INSECURE: 'true' } })
after(() => fixture.close())

async function routesOfDocument(): Promise<string[]> {
  const document: OpenApi = (await fixture.service.request('GET', '/openapi.json')).body
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter(() => path.startsWith('/api/') || path === '/health' || path === '/ready')
      .map((method) => routeName(method, path)),
  )
}

let made = 0

/** Creates new resources for each call, so that no call affects another. */
async function newResources(): Promise<Resources> {
  const { markets, orders, categories, webhooks, admin } = fixture.client
  made += 1
  const unique = `unique-${made}`
  const [ready, draft, closedId, resolvedId, settled, category, global, other, [webhook]] =
    await Promise.all([
      marketWithOrder(),
      markets.create({ title: 'Draft?' }),
      closedMarket(),
      resolvedMarket(),
      settledMarket(),
      categories.create({ name: 'Weather', slug: `of-${unique}` }),
      admin.createCategory({ name: 'All', slug: `global-${unique}` }),
      operatorWithKey(),
      webhooks.list(),
    ])
  const url = 'http://127.0.0.1:9/hook'
  return {
    ...ready,
    ...settled,
    ...other,
    unique,
    closedId,
    resolvedId,
    draftId: draft.id,
    categoryId: category.id,
    globalCategoryId: global.id,
    webhookId: (webhook ?? (await webhooks.create({ url }))).id,
  }

  async function marketWithOrder() {
    const market = await fixture.market()
    await orders.place(limit(market, 'SELL', { shares: 1 }))
    const { trades } = await orders.place(limit(market, 'BUY', { shares: 1 }))
    const { order } = await orders.place(limit(market, 'BUY', { price: 0.1 }))
    return { ...market, orderId: order.id, tradeId: trades[0]!.id }
  }

  async function operatorWithKey() {
    const { operator } = await admin.createOperator({ name: 'Other' })
    const { key } = await admin.createKey(operator.id)
    return { operatorId: operator.id, keyId: key.id }
  }
}

async function closedMarket(): Promise<string> {
  const { marketId } = await fixture.market()
  await fixture.client.markets.close(marketId)
  return marketId
}

async function resolvedMarket(): Promise<string> {
  const { marketId, outcomeId } = await fixture.market()
  await fixture.client.markets.close(marketId)
  const answer = { winningOutcomeId: outcomeId, resolutionSource: 'the news' }
  await fixture.client.markets.resolve(marketId, answer)
  return marketId
}

async function settledMarket() {
  const settledId = await resolvedMarket()
  const { settlements } = await fixture.client.markets.settle(settledId)
  return { settledId, settlementId: settlements[0]?.id ?? '' }
}

test('every route of the OpenAPI document has a method that returns its data', async () => {
  const requests: string[] = []
  const client = fixture.clientOf({
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      requests.push(`${init?.method} ${new URL(String(input)).pathname} ${response.status}`)
      return response
    },
  })
  const routes = await routesOfDocument()
  assert.ok(routes.length > 45)
  const forReads = await newResources()
  for (const route of routes) {
    const call = calls[route]
    assert.ok(call !== undefined, `${route} has no method`)
    const form = route.replace(/[{}]+/g, '[^/]+')
    const code = refusedAlone[route]
    if (code === undefined) {
      const data = await call(client, route.startsWith('GET ') ? forReads : await newResources())
      assert.ok(data !== undefined && data !== null, route)
    } else {
      await assert.rejects(call(client, forReads), { code })
    }
    const status = code === undefined ? '20[012]' : '409'
    assert.match(requests.at(-1) ?? '', new RegExp(`^${form} ${status}$`), route)
  }
})
