// Every route of the service can be asked through the client, and the answer is its data.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type OpenApi, routeName } from '../../client/generate/render.ts'
import { calls, type Things } from './every-method.ts'
import { ClientScene, limit } from './scene.ts'

const scene = await ClientScene.open({ env: { WEBHOOK_ALLOW_INSECURE: 'true' } })
after(() => scene.close())

async function routesOfDocument(): Promise<string[]> {
  const document: OpenApi = (await scene.service.ask('GET', '/openapi.json')).body
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter(() => path.startsWith('/api/') || path === '/health' || path === '/ready')
      .map((method) => routeName(method, path)),
  )
}

let made = 0

/** New ones for each call, so that no call spoils another; made together, so that it is fast. */
async function newThings(): Promise<Things> {
  const { markets, orders, categories, webhooks, admin } = scene.client
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
    ...{ ...ready, ...settled, ...other, unique, closedId, resolvedId },
    draftId: draft.id,
    categoryId: category.id,
    globalCategoryId: global.id,
    webhookId: (webhook ?? (await webhooks.create({ url }))).id,
  }

  async function marketWithOrder() {
    const place = await scene.market()
    const { order } = await orders.place(limit(place, 'BUY', { price: 0.1 }))
    return { ...place, orderId: order.id }
  }

  async function operatorWithKey() {
    const { operator } = await admin.createOperator({ name: 'Other' })
    const { key } = await admin.createKey(operator.id)
    return { operatorId: operator.id, keyId: key.id }
  }
}

async function closedMarket(): Promise<string> {
  const { marketId } = await scene.market()
  await scene.client.markets.close(marketId)
  return marketId
}

async function resolvedMarket(): Promise<string> {
  const { marketId, outcomeId } = await scene.market()
  await scene.client.markets.close(marketId)
  const answer = { winningOutcomeId: outcomeId, resolutionSource: 'the news' }
  await scene.client.markets.resolve(marketId, answer)
  return marketId
}

async function settledMarket() {
  const settledId = await resolvedMarket()
  const { settlements } = await scene.client.markets.settle(settledId)
  return { settledId, settlementId: settlements[0]?.id ?? '' }
}

test('every route of the document has a method that gets its data', async () => {
  const asked: string[] = []
  const client = scene.clientOf({
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      asked.push(`${init?.method} ${new URL(String(input)).pathname} ${response.status}`)
      return response
    },
  })
  const routes = await routesOfDocument()
  assert.ok(routes.length > 45)
  const forReads = await newThings()
  for (const route of routes) {
    const call = calls[route]
    assert.ok(call !== undefined, `${route} has no method`)
    const data = await call(client, route.startsWith('GET ') ? forReads : await newThings())
    assert.ok(data !== undefined && data !== null, route)
    const form = route.replace(/[{}]+/g, '[^/]+')
    const last = asked.at(-1) ?? ''
    assert.match(last, new RegExp(`^${form} 20[01]$`), route)
  }
})
