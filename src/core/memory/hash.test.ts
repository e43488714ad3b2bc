// Different values have different hashes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hash, hashOfText } from './hash.ts'

type Value = Parameters<Hash['add']>[0]

function hashOf(...values: readonly Value[]): string {
  const hash = new Hash()
  for (const value of values) hash.add(value)
  return hash.text
}

const different: readonly (readonly Value[])[] = [
  [],
  [0],
  [0, 0],
  [1],
  [-1],
  [2 ** 32],
  [2 ** 32 + 1],
  [2 ** 52 + 1],
  [-(2 ** 32)],
  [0.5],
  [''],
  ['', ''],
  ['1'],
  ['a'],
  ['ab', 'c'],
  ['a', 'bc'],
  ['c', 'ab'],
  ['\u00e9'],
  [2n ** 64n],
  [2n ** 64n + 1n],
  [true],
  [false],
  [null],
]

test('different values, and the same in another order, have different hashes', () => {
  const hashes = different.map((values) => hashOf(...values))
  assert.equal(new Set(hashes).size, different.length)
})

test('the same values have the same hash, on every machine', () => {
  assert.equal(hashOf('a', 1, null, 2n ** 64n), hashOf('a', 1, null, 2n ** 64n))
  assert.equal(hashOf('a', 1), '0bd3257514360528')
})

test('100,000 neighbours have hashes of their own', () => {
  const hashes = Array.from({ length: 100_000 }, (_, at) => hashOf(at, at * 2 ** 20))
  assert.equal(new Set(hashes).size, hashes.length)
})

test('texts that differ by a letter have different hashes', () => {
  assert.notEqual(hashOfText('operator-1'), hashOfText('operator-2'))
  assert.notEqual(hashOfText('ab'), hashOfText('ba'))
})

test('values that look alike as text have different hashes', () => {
  assert.notEqual(hashOf(null), hashOf('null'))
  assert.notEqual(hashOf(1n), hashOf('1'))
  assert.notEqual(hashOf(true), hashOf('true'))
})
