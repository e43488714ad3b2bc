// Hundreds of malformed requests to a running service, with ids of records that exist.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertEnvelope } from '../../support/http/answers.ts'
import {
  type MalformedRequest,
  malformedRequest,
  plainPaths,
  routesIn,
} from '../../support/http/malformed-requests.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Answer, adminKey, Service } from '../../support/process/outcry-process.ts'
import { Random } from '../../support/process/random.ts'

let service: Service
before(async () => {
  const env = { RATE_LIMIT_ORDERS: '0', RATE_LIMIT_REQUESTS: '0', RATE_LIMIT_PUBLIC: '0' }
  service = await Service.start({ env })
})
after(() => service.stop())

const perRoute = 100
const brakeOnAll = '/api/v1/admin/controls'

/** Ids of everything that a request can name. */
async function realIds(operator: OperatorClient): Promise<readonly string[]> {
  const [open, settled] = [await operator.openMarket({ shared: true }), await operator.openMarket()]
  await operator.mint(settled, 'ann', 5)
  const { settlements } = await operator.finish(settled)
  const { order } = await operator.buy(open)
  const category = await operator.post('/categories', { name: 'C', slug: 'c' })
  const webhook = await operator.post('/webhooks', { url: 'https://example.com/' })
  const key = await operator.withKey({})
  const markets = [open, settled, await operator.createMarket()]
  const ids = [...markets, ...open.outcomes, order, category, webhook, settlements[0]]
  return [operator.id, key.keyId, ...ids.map(({ id }) => id)]
}

function isOfAdminControls({ path }: { readonly path: string }): boolean {
  return path.startsWith('/api/v1/admin/') && path.endsWith('/controls')
}

function send(request: MalformedRequest, key: string): Promise<Answer> {
  const { method, url, contentType, body } = request
  const type = contentType === null ? {} : { 'content-type': contentType }
  const headers = { 'x-admin-key': adminKey, ...type }
  return service.request(method, url, { key, headers, ...(body === null ? {} : { body }) })
}

test('100 malformed requests to every route: always the envelope, never a 5xx', async () => {
  const counts = new Map<number, number>()
  const routes = routesIn((await service.request('GET', '/openapi.json')).body)
  const tryRoute = async (number: number) => {
    const route = routes[number]!
    // A new operator each: what one route changes must not spoil the next.
    const operator = await OperatorClient.create(service)
    const ids = await realIds(operator)
    const random = new Random(number + 1_000)
    for (let round = 0; round < perRoute; round += 1) {
      const request = malformedRequest(random, route, ids)
      const answer = await send(request, operator.key)
      const about = `seed ${number + 1_000}, round ${round}: ${JSON.stringify(request)}`
      assert.ok(answer.status < 500, `${answer.status} for ${about.slice(0, 2_000)}`)
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
      if (!plainPaths.has(route.path)) assertEnvelope(answer)
    }
  }
  // A brake on the exchange stops the operators of all routes. So those that may put one on it are
  // tried by themselves: an operator's with the id `..` is that of the exchange.
  const ofAll = [...routes.keys()].filter((number) => isOfAdminControls(routes[number]!))
  assert.equal(ofAll.length, 4)
  const waiting = [...routes.keys()].filter((number) => !ofAll.includes(number))
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await tryRoute(next)
  }
  await Promise.all(Array.from({ length: 8 }, work))
  for (const number of ofAll) {
    await tryRoute(number)
    await service.admin('PUT', brakeOnAll, { mode: 'OPEN' })
  }
  for (const status of [200, 201, 400, 404, 415]) {
    const count = counts.get(status) ?? 0
    assert.ok(count > 5, `only ${count} answers have the status ${status}`)
  }
  assert.equal((await service.request('GET', '/ready')).status, 200)
  assert.equal(service.process.exitCode, null)
  assert.doesNotMatch(service.printed(), /"level":"?(error|50)/)
})
