// The set of used transactionIds loses no key, however many are added and removed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serial } from '../../../test/support/core/steps.ts'
import { Random } from '../../../test/support/process/random.ts'
import { hashOfTexts, UsedKeys } from './used-keys.ts'

test('a key used by one operator is free for another', () => {
  const keys = new UsedKeys()
  keys.add(1, 'bet-1', serial(7))
  assert.equal(keys.has(1, 'bet-1'), true)
  assert.equal(keys.has(2, 'bet-1'), false)
  assert.equal(keys.has(1, 'bet-2'), false)
})

test('adding a key again counts once', () => {
  const keys = new UsedKeys()
  keys.add(1, 'bet-1', serial(7))
  keys.add(1, 'bet-1', serial(7))
  assert.equal(keys.size, 1)
})

test('random additions agree with a plain set', () => {
  const random = new Random(7)
  const keys = new UsedKeys()
  const plain = new Set<string>()
  for (let step = 0; step < 20_000; step += 1) {
    const name = `bet-${random.between(0, 29_999)}`
    keys.add(1, name, serial(1 + (step % 5)))
    plain.add(name)
  }
  for (let at = 0; at < 30_000; at += 1) {
    assert.equal(keys.has(1, `bet-${at}`), plain.has(`bet-${at}`))
  }
  assert.equal(keys.size, plain.size)
})

test('keep() removes the keys of all other markets', () => {
  const keys = new UsedKeys()
  for (let at = 0; at < 10_000; at += 1) keys.add(1, `bet-${at}`, serial(1 + (at % 10)))
  keys.keep((market) => market === 3)
  assert.equal(keys.size, 1_000)
  for (let at = 0; at < 10_000; at += 1) assert.equal(keys.has(1, `bet-${at}`), at % 10 === 2)
  keys.add(1, 'bet-0', serial(3))
  assert.equal(keys.has(1, 'bet-0'), true)
})

test('a key added for two markets is removed with neither of them', () => {
  const keys = new UsedKeys()
  keys.add(1, 'bet-1', serial(7))
  keys.add(1, 'bet-1', serial(8))
  keys.keep(() => false)
  assert.equal(keys.has(1, 'bet-1'), true)
})

test('a cleared set is empty', () => {
  const keys = new UsedKeys()
  keys.add(1, 'bet-1', serial(7))
  keys.clear()
  assert.equal(keys.has(1, 'bet-1'), false)
  assert.equal(keys.size, 0)
})

test('the hash of several texts depends on where each one ends', () => {
  assert.notEqual(hashOfTexts(['ab', 'c']), hashOfTexts(['a', 'bc']))
  assert.notEqual(hashOfTexts(['']), hashOfTexts(['', '']))
})

test('100,000 similar texts have 100,000 different hashes', () => {
  const hashes = new Set<number>()
  for (let at = 0; at < 100_000; at += 1) hashes.add(hashOfTexts([`order-${at}`]))
  assert.equal(hashes.size, 100_000)
  assert.ok([...hashes].every((hash) => Number.isSafeInteger(hash) && hash > 0))
})
