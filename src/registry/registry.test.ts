// All kinds of registry records: visible once durable, and consistent with the store after errors.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { made, newOperator, TestRegistry } from '../../test/support/store/registry.ts'
import { StoreFailed } from '../../test/support/store/registry-store.ts'
import { isReject } from './reject.ts'
import { DecryptionError } from './secrets-key.ts'

const sports = { name: 'Sports', slug: 'sports', description: null, iconUrl: null, sortOrder: 0 }
const hook = { url: 'https://example.com/hook', events: [], description: null }
const usualKey = { label: null, scopes: ['read'], expiresAt: null }

describe('a registry write', () => {
  test('is visible once it is durable, and not before', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    const { operator } = await newOperator(registry)
    const { key, apiKey } = made(await registry.keys.create(operator.id, usualKey))
    const visible: unknown[] = []
    const counts = () => {
      const lists = [
        registry.categories.list(operator.id, { includeGlobal: true, activeOnly: false }),
      ]
      return [...lists, registry.webhooks.list(operator.id)].map(({ length }) => length)
    }
    tested.store.onStored = () =>
      visible.push([...counts(), registry.keys.authenticate(apiKey) !== null])
    made(await registry.categories.create(operator.id, sports))
    made(await registry.webhooks.create(operator.id, hook))
    made(await registry.keys.revoke(operator.id, key.id))
    assert.deepEqual(visible, [
      [0, 0, true],
      [1, 0, true],
      [1, 1, true],
    ])
    assert.deepEqual(counts(), [1, 1])
  })

  test('that failed leaves no trace, and the next one succeeds', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    const { operator } = await newOperator(registry)
    tested.store.nextWrite = 'lost'
    await assert.rejects(registry.categories.create(operator.id, sports), StoreFailed)
    made(await registry.categories.create(operator.id, sports))
    assert.equal(tested.store.categories.rows.size, 1)
  })
})

describe('a write with an unknown outcome that was stored', () => {
  test('keeps its slug in use', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    const { operator } = await newOperator(registry)
    tested.store.nextWrite = 'stored, but failed'
    await assert.rejects(registry.categories.create(operator.id, sports), StoreFailed)
    const answer = await registry.categories.create(operator.id, sports)
    assert.ok(isReject(answer) && answer.code === 'CATEGORY_DUPLICATE_SLUG')
  })

  test('keeps its operator number in use, and the engine learns of the operator', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    tested.store.nextWrite = 'stored, but failed'
    await assert.rejects(newOperator(registry, 'first'), StoreFailed)
    const { operator } = await newOperator(registry, 'second')
    assert.equal(operator.number, 2)
    assert.deepEqual(
      tested.engineOperators.map(({ number }) => number),
      [1, 2],
    )
  })

  test('revokes its key, visible with the next write', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    const { operator } = await newOperator(registry)
    const { key, apiKey } = made(await registry.keys.create(operator.id, usualKey))
    assert.notEqual(registry.keys.authenticate(apiKey), null)
    tested.store.nextWrite = 'stored, but failed'
    await assert.rejects(registry.keys.revoke(operator.id, key.id), StoreFailed)
    const answer = await registry.keys.revoke(operator.id, key.id)
    assert.ok(isReject(answer) && answer.code === 'KEY_NOT_FOUND')
    assert.equal(registry.keys.authenticate(apiKey), null)
  })
})

describe('two registries on one store', () => {
  test('create a slug once', async () => {
    const tested = new TestRegistry()
    const [one, other] = [await tested.open(), await tested.open()]
    const answers = await Promise.all([
      one.categories.create(null, sports),
      other.categories.create(null, sports),
    ])
    assert.equal(answers.filter(isReject).length, 1)
    assert.equal(tested.store.categories.rows.size, 1)
  })

  test('give operators different numbers', async () => {
    const tested = new TestRegistry()
    const registries = [await tested.open(), await tested.open()]
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, index) => newOperator(registries[index % 2]!, `o${index}`)),
    )
    const numbers = new Set(created.map(({ operator }) => operator.number))
    assert.equal(numbers.size, 20)
  })

  for (const forgotten of [false, true]) {
    const how = forgotten ? 'reading all records' : 'its changes'
    test(`apply what the other has changed, by ${how}`, async () => {
      const tested = new TestRegistry()
      const one = await tested.open()
      const { operator } = await newOperator(one)
      const { key, apiKey } = made(await one.keys.create(operator.id, usualKey))
      const old = made(await one.webhooks.create(operator.id, hook))
      const other = await tested.open()
      const told: string[] = []
      other.listen({
        onOperatorChanged: (id) => told.push(`operator ${id}`),
        onKeyRevoked: (id) => told.push(`key of ${id}`),
        onWebhookChanged: async (id) => void told.push(`webhook ${id}`),
      })
      assert.notEqual(other.keys.authenticate(apiKey), null)
      await one.keys.revoke(operator.id, key.id)
      await one.webhooks.delete(operator.id, old.webhook.id)
      const category = made(await one.categories.create(operator.id, sports))
      const renamed = made(await one.operators.update(operator.id, { name: 'renamed' }))
      assert.notEqual(other.keys.authenticate(apiKey), null, 'not applied yet')
      if (forgotten) tested.store.forgottenUpTo = one.version
      await other.refresh()
      assert.equal(other.version, one.version)
      assert.equal(other.keys.authenticate(apiKey), null)
      assert.equal(other.webhooks.find(old.webhook.id), undefined)
      assert.deepEqual(other.categories.get(category.id), category)
      assert.deepEqual(other.operators.get(operator.id), renamed)
      const expected = [`operator ${operator.id}`, `key of ${operator.id}`]
      assert.deepEqual(told, [...expected, `webhook ${old.webhook.id}`])
      assert.deepEqual(tested.engineOperators.at(-1), renamed, 'its engine has it')
    })
  }
})

describe('opening the registry', () => {
  test('fails if the key digests were made with another secrets key', async () => {
    const tested = new TestRegistry()
    await newOperator(await tested.open())
    await assert.rejects(tested.open({ secretKey: new Uint8Array(32).fill(8) }), DecryptionError)
  })

  test('accepts key digests of earlier versions, without the id of the secrets key', async () => {
    const tested = new TestRegistry()
    const first = await tested.open()
    const { apiKey } = await newOperator(first)
    const { key } = first.keys.authenticate(apiKey)!
    await tested.store.keys.put({ ...key, digest: key.digest.split('.')[2]! })
    const registry = await tested.open()
    assert.equal(registry.keys.authenticate(apiKey)?.key.id, key.id)
    await registry.keys.revoke(key.operatorId, key.id)
    assert.equal(registry.keys.authenticate(apiKey), null)
  })

  test('fails if the webhook secrets were encrypted with another secrets key', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    const { operator } = await newOperator(registry)
    made(await registry.webhooks.create(operator.id, hook))
    await assert.rejects(tested.open({ secretKey: new Uint8Array(32).fill(8) }), DecryptionError)
  })
})

describe('a brake on the exchange', () => {
  const halt = { mode: 'HALTED', reason: 'A reason', until: null, cancelsOrders: true } as const
  const open = { ...halt, mode: 'OPEN', reason: null } as const

  test('is counted, and the engines receive each', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    for (const brake of [halt, open, halt]) await registry.brakes.put(brake)
    const received = tested.engineBrakes.map(({ number, mode }) => [number, mode])
    assert.deepEqual(received, [
      [1, 'HALTED'],
      [2, 'OPEN'],
      [3, 'HALTED'],
    ])
  })

  test('of another node is shown to the engines of this one', async () => {
    const tested = new TestRegistry()
    const [one, other] = [await tested.open(), await tested.open()]
    await one.brakes.put(halt)
    await other.refresh()
    assert.equal(other.brakes.current?.mode, 'HALTED')
    assert.deepEqual(
      tested.engineBrakes.map(({ number }) => number),
      [1, 1],
    )
    await other.brakes.put(open)
    assert.equal(other.brakes.current?.number, 2)
  })
})
