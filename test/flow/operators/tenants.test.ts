// Two operators on one service: records of one do not exist for the other, on any route, with any
// key.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { type Answer, adminKey, type Json, Service } from '../../support/process/outcry-process.ts'
import { nothing, type Row, rows, type Things, thingsOf } from './tenant-rows.ts'

let service: Service
let other: OperatorClient
/** The records of the other operator, which must not change. */
let foreign: Things
let foreignState: Json

async function stateOf(operator: OperatorClient): Promise<Json> {
  const paths = ['markets', 'orders', 'trades', 'positions', 'settlements', 'events']
  const all = ['categories?includeGlobal=false&activeOnly=false', 'stats/overview', ...paths]
  const webhooks: Json[] = await operator.get('/webhooks')
  // Deliveries, and so the health of a webhook, go on by themselves.
  const settings = webhooks.map(({ health: _, ...rest }) => rest)
  return [settings, ...(await Promise.all(all.map((path) => operator.get(`/${path}`))))]
}

before(async () => {
  const env = { RATE_LIMIT_ORDERS: '0', RATE_LIMIT_REQUESTS: '0', RATE_LIMIT_PUBLIC: '0' }
  service = await Service.start({ env })
  other = await OperatorClient.create(service)
  foreign = await thingsOf(other)
  foreignState = await stateOf(other)
})
after(() => service.stop())

type Headers = Readonly<Record<string, string>>

function call(route: string, row: Row, things: Things, headers: Headers): Promise<Answer> {
  const [method = '', form = ''] = route.split(' ')
  const ids = row.ids?.(things) ?? {}
  const query = row.query === undefined ? '' : `?${row.query(things)}`
  const path = form.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? 'unnamed') + query
  const body = row.body?.(things)
  return service.request(method, path, { headers, ...(body === undefined ? {} : { body }) })
}

function byKey(key: string): Headers {
  return { 'x-api-key': key }
}

/** The same answer, but for the id of the request. */
function assertAlike(answers: readonly Answer[], code: string): void {
  for (const answer of answers) {
    assertRefused(answer, code)
    assert.deepEqual(answer.body, answers[0]!.body)
    const names = [...answer.headers.keys()].sort()
    assert.deepEqual(names, [...answers[0]!.headers.keys()].sort())
  }
}

const malformed: Things = Object.fromEntries(
  Object.keys(nothing()).map((name) => [name, 'not-an-id']),
) as Things

async function checkKeys(route: string, row: Row): Promise<void> {
  const operator = await OperatorClient.create(service)
  const revoked = await operator.withKey({})
  const path = `/api/v1/admin/operators/${operator.id}/keys/${revoked.keyId}`
  await service.admin('DELETE', path)
  const things = nothing()
  for (const headers of [{}, byKey('wrong'), byKey(''), byKey(revoked.key), byKey(adminKey)]) {
    assertRefused(await call(route, row, things, headers), 'UNAUTHORIZED')
  }
  if (row.access === 'admin') {
    for (const headers of [byKey(operator.key), { 'x-admin-key': operator.key }]) {
      assertRefused(await call(route, row, things, headers), 'UNAUTHORIZED')
    }
    return
  }
  if (row.access === 'any') return
  const scopes = ['read', 'trade', 'manage'].filter((scope) => scope !== row.access)
  const limited = await operator.withKey({ scopes })
  assertRefused(await call(route, row, things, byKey(limited.key)), 'FORBIDDEN')
}

async function checkIds(route: string, row: Row): Promise<void> {
  const operator = await OperatorClient.create(service)
  const own = await thingsOf(operator)
  const isAdmin = row.access === 'admin'
  const headers = isAdmin ? { 'x-admin-key': adminKey } : byKey(operator.key)
  if (row.missing !== undefined) {
    const strange = isAdmin || row.access === 'public' ? [nothing()] : [foreign, nothing()]
    // A malformed id is VALIDATION_ERROR in a body, and not found in a path.
    if (row.ids !== undefined) strange.push({ ...malformed, outcome: own.outcome })
    const answers: Answer[] = []
    for (const things of strange) answers.push(await call(route, row, things, headers))
    assertAlike(answers, row.missing)
  }
  if (row.access !== 'public' && !isAdmin && row.missing !== undefined) {
    assertRefused(await call(route, row, own, byKey(other.key)), row.missing)
  }
  const answer = await call(route, row, own, headers)
  const isFound = ![401, 403].includes(answer.status) && answer.status < 500
  const isThere = row.missing === undefined || answer.status !== 404
  assert.ok(isFound && isThere, `${answer.status} ${JSON.stringify(answer.body)}`)
}

test('every route of the document has a row, and every row a route', async () => {
  const { paths } = (await service.request('GET', '/openapi.json')).body
  const routes = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  assert.deepEqual(Object.keys(rows).sort(), routes.sort())
})

describe('the matrix', () => {
  for (const [route, row] of Object.entries(rows)) {
    test(route, async () => {
      if (row.access === 'open') {
        assert.equal((await call(route, row, nothing(), byKey('wrong'))).status, 200)
        return
      }
      if (row.access !== 'public') await checkKeys(route, row)
      await checkIds(route, row)
    })
  }

  test('left the records of the other operator unchanged', async () => {
    assert.deepEqual(await stateOf(other), foreignState)
  })
})

test('filters by ids of another operator find nothing', async () => {
  const operator = await OperatorClient.create(service)
  await thingsOf(operator)
  const unknown = nothing()
  const finds = async (path: string, name: string, id: string) =>
    operator.get(`/${path}?${name}=${id}`)
  for (const [path, name, thing] of [
    ['orders', 'marketId', 'market'],
    ['orders', 'outcomeId', 'outcome'],
    ['trades', 'marketId', 'market'],
    ['trades', 'outcomeId', 'outcome'],
    ['positions', 'marketId', 'market'],
    ['settlements', 'marketId', 'settled'],
    ['markets', 'categoryId', 'category'],
    ['markets/summaries', 'marketIds', 'market'],
    ['events', 'marketId', 'market'],
    ['audit', 'targetId', 'market'],
    ['audit', 'keyId', 'key'],
  ] as const) {
    const found = await finds(path, name, foreign[thing])
    const none = await finds(path, name, unknown[thing])
    assert.deepEqual(found, none, `${path} by ${name}`)
  }
  const byTransaction = await operator.get(`/orders?transactionId=of%20${other.id}`)
  assert.deepEqual([byTransaction.orders, byTransaction.total], [[], 0])
})

test('a player of another operator with the same name has no trades here', async () => {
  const operator = await OperatorClient.create(service)
  await thingsOf(operator)
  const { trades, total } = await operator.get('/trades?playerId=bob')
  assert.deepEqual([trades.length, total], [1, 1])
  assert.equal(trades[0].buyerOperatorId, operator.id)
})

test("a cursor of another operator's list shows none of its rows", async () => {
  const operator = await OperatorClient.create(service)
  await thingsOf(operator)
  for (const path of ['markets', 'orders', 'positions', 'settlements']) {
    const { nextCursor } = await other.get(`/${path}?limit=1`)
    const cursor = nextCursor ?? (await operator.get(`/${path}?limit=1`)).nextCursor
    if (cursor === null) continue
    const answer = await operator.request('GET', `/${path}?cursor=${cursor}`)
    const items: Json[] = answer.body.data?.[path] ?? []
    for (const item of items) assert.equal(item.operatorId, operator.id)
  }
})

test("another operator's ids in bodies are refused as unknown; names may be equal", async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const draft = await operator.createMarket()
  const alike = async (send: (things: Things) => Promise<Answer>, code: string) => {
    assertAlike([await send(foreign), await send(nothing())], code)
  }
  await alike(
    ({ outcome }) =>
      operator.request('POST', '/orders', { ...orderBody(market, 'BUY'), outcomeId: outcome }),
    'VALIDATION_ERROR',
  )
  await alike(
    ({ category }) => operator.request('POST', '/markets', { title: 'x', categoryId: category }),
    'CATEGORY_NOT_FOUND',
  )
  await alike(
    ({ category }) => operator.request('PATCH', `/markets/${draft.id}`, { categoryId: category }),
    'CATEGORY_NOT_FOUND',
  )
  await operator.act(market, 'close')
  await alike(
    ({ outcome }) =>
      operator.request('POST', `/markets/${market.id}/resolve`, {
        winningOutcomeId: outcome,
        resolutionSource: 'x',
      }),
    'VALIDATION_ERROR',
  )
  const open = await operator.openMarket()
  const same = await operator.tryOrder(open, 'BUY', { transactionId: `of ${other.id}` })
  assert.equal(same.status, 201)
})
