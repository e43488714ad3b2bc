// What holds for all that is registered: seen once it is durable, true to the store after a fault.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { made, newOperator, TestRegistry } from '../../test/support/store/registry.ts'
import { StoreFailed } from '../../test/support/store/registry-store.ts'
import { isReject } from './reject.ts'
import { SealBroken } from './secrets-key.ts'

const sports = { name: 'Sports', slug: 'sports', description: null, iconUrl: null, sortOrder: 0 }
const hook = { url: 'https://example.com/hook', events: [], description: null }
const usualKey = { label: null, scopes: ['read'], expiresAt: null }

describe('what is written', () => {
  test('is seen when it is durable and not before', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    const { operator } = await newOperator(registry)
    const { key, apiKey } = made(await registry.keys.create(operator.id, usualKey))
    const seen: unknown[] = []
    const look = () => {
      const lists = [
        registry.categories.list(operator.id, { includeGlobal: true, activeOnly: false }),
      ]
      return [...lists, registry.webhooks.list(operator.id)].map(({ length }) => length)
    }
    tested.store.onStored = () =>
      seen.push([...look(), registry.keys.authenticate(apiKey) !== null])
    made(await registry.categories.create(operator.id, sports))
    made(await registry.webhooks.create(operator.id, hook))
    made(await registry.keys.revoke(operator.id, key.id))
    assert.deepEqual(seen, [
      [0, 0, true],
      [1, 0, true],
      [1, 1, true],
    ])
    assert.deepEqual(look(), [1, 1])
  })

  test('and lost leaves no trace, and the next write passes', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    const { operator } = await newOperator(registry)
    tested.store.nextWrite = 'lost'
    await assert.rejects(registry.categories.create(operator.id, sports), StoreFailed)
    made(await registry.categories.create(operator.id, sports))
    assert.equal(tested.store.categories.rows.size, 1)
  })
})

describe('a write of which nobody knows whether it was stored', () => {
  test('takes its slug where it was', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    const { operator } = await newOperator(registry)
    tested.store.nextWrite = 'stored, but failed'
    await assert.rejects(registry.categories.create(operator.id, sports), StoreFailed)
    const answer = await registry.categories.create(operator.id, sports)
    assert.ok(isReject(answer) && answer.code === 'CATEGORY_DUPLICATE_SLUG')
  })

  test('takes its number where it was, and the engine hears of it', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    tested.store.nextWrite = 'stored, but failed'
    await assert.rejects(newOperator(registry, 'first'), StoreFailed)
    const { operator } = await newOperator(registry, 'second')
    assert.equal(operator.number, 2)
    assert.deepEqual(
      tested.told.map(({ number }) => number),
      [1, 2],
    )
  })

  test('revokes its key where it was, with the next write', async () => {
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

describe('a start', () => {
  test('with another secrets key than the digests of keys were made with is refused', async () => {
    const tested = new TestRegistry()
    await newOperator(await tested.open())
    await assert.rejects(tested.open({ secretKey: new Uint8Array(32).fill(8) }), SealBroken)
  })

  test('finds keys whose digests do not name the secrets key, as they once did not', async () => {
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

  test('with another secrets key than the stored secrets were sealed with is refused', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    const { operator } = await newOperator(registry)
    made(await registry.webhooks.create(operator.id, hook))
    await assert.rejects(tested.open({ secretKey: new Uint8Array(32).fill(8) }), SealBroken)
  })
})
