// What a store guarantees for operators, keys, categories and webhooks.

import assert from 'node:assert/strict'
import type { FeeRate } from '../../src/core/money.ts'
import type { BrakeRow, CategoryRow, KeyRow, WebhookRow } from '../../src/store/store.ts'
import { operatorRow, startMs } from './sample-rows.ts'
import type { StoreTests } from './store-fixture.ts'

export const key: KeyRow = {
  id: 'key-1',
  operatorId: 'operator-1',
  label: null,
  scopes: ['read', 'trade'],
  prefix: 'ock_12',
  digest: 'abc',
  expiresAt: null,
  createdAt: startMs,
}
export const category: CategoryRow = {
  id: 'category-1',
  operatorId: null,
  name: 'Wetter & mehr',
  slug: 'weather',
  description: null,
  iconUrl: null,
  isActive: true,
  sortOrder: -2.5,
  createdAt: startMs,
}
export const webhook: WebhookRow = {
  id: 'webhook-1',
  operatorId: 'operator-2',
  url: 'https://example.com/hook',
  sealedSecret: 'sealed',
  previousSealedSecret: 'sealed before',
  previousSecretUntil: 1_767_225_600_000,
  events: [],
  retrySchedule: 'LONG',
  format: 'CLOUDEVENTS',
  isActive: true,
  description: 'Ours',
  createdAt: startMs,
  updatedAt: startMs,
}

const brake: BrakeRow = {
  id: 'exchange',
  mode: 'HALTED',
  reason: 'Rain',
  until: startMs + 5,
  cancelsOrders: false,
  number: 1,
  createdAt: startMs,
  updatedAt: startMs,
}

export const registryTests: StoreTests = {
  'records are added, replaced, kept over a restart and deleted': async (fixture) => {
    const { keys, categories, webhooks, brakes } = fixture.store.registry
    await brakes.put(brake)
    await keys.put(key)
    await categories.put(category)
    await webhooks.put(webhook)
    const labelled = { ...key, label: 'Main', expiresAt: startMs + 1, scopes: [] }
    const edited = { ...category, operatorId: 'operator-1', isActive: false, iconUrl: '/i.svg' }
    const filtered = { ...webhook, events: ['ORDER_PLACED', 'ORDER_MATCHED'], isActive: false }
    await keys.put(labelled)
    await categories.put(edited)
    await webhooks.put(filtered)
    await brakes.put({ ...brake, mode: 'OPEN', reason: null, until: null, number: 2 })
    await fixture.reopen()
    const { registry } = fixture.store
    assert.deepEqual(await registry.keys.all(), [labelled])
    assert.deepEqual(await registry.categories.all(), [edited])
    assert.deepEqual(await registry.webhooks.all(), [filtered])
    const opened = { ...brake, mode: 'OPEN', reason: null, until: null, number: 2 }
    assert.deepEqual(await registry.brakes.all(), [opened])
    await registry.keys.delete(key.id)
    await registry.categories.delete(category.id)
    await registry.webhooks.delete('another')
    assert.deepEqual(await registry.keys.all(), [])
    assert.deepEqual(await registry.categories.all(), [])
    assert.deepEqual(await registry.webhooks.all(), [filtered])
  },

  'uses of keys are saved together, only forwards, kept over a restart and deleted with their key':
    async (fixture) => {
      const { keys } = fixture.store.registry
      const ids = ['key-1', 'key-2', 'key-3']
      for (const id of ids) await keys.put({ ...key, id, digest: id })
      const [first, second, third] = ids.map((keyId, at) => ({ keyId, usedAt: startMs + at }))
      const stored = async () => {
        const uses = await fixture.shard.reads.keyUses([...ids, 'gone'])
        return uses.toSorted((one, other) => (one.keyId < other.keyId ? -1 : 1))
      }
      assert.deepEqual(await stored(), [])
      await fixture.store.keyUses.save([third!, { keyId: 'gone', usedAt: 1 }, first!])
      assert.deepEqual(await stored(), [first, third])
      const later = { keyId: 'key-3', usedAt: startMs + 7 }
      const earlier = { keyId: 'key-1', usedAt: startMs - 7 }
      await fixture.store.keyUses.save([earlier, second!, later])
      await keys.put({ ...key, id: 'key-2', digest: 'key-2', label: 'Edited' })
      await fixture.reopen()
      assert.deepEqual(await stored(), [first, second, later])
      assert.deepEqual(await fixture.shard.reads.keyUses(['key-2']), [second])
      assert.deepEqual(await fixture.shard.reads.keyUses([]), [])
      await fixture.store.registry.keys.delete('key-1')
      assert.deepEqual(await stored(), [second, later])
    },

  'webhook cursors are saved together, kept over a restart and deleted with their webhook': async (
    fixture,
  ) => {
    const { registry } = fixture.store
    const { webhookCursors } = fixture.shard
    await registry.webhooks.put(webhook)
    await registry.webhooks.put({ ...webhook, id: 'webhook-2' })
    const [one, other] = ['webhook-1', 'webhook-2'].map((webhookId) => ({
      webhookId,
      eventSequence: 5,
    }))
    await webhookCursors.save([one!, other!, { webhookId: 'gone', eventSequence: 9 }])
    const moved = { ...one!, eventSequence: 2 ** 40 }
    await webhookCursors.save([moved])
    await registry.webhooks.put({ ...webhook, isActive: false })
    await fixture.reopen()
    assert.deepEqual(await fixture.shard.webhookCursors.all(), [moved, other])
    await fixture.store.registry.webhooks.delete('webhook-2')
    assert.deepEqual(await fixture.shard.webhookCursors.all(), [moved])
    await fixture.shard.webhookCursors.delete('webhook-1')
    assert.deepEqual(await fixture.shard.webhookCursors.all(), [])
  },

  'operators are read in the order of their numbers': async (fixture) => {
    const third = operatorRow({
      id: 'a-third',
      number: 3,
      supportedCurrencies: ['EUR', 'USD'],
      feeRate: 150 as FeeRate,
      feeSchedule: { model: 'QUADRATIC', takerRate: 700 as FeeRate, makerRate: 0 as FeeRate },
      isActive: false,
    })
    const { operators } = fixture.store.registry
    await operators.put(third)
    const renamed = operatorRow({ number: 1, name: 'Renamed' })
    await operators.put(renamed)
    assert.deepEqual(await operators.all(), [renamed, operatorRow({ number: 2 }), third])
  },

  'an operator is added with its first key, or not at all': async (fixture) => {
    const { registry } = fixture.store
    const operator = operatorRow({ id: 'new', number: 3 })
    await registry.addOperator(operator, { ...key, operatorId: 'new' })
    assert.equal((await registry.operators.all()).length, 3)
    const another = operatorRow({ id: 'another', number: 4 })
    const duplicate = { ...key, id: 'key-2', operatorId: 'another' }
    await assert.rejects(registry.addOperator(another, duplicate), /digest/)
    assert.equal((await registry.operators.all()).length, 3)
    assert.equal((await registry.keys.all()).length, 1)
  },

  'operator numbers are unique, and so are the slugs of an operator': async (fixture) => {
    const { operators, categories } = fixture.store.registry
    await assert.rejects(operators.put(operatorRow({ id: 'thief', number: 1 })))
    await categories.put(category)
    await assert.rejects(categories.put({ ...category, id: 'category-2' }))
    await categories.put({ ...category, id: 'category-3', operatorId: 'operator-1' })
  },

  'a stored record is seen by the next read': async (fixture) => {
    const { categories } = fixture.store.registry
    for (let count = 1; count <= 20; count += 1) {
      await categories.put({ ...category, id: `category-${count}`, slug: `slug-${count}` })
      assert.equal((await categories.all()).length, count)
    }
  },
}
