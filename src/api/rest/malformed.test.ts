// Hundreds of malformed requests, made from the schemas of every route: none may cause a 5xx.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  malformedRequest,
  plainPaths,
  routesIn,
} from '../../../test/support/http/malformed-requests.ts'
import { adminKey, apiKeys, someId, testServer } from '../../../test/support/http/rest-server.ts'
import { Random } from '../../../test/support/process/random.ts'

const perRoute = 200

test('200 malformed requests to every route: always the envelope, never a 5xx', async () => {
  const app = testServer()
  const counts = new Map<number, number>()
  const routes = routesIn((await app.inject('/openapi.json')).json())
  for (const [number, route] of routes.entries()) {
    const random = new Random(number + 1)
    for (let round = 0; round < perRoute; round += 1) {
      const { method, url, contentType, body } = malformedRequest(random, route, [someId])
      const response = await app.inject({
        method,
        url,
        headers: {
          'x-api-key': apiKeys.all,
          'x-admin-key': adminKey,
          ...(contentType === null ? {} : { 'content-type': contentType }),
        },
        ...(body === null ? {} : { payload: body }),
      })
      const about = `seed ${number + 1}, round ${round}: ${method} ${url} ${body}`
      assert.ok(response.statusCode < 500, `${response.statusCode} for ${about}`)
      counts.set(response.statusCode, (counts.get(response.statusCode) ?? 0) + 1)
      if (plainPaths.has(route.path)) continue
      assert.equal(response.json().success, response.statusCode < 300, about)
    }
  }
  // If nothing got past the checks, the requests would prove little.
  for (const status of [200, 400, 404, 415]) assert.ok((counts.get(status) ?? 0) > 50, `${status}`)
})
