// The audit log over HTTP: each act of management or administration with its key, target, reason
// and request, and none that was refused.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { auditedActions } from '../../../src/api/schemas/audit.ts'
import { assertRefused, assertShape } from '../../support/http/answers.ts'
import { cellsIn } from '../../support/http/csv.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { auditEntryShape } from '../../support/http/shapes.ts'
import { type Answer, adminKey, type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start({ env: { WEBHOOK_ALLOW_INSECURE: 'true' } })
})
after(() => service.stop())

type Expected = {
  readonly action: string
  readonly targetId?: string | null
  readonly reason?: string | null
}

/** Sends acts of one caller, and what the log must say of them. */
class Acts {
  readonly expected: Json[] = []
  readonly #send: (method: string, path: string, body?: unknown) => Promise<Answer>

  constructor(send: Acts['send']) {
    this.#send = send
  }

  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.#send(method, path, body)
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer
  }

  /** Without a targetId it is that of the record that the answer shows. */
  async act(method: string, path: string, body: unknown, expected: Expected): Promise<Json> {
    const { headers, body: answer } = await this.send(method, path, body)
    const { data } = answer
    const { action, targetId = data.id, reason = null } = expected
    const requestId = headers.get('x-request-id')
    this.expected.unshift({ action, targetId, reason, requestId, outcome: 'DONE' })
    return data
  }
}

function aboutOf({ action, targetId, reason, requestId, outcome }: Json): Json {
  return { action, targetId, reason, requestId, outcome }
}

async function entriesOf(operator: OperatorClient, query = ''): Promise<Json[]> {
  return (await operator.get(`/audit${query}`)).entries
}

async function allEntries(query: string): Promise<Json> {
  return (await service.admin('GET', `/api/v1/admin/audit${query}`)).body.data
}

const seen = new Set<string>()

describe('the audit log', () => {
  test('has every act of an operator, with its key', async () => {
    const made = await OperatorClient.create(service)
    const key = await made.withKey({ label: 'back office' })
    const acts = new Acts((method, path, body) => key.request(method, path, body))
    const market = await acts.act(
      'POST',
      '/markets',
      { title: 'Rain?' },
      { action: 'createMarket' },
    )
    const { id } = market
    const step = (name: string, body?: object, reason: string | null = null) =>
      acts.act('POST', `/markets/${id}/${name}`, body, {
        action: `${name}Market`,
        targetId: id,
        reason,
      })
    await acts.act('PATCH', `/markets/${id}`, { title: 'Snow?' }, { action: 'editMarket' })
    await step('open')
    await key.mint(market, 'ann', 5)
    await key.buy(market, { price: 0.2 })
    const cancel = { action: 'cancelOrders', targetId: id }
    await acts.act('DELETE', `/orders?marketId=${id}`, undefined, cancel)
    const window = { tradingEndsAt: '2099-01-01T00:00:00.000Z', reason: 'extra time' }
    await acts.act('POST', `/markets/${id}/trading-window`, window, {
      action: 'changeTradingWindow',
      reason: 'extra time',
    })
    await step('suspend', { reason: 'the match is interrupted' }, 'the match is interrupted')
    await step('resume')
    await step('close')
    const winningOutcomeId = market.outcomes[0].id
    await step('resolve', { winningOutcomeId, resolutionSource: 'the news' }, 'the news')
    const { settlements } = await step('settle')
    const paid = { transactionId: 'p', status: 'FAILED', errorMessage: 'closed' }
    const settlementId = settlements[0].id
    await acts.act('POST', `/settlements/${settlementId}/acknowledge`, paid, {
      action: 'acknowledgeSettlement',
    })
    const retry = { action: 'retrySettlements', targetId: id }
    await acts.act('POST', `/markets/${id}/retry-settlements`, undefined, retry)
    const draft = await acts.act('POST', '/markets', { title: 'x' }, { action: 'createMarket' })
    const mistake = { reason: 'a mistake' }
    const cancelled = { action: 'cancelMarket', ...mistake }
    await acts.act('POST', `/markets/${draft.id}/cancel`, mistake, cancelled)

    const category = { name: 'A', slug: `a-${made.id}` }
    const { id: categoryId } = await acts.act('POST', '/categories', category, {
      action: 'createCategory',
    })
    const edited = { action: 'editCategory' }
    await acts.act('PATCH', `/categories/${categoryId}`, { sortOrder: 2 }, edited)
    const { id: webhookId } = await acts.act(
      'POST',
      '/webhooks',
      { url: 'http://127.0.0.1:9/none' },
      { action: 'createWebhook' },
    )
    const hook = (method: string, path: string, body: unknown, action: string) =>
      acts.act(method, `/webhooks/${webhookId}${path}`, body, { action, targetId: webhookId })
    await hook('PATCH', '', { description: 'x' }, 'editWebhook')
    await hook('POST', '/rotate-secret', undefined, 'rotateWebhookSecret')
    await hook('POST', '/test', undefined, 'testWebhook')
    await hook('POST', '/redeliver', { failed: true }, 'redeliverWebhook')
    await hook('DELETE', '', undefined, 'deleteWebhook')
    const brake = { mode: 'HALTED', reason: 'too fast' }
    const ofPlayer = { action: 'putPlayerControls', targetId: 'Ann', reason: 'too fast' }
    await acts.act('PUT', '/players/Ann/controls', brake, ofPlayer)
    const ofAll = { action: 'putControls', targetId: null, reason: 'too fast' }
    await acts.act('PUT', '/controls', brake, ofAll)

    const entries = await entriesOf(key, `?keyId=${key.keyId}`)
    assert.deepEqual(entries.map(aboutOf), acts.expected)
    for (const entry of entries) {
      assertShape(entry, auditEntryShape)
      assert.deepEqual([entry.keyId, entry.keyLabel], [key.keyId, 'back office'])
      assert.equal('operatorId' in entry, false)
      seen.add(entry.action)
    }
  })

  test('has every act of the administrator, with the operator that it concerns', async () => {
    const acts = new Acts((method, path, body) =>
      service.admin(method, `/api/v1/admin${path}`, body),
    )
    const { operator, apiKey } = (await acts.send('POST', '/operators', { name: 'Acme' })).body.data
    const client = new OperatorClient(service, { id: operator.id, key: apiKey })
    const path = `/operators/${operator.id}`
    await acts.act('PATCH', path, { name: 'New' }, { action: 'editOperator' })
    const { key } = (await acts.send('POST', `${path}/keys`, { label: 'x' })).body.data
    const revoked = { action: 'revokeKey', targetId: key.id }
    await acts.act('DELETE', `${path}/keys/${key.id}`, undefined, revoked)
    const slug = `global-${operator.id}`
    const global = await acts.act(
      'POST',
      '/categories',
      { name: 'G', slug },
      { action: 'createGlobalCategory' },
    )
    const edited = { action: 'editGlobalCategory' }
    await acts.act('PATCH', `/categories/${global.id}`, { sortOrder: 2 }, edited)

    const own = await allEntries(`?operatorId=${operator.id}`)
    assert.deepEqual(
      own.entries.map((entry: Json) => [entry.action, entry.targetId, entry.operatorId]),
      [
        ['revokeKey', key.id, operator.id],
        ['createKey', key.id, operator.id],
        ['editOperator', operator.id, operator.id],
        ['createOperator', operator.id, operator.id],
      ],
    )
    const shown = await entriesOf(client)
    assert.deepEqual(
      shown,
      own.entries.map(({ operatorId, ...entry }: Json) => entry),
      'the operator sees what was done for it',
    )
    const { entries } = await allEntries(`?targetId=${global.id}`)
    assert.deepEqual(entries.map(aboutOf), acts.expected.slice(0, 2))
    // The reason of the administrator's brake on an operator is not shown to it.
    const brake = { mode: 'HALTED', reason: 'a secret' }
    const ofOperator = { action: 'putOperatorControls', targetId: operator.id, reason: 'a secret' }
    await acts.act('PUT', `${path}/controls`, brake, ofOperator)
    const open = { action: 'putExchangeControls', targetId: null }
    await acts.act('PUT', '/controls', { mode: 'OPEN' }, open)
    const brakes = [
      (await allEntries('?action=putExchangeControls')).entries[0],
      (await allEntries('?action=putOperatorControls')).entries[0],
    ]
    assert.deepEqual(brakes.map(aboutOf), acts.expected.slice(0, 2))
    entries.push(...brakes)
    assert.deepEqual(await entriesOf(client), shown)
    for (const entry of [...own.entries, ...entries]) {
      assertShape(entry, auditEntryShape)
      assert.deepEqual([entry.keyId, entry.keyLabel], [null, null])
      seen.add(entry.action)
    }
    for (const entry of entries) assert.equal(entry.operatorId, null)
  })

  test('has no action that is not tested here', () => {
    // Outside of a cluster they are refused.
    const ofCluster = ['moveShard', 'drainNode']
    assert.deepEqual([...seen, ...ofCluster].sort(), [...auditedActions].sort())
  })

  test('has no order, no read, and nothing that was refused', async () => {
    const operator = await OperatorClient.create(service)
    const market = await operator.openMarket()
    await operator.buy(market)
    const order = (await operator.buy(market, { price: 0.1 })).order
    await operator.cancel(order)
    await operator.mint(market, 'ann', 5)
    await operator.post('/orders/batch', { orders: [orderBody(market, 'BUY')] })
    await operator.market(market)
    const refused: [string, string, object?][] = [
      ['POST', `/markets/${market.id}/open`],
      ['POST', `/markets/${operator.id}/close`],
      ['POST', '/markets', { title: 'x', currency: 'XYZ' }],
      ['POST', '/markets', { title: 5 }],
      ['POST', `/markets/${market.id}/resolve`, { resolutionSource: 'x' }],
      ['PATCH', `/markets/${market.id}`, { title: 'too late' }],
      ['DELETE', '/orders'],
      ['DELETE', `/webhooks/${operator.id}`],
    ]
    for (const [method, path, body] of refused) {
      const { status } = await operator.request(method, path, body)
      assert.ok(status >= 400, `${method} ${path} is refused`)
    }
    for (const path of [`/operators/${market.id}`, '/operators/x']) {
      const answer = await service.admin('PATCH', `/api/v1/admin${path}`, { name: 'x' })
      assert.ok(answer.status >= 400)
    }
    const actions = (await entriesOf(operator)).map(({ action }) => action)
    assert.deepEqual(actions, ['openMarket', 'createMarket', 'createOperator'])
    assert.equal((await allEntries(`?targetId=${market.id}&action=editOperator`)).total, 0)
  })

  test('has no move of a shard that is refused outside of a cluster', async () => {
    const move = '/api/v1/admin/shards/0/move'
    assert.equal((await service.admin('POST', move, { nodeId: null })).status, 409)
    assert.equal((await allEntries('?action=moveShard')).total, 0)
  })

  test('an act whose path no store can keep is refused, and holds up no other', async () => {
    const [hostile, other] = [
      await OperatorClient.create(service),
      await OperatorClient.create(service),
    ]
    const paths = ['/markets/%00/open', '/markets/a%00b/close', '/webhooks/%00/test']
    const send = (path: string) => hostile.request('POST', path)
    const attacks = Array.from({ length: 10 }, () => paths.map(send)).flat()
    const made = Array.from({ length: 10 }, () => other.createMarket())
    const [refused] = await Promise.all([Promise.all(attacks), Promise.all(made)])
    for (const { status } of refused) assert.equal(status, 404)
    const path = '/api/v1/admin/operators/%00/keys/%00'
    assertRefused(await service.admin('DELETE', path), 'OPERATOR_NOT_FOUND')
    const outcomes = (await entriesOf(other, '?action=createMarket')).map(({ outcome }) => outcome)
    assert.deepEqual(outcomes, Array(10).fill('DONE'))
    assert.equal((await entriesOf(hostile)).length, 1)
  })

  test('has an act with an Idempotency-Key once, and the id of its first request', async () => {
    const operator = await OperatorClient.create(service)
    const create = (requestId: string) =>
      operator.request(
        'POST',
        '/markets',
        { title: 'x' },
        {
          headers: { 'idempotency-key': 'k', 'x-request-id': requestId },
        },
      )
    const [first, again] = [await create('first'), await create('again')]
    assert.deepEqual(again.body, first.body)
    const [entry, ...others] = await entriesOf(operator, '?action=createMarket')
    assert.deepEqual([entry.requestId, entry.targetId], ['first', first.body.data.id])
    assert.deepEqual(others, [])
  })

  test('shows an operator nothing of another, whatever it asks for', async () => {
    const [one, other] = [
      await OperatorClient.create(service),
      await OperatorClient.create(service),
    ]
    const market = await one.openMarket()
    const [{ keyId }] = await entriesOf(one)
    for (const query of [`targetId=${market.id}`, `keyId=${keyId}`, `operatorId=${one.id}`]) {
      const found = (await other.request('GET', `/audit?${query}`)).body.data?.entries ?? []
      assert.equal(found.filter(({ targetId }: Json) => targetId === market.id).length, 0, query)
    }
  })

  test('is read in pages, by times and by several filters', async () => {
    const operator = await OperatorClient.create(service)
    const made: string[] = []
    for (let count = 0; count < 5; count += 1) made.unshift((await operator.createMarket()).id)
    const seenIds: string[] = []
    let cursor: string | null = null
    let pages = 0
    do {
      const from: string = cursor === null ? '' : `&cursor=${cursor}`
      const page: Json = await operator.get(`/audit?action=createMarket&limit=2${from}`)
      assert.deepEqual([page.total, page.totalIsExact], [5, true])
      seenIds.push(...page.entries.map(({ targetId }: Json) => targetId))
      cursor = page.nextCursor
      assert.equal(page.hasMore, cursor !== null)
      pages += 1
    } while (cursor !== null)
    assert.deepEqual([seenIds, pages], [made, 3])
    const { at } = (await entriesOf(operator, `?targetId=${made[2]}`))[0]
    const before = await entriesOf(operator, `?action=createMarket&to=${at}`)
    assert.deepEqual(
      before.map(({ targetId }) => targetId),
      made.slice(3),
    )
    const later = await entriesOf(operator, `?action=createMarket&from=${at}`)
    assert.deepEqual(
      later.map(({ targetId }) => targetId),
      made.slice(0, 3),
    )
  })

  test('is answered as CSV, page by page, for its operator and for the administrator', async () => {
    const operator = await OperatorClient.create(service)
    const market = await operator.openMarket()
    const reason = 'late, "again"'
    await operator.act(market, 'suspend', { reason })
    const headersOf = [{ 'x-api-key': operator.key }, { 'x-admin-key': adminKey }]
    for (const [at, path] of ['/audit?', `/admin/audit?operatorId=${operator.id}&`].entries()) {
      const lines: string[][] = []
      let query = `limit=2`
      for (let page = 1; ; page += 1) {
        const headers = { accept: 'text/csv', ...headersOf[at]! }
        const response = await fetch(`${service.url}/api/v1${path}${query}`, { headers })
        const [names, ...rows] = cellsIn(await response.text())
        const column = (name: string) => names!.indexOf(name)
        const shown = ['action', 'targetId', 'reason', 'outcome'].map(column)
        lines.push(...rows.map((row) => shown.map((index) => row[index] ?? '')))
        assert.equal(column('operatorId') >= 0, at === 1)
        const next = /cursor=([^&>]+)/.exec(response.headers.get('link') ?? '')?.[1]
        if (next === undefined) {
          assert.equal(page, 2)
          break
        }
        query = `limit=2&cursor=${next}`
      }
      assert.deepEqual(lines, [
        ['suspendMarket', market.id, reason, 'DONE'],
        ['openMarket', market.id, '', 'DONE'],
        ['createMarket', market.id, '', 'DONE'],
        ['createOperator', operator.id, '', 'DONE'],
      ])
    }
  })

  test('needs the scope read, or the administrator', async () => {
    const operator = await OperatorClient.create(service)
    const others = await operator.withKey({ scopes: ['trade', 'manage'] })
    assertRefused(await others.request('GET', '/audit'), 'FORBIDDEN', 'read')
    const reading = await operator.withKey({ scopes: ['read'] })
    assert.equal((await reading.request('GET', '/audit')).status, 200)
    const get = (headers: Record<string, string>) =>
      service.request('GET', '/api/v1/admin/audit', { headers })
    assertRefused(await get({ 'x-api-key': operator.key }), 'UNAUTHORIZED')
    assert.equal((await get({ 'x-admin-key': adminKey })).status, 200)
  })

  test('refuses filters that are invalid, and names them', async () => {
    const operator = await OperatorClient.create(service)
    const invalid: [string, string][] = [
      ['action=placeOrder', 'action'],
      ['action=', 'action'],
      ['keyId=x', 'keyId'],
      ['targetId=', 'targetId'],
      [`targetId=${'x'.repeat(129)}`, 'targetId'],
      ['from=yesterday', 'from'],
      ['to=2026-02-30T00:00:00Z', 'to'],
      ['limit=0', 'limit'],
      ['limit=1001', 'limit'],
      ['cursor=x', 'cursor'],
      [`cursor=${Buffer.from(`orders:${operator.id}`).toString('base64url')}`, 'cursor'],
      [`cursor=${Buffer.from('audit:x').toString('base64url')}`, 'cursor'],
    ]
    for (const [query, name] of invalid) {
      assertRefused(await operator.request('GET', `/audit?${query}`), 'VALIDATION_ERROR', name)
      const all = await service.admin('GET', `/api/v1/admin/audit?${query}`)
      assertRefused(all, 'VALIDATION_ERROR', name)
    }
    const all = await service.admin('GET', '/api/v1/admin/audit?operatorId=x')
    assertRefused(all, 'VALIDATION_ERROR', 'operatorId')
    assert.deepEqual(await entriesOf(operator, `?targetId=${encodeURIComponent("' OR 1=1")}`), [])
  })
})
