// The client's types are those of the service as it is: nothing is described twice by hand.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type AsyncApi, type OpenApi, renderWire } from '../../client/generate/render.ts'
import { testServer } from '../support/http/rest-server.ts'

async function documents() {
  const app = testServer()
  try {
    const openApi: OpenApi = (await app.inject('/openapi.json')).json()
    const asyncApi: AsyncApi = (await app.inject('/asyncapi.json')).json()
    return { openApi, asyncApi }
  } finally {
    await app.close()
  }
}

test('the generated types are current; npm run generate:client makes them so', async () => {
  const { openApi, asyncApi } = await documents()
  const file = new URL('../../client/src/generated/wire.ts', import.meta.url)
  assert.equal(readFileSync(file, 'utf8'), renderWire(openApi, asyncApi))
})

test('a route, a field or a code that is new to the documents changes the types', async () => {
  const { openApi, asyncApi } = await documents()
  const before = renderWire(openApi, asyncApi)
  const schema = { type: 'object', properties: { data: { type: 'string' } } }
  const operation = { responses: { 200: { content: { 'application/json': { schema } } } } }
  const paths = { ...openApi.paths, '/api/v1/new/{id}': { get: operation } }
  assert.match(renderWire({ ...openApi, paths }, asyncApi), /'GET \/api\/v1\/new\/\{\}': \{/)
  const schemas = { ...openApi.components.schemas, Order: { type: 'integer' } }
  const changed = renderWire({ ...openApi, components: { schemas } }, asyncApi)
  assert.match(changed, /export type Order = number/)
  assert.doesNotMatch(before, /NEW_CODE/)
  const info = { description: `${openApi.info.description}\n| NEW_CODE | 409 | x |` }
  assert.match(renderWire({ ...openApi, info }, asyncApi), /\| 'NEW_CODE'/)
})
