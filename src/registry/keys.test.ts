// API keys: authentication, expiry, and what is stored of a key.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { made, newOperator, TestRegistry } from '../../test/support/store/registry.ts'
import { newKeyText } from './key-text.ts'
import { keysMax, type NewKey } from './keys.ts'
import { isReject } from './reject.ts'

const usual: NewKey = { label: 'trading desk', scopes: ['read', 'trade'], expiresAt: null }

async function withOperator() {
  const tested = new TestRegistry()
  const registry = await tested.open()
  const { operator, apiKey } = await newOperator(registry)
  return { tested, registry, operator, firstKey: apiKey }
}

describe('a key', () => {
  test('authenticates its operator, before and after a restart', async () => {
    const { tested, registry, operator } = await withOperator()
    const { key, apiKey } = made(await registry.keys.create(operator.id, usual))
    for (const each of [registry, registry, await tested.open()]) {
      assert.deepEqual(each.keys.authenticate(apiKey), { operator, key })
    }
    const { label, scopes, expiresAt, operatorId, createdAt } = key
    assert.deepEqual({ label, scopes, expiresAt }, usual)
    assert.deepEqual([operatorId, createdAt], [operator.id, tested.now])
  })

  test('is not stored: the store has its first 12 characters and a digest', async () => {
    const { tested, registry, operator } = await withOperator()
    const { key, apiKey } = made(await registry.keys.create(operator.id, usual))
    assert.equal(key.prefix, apiKey.slice(0, 12))
    assert.match(key.digest, /^v1\.[0-9a-f]{8}\.[0-9a-f]{64}$/)
    const kept = JSON.stringify([...tested.store.keys.rows.values()])
    assert.ok(!kept.includes(apiKey.slice(12, 30)))
  })

  test('that is unknown or malformed is not accepted', async () => {
    const { registry, operator, firstKey } = await withOperator()
    const { key } = made(await registry.keys.create(operator.id, usual))
    const others = [newKeyText('live'), `${firstKey.slice(0, -1)}!`, firstKey.slice(0, -1), '']
    for (const other of [...others, `${firstKey} `, key.digest, key.prefix, 'a'.repeat(1e6)]) {
      assert.equal(registry.keys.authenticate(other), null, other.slice(0, 70))
    }
  })

  test('authenticates its operator with the current settings', async () => {
    const { registry, operator, firstKey } = await withOperator()
    registry.keys.authenticate(firstKey)
    const changed = made(await registry.operators.update(operator.id, { isActive: false }))
    assert.deepEqual(registry.keys.authenticate(firstKey)?.operator, changed)
  })

  test('is not accepted from the moment it expires', async () => {
    const { tested, registry, operator } = await withOperator()
    const expiresAt = tested.now + 1_000
    const { apiKey } = made(await registry.keys.create(operator.id, { ...usual, expiresAt }))
    tested.now = expiresAt - 1
    assert.notEqual(registry.keys.authenticate(apiKey), null)
    tested.now = expiresAt
    assert.equal(registry.keys.authenticate(apiKey), null)
  })
})

describe('a revoked key', () => {
  test('is not accepted, now and after a restart, and other keys still are', async () => {
    const { tested, registry, operator, firstKey } = await withOperator()
    const { key, apiKey } = made(await registry.keys.create(operator.id, usual))
    assert.notEqual(registry.keys.authenticate(apiKey), null)
    assert.deepEqual(made(await registry.keys.revoke(operator.id, key.id)), key)
    for (const each of [registry, await tested.open()]) {
      assert.equal(each.keys.authenticate(apiKey), null)
      assert.notEqual(each.keys.authenticate(firstKey), null)
    }
  })

  test('cannot be revoked again', async () => {
    const { registry, operator } = await withOperator()
    const { key } = made(await registry.keys.create(operator.id, usual))
    const answers = await Promise.all([
      registry.keys.revoke(operator.id, key.id),
      registry.keys.revoke(operator.id, key.id),
    ])
    assert.deepEqual(
      answers.map((answer) => isReject(answer) && answer.code),
      [false, 'KEY_NOT_FOUND'],
    )
  })

  test('cannot belong to another operator', async () => {
    const { registry, operator, firstKey } = await withOperator()
    const other = await newOperator(registry, 'other')
    const { key } = made(await registry.keys.create(operator.id, usual))
    const answer = await registry.keys.revoke(other.operator.id, key.id)
    assert.ok(isReject(answer) && answer.code === 'KEY_NOT_FOUND')
    const unknown = await registry.keys.revoke('nobody', key.id)
    assert.ok(isReject(unknown) && unknown.code === 'OPERATOR_NOT_FOUND')
    assert.notEqual(registry.keys.authenticate(firstKey), null)
  })
})

describe('the keys of an operator', () => {
  test('are listed newest first, without those of other operators', async () => {
    const { tested, registry, operator } = await withOperator()
    await newOperator(registry, 'other')
    for (const label of ['second', 'third']) {
      tested.now += 1
      made(await registry.keys.create(operator.id, { ...usual, label }))
    }
    for (const each of [registry, await tested.open()]) {
      const labels = made(each.keys.list(operator.id)).map(({ label }) => label)
      assert.deepEqual(labels, ['third', 'second', null])
    }
    const answer = registry.keys.list('nobody')
    assert.ok(isReject(answer) && answer.code === 'OPERATOR_NOT_FOUND')
  })

  test('never exceed the maximum, even when many are created at once', async () => {
    const { registry, operator } = await withOperator()
    const answers = await Promise.all(
      Array.from({ length: keysMax + 5 }, () => registry.keys.create(operator.id, usual)),
    )
    assert.equal(answers.filter((answer) => isReject(answer)).length, 6)
    assert.equal(made(registry.keys.list(operator.id)).length, keysMax)
  })

  const invalid: readonly (readonly [changes: Partial<NewKey>, message: RegExp])[] = [
    [{ scopes: [] }, /^scopes: must have at least one/],
    [{ scopes: ['read', 'admin'] }, /"admin" is not one of read, trade, manage/],
    [{ scopes: ['read', 'read'] }, /duplicate scope "read"/],
    [{ label: 'a'.repeat(257) }, /^label: /],
    [{ expiresAt: Date.UTC(2026, 0, 1) }, /^expiresAt: /],
    [{ expiresAt: Number.NaN }, /^expiresAt: /],
  ]
  for (const [changes, message] of invalid) {
    test(`are rejected with ${JSON.stringify(changes).slice(0, 50)}`, async () => {
      const { registry, operator } = await withOperator()
      const answer = await registry.keys.create(operator.id, { ...usual, ...changes })
      assert.ok(isReject(answer) && answer.code === 'VALIDATION_ERROR')
      assert.match(answer.message, message)
    })
  }

  test('cannot be created for an operator that does not exist', async () => {
    const { registry } = await withOperator()
    const answer = await registry.keys.create('nobody', usual)
    assert.ok(isReject(answer) && answer.code === 'OPERATOR_NOT_FOUND')
  })
})
