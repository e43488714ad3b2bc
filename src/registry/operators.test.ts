// Operators: created with their first key, numbered, changed, and passed on to the engine.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { made, newOperator, TestRegistry } from '../../test/support/store/registry.ts'
import { linearFees } from '../core/fee.ts'
import type { FeeRate } from '../core/money.ts'
import { isReject } from './reject.ts'

const wanted = { name: 'Harbour', supportedCurrencies: ['USD', 'EUR'], feeRate: 150 as FeeRate }

describe('a new operator', () => {
  test('has the requested settings, a number, and a key with all scopes', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    const { operator, apiKey } = made(await registry.operators.create(wanted))
    assert.deepEqual(operator, {
      ...wanted,
      id: operator.id,
      number: 1,
      shard: 0,
      feeSchedule: null,
      isActive: true,
      createdAt: tested.now,
      updatedAt: tested.now,
    })
    assert.deepEqual(registry.operators.get(operator.id), operator)
    const entered = registry.keys.authenticate(apiKey)
    assert.deepEqual(entered?.operator, operator)
    assert.deepEqual(entered.key.scopes, ['read', 'trade', 'manage'])
  })

  test('gets the shard with the fewest operators, or the requested one', async () => {
    const tested = new TestRegistry({ shardCount: 3 })
    const registry = await tested.open()
    const shards: number[] = []
    for (const shard of [undefined, 2, 0, undefined, undefined, undefined]) {
      const { operator } = made(await registry.operators.create({ ...wanted, shard }))
      shards.push(operator.shard)
    }
    assert.deepEqual(shards, [0, 2, 0, 1, 1, 2])
    const restarted = await tested.open()
    const { operator } = made(await restarted.operators.create(wanted))
    assert.equal(operator.shard, 0)
  })

  test('gets a shard that its node knows, although others have added more', async () => {
    const tested = new TestRegistry({ shardCount: 3 })
    const other = await tested.open()
    made(await other.operators.create({ ...wanted, shard: 2 }))
    const registry = await tested.open({ shardCount: 2 })
    const { operator } = made(await registry.operators.create(wanted))
    assert.equal(operator.shard, 0)
  })

  test('is refused for a shard that does not exist', async () => {
    const registry = await new TestRegistry({ shardCount: 3 }).open()
    assert.deepEqual(await registry.operators.create({ ...wanted, shard: 3 }), {
      code: 'VALIDATION_ERROR',
      message: 'shard: must be between 0 and 2, got 3',
      fault: { field: 'shard', message: 'must be between 0 and 2, got 3' },
    })
    assert.deepEqual(registry.operators.list(), [])
  })

  test('gets the next number, also after a restart and of concurrent requests', async () => {
    const tested = new TestRegistry()
    const first = await tested.open()
    await Promise.all(['a', 'b', 'c'].map((name) => newOperator(first, name)))
    const second = await tested.open()
    const { operator } = await newOperator(second, 'd')
    assert.equal(operator.number, 4)
    assert.deepEqual(
      second.operators.list().map(({ number }) => number),
      [4, 3, 2, 1],
    )
    assert.equal(second.operators.byNumber(4)?.name, 'd')
    assert.equal(second.operators.byNumber(5), undefined)
  })

  const invalid: readonly (readonly [claim: string, changes: object, message: RegExp])[] = [
    ['without a name', { name: ' ' }, /^name: .*empty/],
    ['with too long a name', { name: 'a'.repeat(257) }, /^name: .*at most 256 characters, got 257/],
    ['with half a character in its name', { name: '\ud800' }, /^name: /],
    ['without a currency', { supportedCurrencies: [] }, /^supportedCurrencies: .* got 0$/],
    ['with a small letter', { supportedCurrencies: ['usd'] }, /"usd" must be/],
    ['with too short a currency', { supportedCurrencies: ['U'] }, /"U" must be/],
    ['with too long a currency', { supportedCurrencies: ['ABCDEFGHIJK'] }, /must be 2 to 10/],
    ['with a line end', { supportedCurrencies: ['USD\n'] }, /must be 2 to 10/],
    ['with a currency twice', { supportedCurrencies: ['USD', 'USD'] }, /duplicate currency "USD"/],
    ['with a fee above 100 %', { feeRate: 10_001 as FeeRate }, /^feePercent: /],
    ['with a fee below 0', { feeRate: -1 as FeeRate }, /^feePercent: /],
    [
      'with a schedule above 100 %',
      { feeSchedule: linearFees(10_001 as FeeRate) },
      /^feeSchedule: /,
    ],
    ['with part of a step as its fee', { feeRate: 1.5 as FeeRate }, /^feePercent: /],
    [
      'with 101 currencies',
      { supportedCurrencies: Array.from({ length: 101 }, (_, at) => `C${at}`) },
      /must have 1 to 100 currencies, got 101/,
    ],
  ]
  for (const [claim, changes, message] of invalid) {
    test(`${claim} is rejected, new or changed, and nothing is stored`, async () => {
      const tested = new TestRegistry()
      const registry = await tested.open()
      const created = await registry.operators.create({ ...wanted, ...changes })
      assert.ok(isReject(created) && created.code === 'VALIDATION_ERROR')
      assert.match(created.message, message)
      assert.equal(tested.store.operators.rows.size + tested.store.keys.rows.size, 0)

      const { operator } = await newOperator(registry)
      const updated = await registry.operators.update(operator.id, changes)
      assert.ok(isReject(updated) && message.test(updated.message))
      assert.deepEqual(registry.operators.get(operator.id), operator)
    })
  }

  test('may have 100 currencies', async () => {
    const registry = await new TestRegistry().open()
    const supportedCurrencies = Array.from({ length: 100 }, (_, at) => `C${at}`)
    made(await registry.operators.create({ ...wanted, supportedCurrencies }))
  })
})

describe('a changed operator', () => {
  test('keeps the fields that are not named, and null is a value', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    const { operator } = made(await registry.operators.create(wanted))
    tested.now += 5_000
    const changed = made(await registry.operators.update(operator.id, { feeRate: null }))
    assert.deepEqual(changed, { ...operator, feeRate: null, updatedAt: tested.now })
    const off = made(await registry.operators.update(operator.id, { isActive: false }))
    assert.deepEqual(off, { ...changed, isActive: false })
    assert.deepEqual((await tested.open()).operators.get(operator.id), off)
  })

  test('keeps its id and number whatever fields are sent', async () => {
    const registry = await new TestRegistry().open()
    const { operator } = await newOperator(registry)
    const more = { name: 'new', id: 'mine', number: 77, createdAt: 0 }
    const changed = made(await registry.operators.update(operator.id, more))
    assert.deepEqual(changed, { ...operator, name: 'new', updatedAt: changed.updatedAt })
  })

  test('keeps both of two concurrent changes', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    const { operator } = await newOperator(registry)
    await Promise.all([
      registry.operators.update(operator.id, { name: 'renamed' }),
      registry.operators.update(operator.id, { feeRate: 7 as FeeRate }),
      registry.operators.update(operator.id, { isActive: false }),
    ])
    const { name, feeRate, isActive } = tested.store.operators.rows.get(operator.id)!
    assert.deepEqual(
      { name, feeRate, isActive },
      { name: 'renamed', feeRate: 7 as FeeRate, isActive: false },
    )
  })

  test('that does not exist is not found', async () => {
    const registry = await new TestRegistry().open()
    const answer = await registry.operators.update('nobody', { name: 'a' })
    assert.ok(isReject(answer) && answer.code === 'OPERATOR_NOT_FOUND')
  })
})

describe('the engine', () => {
  test('receives each new and changed operator once, when it is stored', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    const receivedWhenStored: number[] = []
    tested.store.onStored = () => receivedWhenStored.push(tested.engineOperators.length)
    const { operator } = await newOperator(registry)
    const changed = made(await registry.operators.update(operator.id, { feeRate: 9 as FeeRate }))
    assert.deepEqual(tested.engineOperators, [operator, changed])
    assert.deepEqual(receivedWhenStored, [0, 1])
  })

  test('receives nothing when the registry is opened: it reads the store itself', async () => {
    const tested = new TestRegistry()
    await newOperator(await tested.open())
    tested.engineOperators.length = 0
    await tested.open()
    assert.deepEqual(tested.engineOperators, [])
  })

  test('receives an operator again before the next change if it failed at first', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    tested.engineFailures = 1
    await assert.rejects(newOperator(registry, 'failed'), /engine unavailable/)
    assert.deepEqual(registry.operators.list(), [], 'the engine must know every visible operator')
    await newOperator(registry, 'second')
    assert.deepEqual(
      tested.engineOperators.map(({ name, number }) => [name, number]),
      [
        ['failed', 1],
        ['second', 2],
      ],
    )
  })
})
