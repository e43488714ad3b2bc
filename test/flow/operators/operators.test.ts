// Operators, keys and scopes over HTTP: the administrator's routes, and what keys allow.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertRefused, assertShape, until } from '../../support/http/answers.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { operatorShape } from '../../support/http/shapes.ts'
import {
  type Answer,
  adminKey,
  type Json,
  newFolder,
  Service,
} from '../../support/process/outcry-process.ts'

/** How far the time of the service may differ from that of this process. */
const clockMs = 1_000

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

function admin(method: string, path: string, body?: object): Promise<Answer> {
  return service.admin(method, `/api/v1/admin/operators${path}`, body)
}

describe('operators', () => {
  test('are created with a key that works at once', async () => {
    const answer = await admin('POST', '', { name: 'Acme' })
    assert.equal(answer.status, 201)
    const { operator, apiKey } = answer.body.data
    assertShape(operator, operatorShape)
    assert.deepEqual(operator.supportedCurrencies, ['USD'])
    assert.deepEqual([operator.name, operator.feePercent, operator.isActive], ['Acme', null, true])
    const client = new OperatorClient(service, { id: operator.id, key: apiKey })
    assert.equal((await client.createMarket()).operatorId, operator.id)
    const one = await admin('GET', `/${operator.id}`)
    assert.deepEqual(one.body.data, operator)
    const { data } = (await admin('GET', '')).body
    assert.deepEqual(
      data.find(({ id }: Json) => id === operator.id),
      operator,
    )
    assert.equal(JSON.stringify([one.body, data]).includes(apiKey), false)
  })

  test('can be edited, and the edit applies at once', async () => {
    const client = await OperatorClient.create(service)
    const changes = { name: 'New', supportedCurrencies: ['EUR', 'POINTS'] }
    const edited = await admin('PATCH', `/${client.id}`, { ...changes, feePercent: 1.5 })
    assertShape(edited.body.data, operatorShape)
    const { name, supportedCurrencies, feePercent } = edited.body.data
    assert.deepEqual({ name, supportedCurrencies }, changes)
    assert.equal(feePercent, '1.5')
    assert.equal((await client.createMarket({ currency: 'POINTS' })).currency, 'POINTS')
    assertRefused(
      await client.request('POST', '/markets', { title: 'x' }),
      'VALIDATION_ERROR',
      'USD',
    )
    const cleared = await admin('PATCH', `/${client.id}`, { feePercent: null })
    assert.equal(cleared.body.data.feePercent, null)
  })

  test('that are not active get FORBIDDEN on every route until they are active again', async () => {
    const client = await OperatorClient.create(service)
    const market = await client.openMarket()
    await admin('PATCH', `/${client.id}`, { isActive: false })
    assertRefused(await client.request('GET', '/markets'), 'FORBIDDEN')
    assertRefused(await client.tryOrder(market, 'BUY'), 'FORBIDDEN')
    assertRefused(await client.request('POST', '/markets', { title: 'x' }), 'FORBIDDEN')
    await admin('PATCH', `/${client.id}`, { isActive: true })
    assert.equal((await client.market(market)).status, 'OPEN')
  })

  test('with invalid fields are refused, and the message names the field', async () => {
    const { id } = await OperatorClient.create(service)
    for (const [field, body] of [
      ['name', {}],
      ['name', { name: '' }],
      ['supportedCurrencies', { name: 'x', supportedCurrencies: [] }],
      ['supportedCurrencies', { name: 'x', supportedCurrencies: 'USD' }],
      ['supportedCurrencies', { name: 'x', supportedCurrencies: ['USD', 'USD'] }],
      ['supportedCurrencies', { name: 'x', supportedCurrencies: ['dollars please'] }],
      ['feePercent', { name: 'x', feePercent: -1 }],
      ['feePercent', { name: 'x', feePercent: 100.01 }],
      ['feePercent', { name: 'x', feePercent: 1.234 }],
      ['feePercent', { name: 'x', feePercent: '2' }],
      ['colour', { name: 'x', colour: 1 }],
    ] as const) {
      assertRefused(await admin('POST', '', body), 'VALIDATION_ERROR', field)
      if ('name' in body && body.name === 'x') {
        assertRefused(await admin('PATCH', `/${id}`, body), 'VALIDATION_ERROR', field)
      }
    }
    const active = await admin('PATCH', `/${id}`, { isActive: 1 })
    assertRefused(active, 'VALIDATION_ERROR', 'isActive')
  })

  test('have their markets listed for the administrator, drafts included', async () => {
    const operator = await OperatorClient.create(service)
    const draft = await operator.createMarket({ title: 'a draft' })
    const open = await operator.openMarket({ title: 'an open one' })
    const idsOf = async (query: string) => {
      const { data } = (await admin('GET', `/${operator.id}/markets?${query}`)).body
      return data.markets.map(({ id }: Json) => id)
    }
    assert.deepEqual(await idsOf(''), [open.id, draft.id])
    assert.deepEqual(await idsOf('sort=title&order=asc'), [draft.id, open.id])
    assert.deepEqual(await idsOf('status=DRAFT'), [draft.id])
    const unknown = await admin('GET', `/${crypto.randomUUID()}/markets`)
    assertRefused(unknown, 'OPERATOR_NOT_FOUND')
    assertRefused(await admin('GET', `/${operator.id}/markets?sort=x`), 'VALIDATION_ERROR', 'sort')
  })

  test('that do not exist are not found', async () => {
    for (const id of [crypto.randomUUID(), 'x']) {
      assertRefused(await admin('GET', `/${id}`), 'OPERATOR_NOT_FOUND')
      assertRefused(await admin('PATCH', `/${id}`, { name: 'x' }), 'OPERATOR_NOT_FOUND')
      assertRefused(await admin('POST', `/${id}/keys`, {}), 'OPERATOR_NOT_FOUND')
      assertRefused(await admin('GET', `/${id}/keys`), 'OPERATOR_NOT_FOUND')
      assertRefused(await admin('DELETE', `/${id}/keys/${id}`), 'OPERATOR_NOT_FOUND')
    }
  })
})

describe('keys', () => {
  test('are shown once, listed by a prefix, and kept hashed', async () => {
    const dataDir = await newFolder()
    const other = await Service.start({ dataDir })
    try {
      const client = await OperatorClient.create(other)
      const path = `/api/v1/admin/operators/${client.id}/keys`
      const answer = await other.admin('POST', path, { label: 'desk' })
      assert.equal(answer.status, 201)
      const { apiKey } = answer.body.data
      assert.ok(apiKey.length >= 20)
      const list = await other.admin('GET', path)
      assert.equal(list.body.data.length, 2)
      for (const each of list.body.data) {
        assert.deepEqual(each.scopes.toSorted(), ['manage', 'read', 'trade'])
        assert.ok(each.prefix.length < apiKey.length / 2)
      }
      assert.ok(list.body.data.some(({ label }: Json) => label === 'desk'))
      assert.equal(JSON.stringify(list.body).includes(apiKey), false)
      assert.equal(await isKept(dataDir, apiKey), false)
    } finally {
      await other.stop()
    }
  })

  test('tell who they are, whatever their scopes are, and no key of another', async () => {
    const client = await OperatorClient.create(service)
    const expiresAt = '2099-01-01T00:00:00.000Z'
    for (const scopes of [['read'], ['trade'], ['manage', 'trade']]) {
      const limited = await client.withKey({ label: 'désk', scopes, expiresAt })
      const { operatorName, ...me } = await limited.get('/me')
      const { name } = (await service.admin('GET', `/api/v1/admin/operators/${client.id}`)).body
        .data
      assert.equal(operatorName, name)
      const about = { operatorId: client.id, keyId: limited.keyId, keyLabel: 'désk', expiresAt }
      assert.deepEqual({ ...me, scopes: me.scopes.toSorted() }, { ...about, scopes })
    }
    const unlabelled = await client.withKey({})
    const me = await unlabelled.get('/me')
    assert.deepEqual([me.keyId, me.keyLabel, me.expiresAt], [unlabelled.keyId, null, null])
    for (const key of ['wrong', adminKey, null]) {
      assertRefused(await service.request('GET', '/api/v1/me', { key }), 'UNAUTHORIZED')
    }
    await service.admin('PATCH', `/api/v1/admin/operators/${client.id}`, { isActive: false })
    assertRefused(await client.request('GET', '/me'), 'FORBIDDEN')
  })

  test('may be created without a body: with all scopes and without expiry', async () => {
    const client = await OperatorClient.create(service)
    const path = `/api/v1/admin/operators/${client.id}/keys`
    for (const body of [undefined, '', {}]) {
      const answer = await service.admin('POST', path, body)
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      const { label, scopes, expiresAt } = answer.body.data.key
      assert.deepEqual([label, expiresAt], [null, null])
      assert.deepEqual(scopes.toSorted(), ['manage', 'read', 'trade'])
    }
    assertRefused(await service.admin('POST', path, 'null'), 'VALIDATION_ERROR', 'body')
    const named = await service.admin('POST', '/api/v1/admin/operators')
    assertRefused(named, 'VALIDATION_ERROR', 'name')
    const edit = await service.admin('PATCH', `/api/v1/admin/operators/${client.id}`)
    assertRefused(edit, 'VALIDATION_ERROR', 'body')
  })

  test('show when they were last used, also after a restart, and null if never', async () => {
    const dataDir = await newFolder()
    let other = await Service.start({ dataDir })
    try {
      const client = await OperatorClient.create(other)
      const path = `/api/v1/admin/operators/${client.id}/keys`
      const { body } = await other.admin('POST', path, { label: 'idle' })
      assert.equal(body.data.key.lastUsedAt, null)
      const usesOf = async () => {
        const { data } = (await other.admin('GET', path)).body
        return data.map(({ label, lastUsedAt }: Json) => [label, lastUsedAt])
      }
      const refused = await other.request('GET', '/api/v1/me', { key: `${client.key}x` })
      assertRefused(refused, 'UNAUTHORIZED')
      assert.deepEqual(await usesOf(), [
        ['idle', null],
        [null, null],
      ])
      const [from, _, to] = [Date.now(), await client.get('/me'), Date.now()]
      const uses = await usesOf()
      const usedAt = Date.parse(uses[1][1])
      const isThen = from - clockMs <= usedAt && usedAt <= to + clockMs
      assert.ok(isThen, `${from} to ${to}: ${usedAt}`)
      await other.stop()
      other = await Service.start({ dataDir })
      assert.deepEqual(await usesOf(), uses)
    } finally {
      await other.stop()
    }
  })

  test('stop working once revoked or expired; other keys keep working', async () => {
    const client = await OperatorClient.create(service)
    const second = await client.withKey({ label: 'second' })
    await second.get('/markets')
    const revoked = await admin('DELETE', `/${client.id}/keys/${second.keyId}`)
    assert.equal(revoked.status, 200)
    assertRefused(await second.request('GET', '/markets'), 'UNAUTHORIZED')
    await client.get('/markets')
    const again = await admin('DELETE', `/${client.id}/keys/${second.keyId}`)
    assertRefused(again, 'KEY_NOT_FOUND')

    const expiresAt = new Date(Date.now() + 400).toISOString()
    const brief = await client.withKey({ expiresAt })
    await brief.get('/markets')
    const late = await until(
      () => brief.request('GET', '/markets'),
      ({ status }) => status === 401,
    )
    assertRefused(late, 'UNAUTHORIZED')
    assert.ok(Date.now() >= Date.parse(expiresAt))
  })

  test("of one operator cannot be revoked in another's name", async () => {
    const [client, other] = [
      await OperatorClient.create(service),
      await OperatorClient.create(service),
    ]
    const key = await client.withKey({})
    for (const keyId of [key.keyId, crypto.randomUUID(), 'x']) {
      assertRefused(await admin('DELETE', `/${other.id}/keys/${keyId}`), 'KEY_NOT_FOUND')
    }
    await key.get('/markets')
  })

  test('with invalid fields are refused, and the message names the field', async () => {
    const { id } = await OperatorClient.create(service)
    for (const [field, body] of [
      ['scopes', { scopes: [] }],
      ['scopes', { scopes: ['admin'] }],
      ['scopes', { scopes: 'read' }],
      ['expiresAt', { expiresAt: 'soon' }],
      ['expiresAt', { expiresAt: '2020-01-01T00:00:00Z' }],
      ['label', { label: 5 }],
      ['colour', { colour: 1 }],
    ] as const) {
      assertRefused(await admin('POST', `/${id}/keys`, body), 'VALIDATION_ERROR', field)
    }
  })

  test('allow the routes of their scopes, and no scope includes another', async () => {
    const client = await OperatorClient.create(service)
    const market = await client.openMarket()
    const uses: Readonly<Record<string, (client: OperatorClient) => Promise<Answer>>> = {
      read: (client) => client.request('GET', '/orders'),
      trade: (client) => client.request('POST', '/orders', orderBody(market, 'BUY')),
      manage: (client) => client.request('POST', '/markets', { title: 'x' }),
    }
    for (const scope of Object.keys(uses)) {
      const scoped = await client.withKey({ scopes: [scope] })
      for (const [needed, use] of Object.entries(uses)) {
        const answer = await use(scoped)
        if (needed !== scope) assertRefused(answer, 'FORBIDDEN')
        else assert.ok(answer.status < 300, `${scope} opens ${needed}`)
      }
    }
  })
})

test('the admin routes accept only the administrator key', async () => {
  const client = await OperatorClient.create(service)
  const path = '/api/v1/admin/operators'
  for (const headers of [
    undefined,
    { 'x-admin-key': 'wrong' },
    { 'x-admin-key': client.key },
    { 'x-api-key': client.key },
  ]) {
    const answer = await service.request('GET', path, headers === undefined ? {} : { headers })
    assertRefused(answer, 'UNAUTHORIZED')
  }
  const asOperator = await service.request('GET', '/api/v1/markets', {
    headers: { 'x-admin-key': 'the-admin-key-of-the-tests' },
  })
  assertRefused(asOperator, 'UNAUTHORIZED')
})

/** Whether any file of a folder contains a text. */
async function isKept(folder: string, text: string): Promise<boolean> {
  const { glob, readFile } = await import('node:fs/promises')
  for await (const name of glob('**/*', { cwd: folder, withFileTypes: true })) {
    if (!name.isFile()) continue
    const bytes = await readFile(`${name.parentPath}/${name.name}`)
    if (bytes.includes(text)) return true
  }
  return false
}
