// The set of used transactionIds: no key is lost in it, whatever is added and let go.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../../test/support/process/random.ts'
import { hashOfTexts, UsedKeys } from './used-keys.ts'

test('a key is used by the operator that used it, and by no other', () => {
  const keys = new UsedKeys()
  keys.add(1, 'bet-1', 7)
  assert.equal(keys.has(1, 'bet-1'), true)
  assert.equal(keys.has(2, 'bet-1'), false)
  assert.equal(keys.has(1, 'bet-2'), false)
})

test('adding a key again counts once', () => {
  const keys = new UsedKeys()
  keys.add(1, 'bet-1', 7)
  keys.add(1, 'bet-1', 7)
  assert.equal(keys.size, 1)
})

test('random additions agree with a plain set', () => {
  const random = new Random(7)
  const keys = new UsedKeys()
  const plain = new Set<string>()
  for (let step = 0; step < 20_000; step += 1) {
    const name = `bet-${random.between(0, 29_999)}`
    keys.add(1, name, 1 + (step % 5))
    plain.add(name)
  }
  for (let at = 0; at < 30_000; at += 1) {
    assert.equal(keys.has(1, `bet-${at}`), plain.has(`bet-${at}`))
  }
  assert.equal(keys.size, plain.size)
})

test('only the keys of markets that are kept stay', () => {
  const keys = new UsedKeys()
  for (let at = 0; at < 10_000; at += 1) keys.add(1, `bet-${at}`, 1 + (at % 10))
  keys.keep((market) => market === 3)
  assert.equal(keys.size, 1_000)
  for (let at = 0; at < 10_000; at += 1) assert.equal(keys.has(1, `bet-${at}`), at % 10 === 2)
  keys.add(1, 'bet-0', 3)
  assert.equal(keys.has(1, 'bet-0'), true)
})

test('a hash that two markets have goes with neither of them', () => {
  const keys = new UsedKeys()
  keys.add(1, 'bet-1', 7)
  keys.add(1, 'bet-1', 8)
  keys.keep(() => false)
  assert.equal(keys.has(1, 'bet-1'), true)
})

test('a cleared set knows nothing', () => {
  const keys = new UsedKeys()
  keys.add(1, 'bet-1', 7)
  keys.clear()
  assert.equal(keys.has(1, 'bet-1'), false)
  assert.equal(keys.size, 0)
})

test('texts that run together are told apart', () => {
  assert.notEqual(hashOfTexts(['ab', 'c']), hashOfTexts(['a', 'bc']))
  assert.notEqual(hashOfTexts(['']), hashOfTexts(['', '']))
})

test('a hundred thousand names have a hundred thousand hashes', () => {
  const hashes = new Set<number>()
  for (let at = 0; at < 100_000; at += 1) hashes.add(hashOfTexts([`order-${at}`]))
  assert.equal(hashes.size, 100_000)
  assert.ok([...hashes].every((hash) => Number.isSafeInteger(hash) && hash > 0))
})
