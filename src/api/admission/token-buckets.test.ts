// Token buckets: what fits at once, how they fill, and that they are forgotten.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TokenBuckets } from './token-buckets.ts'

test('a bucket gives its capacity at once, then one token after another', () => {
  const buckets = new TokenBuckets({ capacity: 2, perSecond: 2 })
  assert.equal(buckets.take('a', 0).remaining, 1)
  assert.equal(buckets.take('a', 0).remaining, 0)
  const refused = { ...buckets.take('a', 0) }
  assert.deepEqual(refused, {
    isTaken: false,
    limit: 2,
    remaining: 0,
    resetSeconds: 1,
    retrySeconds: 1,
  })
  assert.equal(buckets.take('a', 499).isTaken, false)
  assert.equal(buckets.take('a', 500).isTaken, true)
  assert.equal(buckets.take('a', 500).isTaken, false)
})

test('keys do not take from each other', () => {
  const buckets = new TokenBuckets({ capacity: 1, perSecond: 1 })
  assert.equal(buckets.take('a', 0).isTaken, true)
  assert.equal(buckets.take('b', 0).isTaken, true)
  assert.equal(buckets.take('a', 0).isTaken, false)
})

test('a bucket never holds more than its capacity', () => {
  const buckets = new TokenBuckets({ capacity: 3, perSecond: 3 })
  buckets.take('a', 0)
  assert.equal(buckets.take('a', 3_600_000).remaining, 2)
})

test('a clock that is set back neither gives tokens nor takes any', () => {
  const buckets = new TokenBuckets({ capacity: 2, perSecond: 1 })
  buckets.take('a', 10_000)
  assert.equal(buckets.take('a', 0).remaining, 0)
  assert.equal(buckets.take('a', 0).isTaken, false)
})

test('buckets that are full again are forgotten', () => {
  const buckets = new TokenBuckets({ capacity: 1, perSecond: 1 })
  for (let key = 0; key < 10_000; key += 1) buckets.take(`address ${key}`, key * 10)
  assert.ok(buckets.size <= 1_024, `${buckets.size} buckets are remembered`)
})

test('buckets that are still in use are not forgotten', () => {
  const buckets = new TokenBuckets({ capacity: 1, perSecond: 1 })
  buckets.take('busy', 0)
  for (let key = 0; key < 5_000; key += 1) buckets.take(`address ${key}`, 0)
  assert.equal(buckets.take('busy', 0).isTaken, false)
})

test('a request with many parts takes a token for each, or none', () => {
  const buckets = new TokenBuckets({ capacity: 10, perSecond: 10 })
  const batch = (count: number, now: number) =>
    buckets.take('a', now).isTaken && buckets.takeMore('a', now, count - 1).isTaken
  assert.equal(batch(6, 0), true)
  assert.equal(batch(6, 0), false, 'four were left')
  assert.equal(buckets.take('a', 0).remaining, 2, 'the refused batch took one')
  assert.equal(buckets.takeMore('a', 0, 5).retrySeconds, 1)
})

test('what is larger than a bucket passes when it is full, and is paid off', () => {
  const buckets = new TokenBuckets({ capacity: 10, perSecond: 10 })
  buckets.take('a', 0)
  assert.equal(buckets.takeMore('a', 0, 29).isTaken, true)
  assert.equal(buckets.take('a', 2_000).isTaken, false, '20 are owed')
  assert.equal(buckets.take('a', 2_100).isTaken, true)
  assert.equal(buckets.takeMore('a', 2_200, 29).isTaken, false, 'it is not full')
})
