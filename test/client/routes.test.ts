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

/** New ones for each call, so that no call spoils another. */
async function newThings(): Promise<Things> {
  const { markets, orders, categories, webhooks, settlements, admin } = scene.client
  made += 1
  const unique = `unique-${made}`
  const place = await scene.market()
  const finished = await scene.market()
  const resolution = { winningOutcomeId: finished.outcomeId, resolutionSource: 'the news' }
  await markets.close(finished.marketId)
  await markets.resolve(finished.marketId, resolution)
  const resolved = await scene.market()
  await markets.close(resolved.marketId)
  const answer = { winningOutcomeId: resolved.outcomeId, resolutionSource: 'the news' }
  await markets.resolve(resolved.marketId, answer)
  const closed = await scene.market()
  await markets.close(closed.marketId)
  await markets.settle(finished.marketId)
  const [settlement] = await settlements.list({ marketId: finished.marketId })
  const category = await categories.create({ name: 'Weather', slug: `of-${unique}` })
  const global = await admin.createCategory({ name: 'All', slug: `global-${unique}` })
  const [webhook = await webhooks.create({ url: 'http://127.0.0.1:9/hook' })] =
    await webhooks.list()
  const { operator } = await admin.createOperator({ name: 'Other' })
  const { key } = await admin.createKey(operator.id)
  return {
    ...place,
    unique,
    orderId: (await orders.place(limit(place, 'BUY', { price: 0.1 }))).order.id,
    draftId: (await markets.create({ title: 'Draft?' })).id,
    closedId: closed.marketId,
    resolvedId: resolved.marketId,
    settledId: finished.marketId,
    settlementId: settlement?.id ?? '',
    categoryId: category.id,
    globalCategoryId: global.id,
    webhookId: webhook.id,
    operatorId: operator.id,
    keyId: key.id,
  }
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
