// Operators: made with their first key, numbered, changed, and told to the engine.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { made, newOperator, TestRegistry } from '../../test/support/store/registry.ts'
import { isReject } from './reject.ts'

const wanted = { name: 'house', supportedCurrencies: ['USD', 'EUR'], feeRate: 150 }

describe('a new operator', () => {
  test('has what was asked for, a number and a key that opens everything', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    const { operator, apiKey } = made(await registry.operators.create(wanted))
    assert.deepEqual(operator, {
      ...wanted,
      id: operator.id,
      number: 1,
      isActive: true,
      createdAt: tested.now,
      updatedAt: tested.now,
    })
    assert.deepEqual(registry.operators.get(operator.id), operator)
    const entered = registry.keys.authenticate(apiKey)
    assert.deepEqual(entered?.operator, operator)
    assert.deepEqual(entered.key.scopes, ['read', 'trade', 'manage'])
  })

  test('gets the next number, also after a restart and when several are made at once', async () => {
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

  const refused: readonly (readonly [claim: string, changes: object, message: RegExp])[] = [
    ['without a name', { name: ' ' }, /^name: .*empty/],
    ['with too long a name', { name: 'a'.repeat(257) }, /^name: 257 characters/],
    ['with half a character in its name', { name: '\ud800' }, /^name: /],
    ['without a currency', { supportedCurrencies: [] }, /^supportedCurrencies: 0 /],
    ['with a small letter', { supportedCurrencies: ['usd'] }, /"usd" is not/],
    ['with too short a currency', { supportedCurrencies: ['U'] }, /"U" is not/],
    ['with too long a currency', { supportedCurrencies: ['ABCDEFGHIJK'] }, /is not 2 to 10/],
    ['with a line end', { supportedCurrencies: ['USD\n'] }, /is not 2 to 10/],
    ['with a currency twice', { supportedCurrencies: ['USD', 'USD'] }, /"USD" is there twice/],
    ['with a fee above 100 %', { feeRate: 10_001 }, /^feePercent: /],
    ['with a fee below 0', { feeRate: -1 }, /^feePercent: /],
    ['with part of a step as its fee', { feeRate: 1.5 }, /^feePercent: /],
    [
      'with 101 currencies',
      { supportedCurrencies: Array.from({ length: 101 }, (_, at) => `C${at}`) },
      /101 currencies are outside 1 to 100/,
    ],
  ]
  for (const [claim, changes, message] of refused) {
    test(`${claim} is refused, new or changed, and nothing is stored`, async () => {
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
  test('keeps what was not named, and null is a value', async () => {
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

  test('cannot be given another id or number by fields that are not for changing', async () => {
    const registry = await new TestRegistry().open()
    const { operator } = await newOperator(registry)
    const more = { name: 'new', id: 'mine', number: 77, createdAt: 0 }
    const changed = made(await registry.operators.update(operator.id, more))
    assert.deepEqual(changed, { ...operator, name: 'new', updatedAt: changed.updatedAt })
  })

  test('keeps both of two changes that come together', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    const { operator } = await newOperator(registry)
    await Promise.all([
      registry.operators.update(operator.id, { name: 'renamed' }),
      registry.operators.update(operator.id, { feeRate: 7 }),
      registry.operators.update(operator.id, { isActive: false }),
    ])
    const { name, feeRate, isActive } = tested.store.operators.rows.get(operator.id)!
    assert.deepEqual({ name, feeRate, isActive }, { name: 'renamed', feeRate: 7, isActive: false })
  })

  test('that does not exist is not found', async () => {
    const registry = await new TestRegistry().open()
    const answer = await registry.operators.update('nobody', { name: 'a' })
    assert.ok(isReject(answer) && answer.code === 'OPERATOR_NOT_FOUND')
  })
})

describe('the engine', () => {
  test('is told of each new and changed operator once, when it is stored', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    const storedWhenTold: number[] = []
    tested.store.onStored = () => storedWhenTold.push(tested.told.length)
    const { operator } = await newOperator(registry)
    const changed = made(await registry.operators.update(operator.id, { feeRate: 9 }))
    assert.deepEqual(tested.told, [operator, changed])
    assert.deepEqual(storedWhenTold, [0, 1])
  })

  test('is not told at a start: it reads the store itself', async () => {
    const tested = new TestRegistry()
    await newOperator(await tested.open())
    tested.told.length = 0
    await tested.open()
    assert.deepEqual(tested.told, [])
  })

  test('that did not hear of an operator is told again before the next change', async () => {
    const tested = new TestRegistry()
    const registry = await tested.open()
    tested.deafFor = 1
    await assert.rejects(newOperator(registry, 'unheard'), /engine is not there/)
    assert.deepEqual(registry.operators.list(), [], 'nobody may trade whom it does not know')
    await newOperator(registry, 'second')
    assert.deepEqual(
      tested.told.map(({ name, number }) => [name, number]),
      [
        ['unheard', 1],
        ['second', 2],
      ],
    )
  })
})
