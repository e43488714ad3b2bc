// Malformed requests by the hundred, made from the schemas of every route: none may be our fault.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitting, type JsonSchema, spoilt } from '../../../test/support/json-values.ts'
import { Random } from '../../../test/support/random.ts'
import { adminKey, apiKeys, someId, testServer } from '../../../test/support/rest-server.ts'

const perRoute = 200

type Route = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly query: JsonSchema
  readonly body: JsonSchema
}

async function routesOf(app: ReturnType<typeof testServer>): Promise<readonly Route[]> {
  const { paths, components } = (await app.inject('/openapi.json')).json()
  const routes: Route[] = []
  for (const [path, methods] of Object.entries<Record<string, Described>>(paths)) {
    for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
      const inQuery = parameters.filter((parameter) => parameter.in === 'query')
      const ref = requestBody?.content['application/json'].schema.$ref.split('/').at(-1)
      const upper = method.toUpperCase()
      assert.ok(upper === 'GET' || upper === 'POST' || upper === 'PATCH' || upper === 'DELETE')
      routes.push({
        method: upper,
        url: path,
        query: {
          type: 'object',
          properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])),
        },
        body: ref === undefined ? {} : components.schemas[ref],
      })
    }
  }
  return routes
}

type Described = {
  readonly parameters?: readonly { in: string; name: string; schema: JsonSchema }[]
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { schema: { $ref: string } } }
  }
}

const pathIds = [someId, 'x', '%00', '%F0%9F%8E%B2', '..', '-1', 'x'.repeat(300), '%2F%2E']

function requestFor(random: Random, route: Route) {
  const url = route.url.replace(/\{\w+\}/g, () => random.pick(pathIds))
  const query = new URLSearchParams()
  const asked = Object(
    random.chance(70) ? spoilt(random, route.query) : fitting(random, route.query),
  )
  for (const [name, value] of Object.entries(asked)) {
    query.append(name, typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value))
  }
  const hasBody = route.method !== 'GET' && random.chance(95)
  const body = random.chance(90) ? spoilt(random, route.body) : fitting(random, route.body)
  const text = JSON.stringify(body)
  const cut = random.chance(10) ? text.slice(0, random.between(0, text.length)) : text
  const type = random.chance(95) ? 'application/json' : random.pick(['text/plain', 'x', 'a/b;c'])
  return {
    method: route.method,
    url: `${url}?${query}`,
    headers: {
      'x-api-key': apiKeys.all,
      'x-admin-key': adminKey,
      ...(hasBody ? { 'content-type': type } : {}),
    },
    ...(hasBody ? { payload: cut } : {}),
  }
}

test('200 malformed requests to every route: always the envelope, never a 5xx', async () => {
  const app = testServer()
  const counts = new Map<number, number>()
  for (const [number, route] of (await routesOf(app)).entries()) {
    const random = new Random(number + 1)
    for (let round = 0; round < perRoute; round += 1) {
      const request = requestFor(random, route)
      const response = await app.inject(request)
      const about = `seed ${number + 1}, round ${round}: ${JSON.stringify(request)}`
      assert.ok(response.statusCode < 500, `${response.statusCode} for ${about}`)
      counts.set(response.statusCode, (counts.get(response.statusCode) ?? 0) + 1)
      if (route.url === '/metrics' || route.url === '/openapi.json') continue
      assert.equal(response.json().success, response.statusCode < 300, about)
    }
  }
  // If nothing got past the checks, the requests would prove little.
  for (const status of [200, 400, 404, 415]) assert.ok((counts.get(status) ?? 0) > 50, `${status}`)
})
