// Token buckets: their capacity, how they fill, and when they are dropped.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TokenBuckets } from './token-buckets.ts'

test('a full bucket allows its capacity at once, then one request per token', () => {
  const buckets = new TokenBuckets({ capacity: 2, perSecond: 2, name: 'orders' })
  assert.equal(buckets.consume('a', 0).remaining, 1)
  assert.equal(buckets.consume('a', 0).remaining, 0)
  const refused = { ...buckets.consume('a', 0) }
  assert.deepEqual(refused, {
    isAllowed: false,
    name: 'orders',
    policy: '"orders";q=2;w=1',
    limit: 2,
    remaining: 0,
    resetSeconds: 1,
    retrySeconds: 1,
  })
  assert.equal(buckets.consume('a', 499).isAllowed, false)
  assert.equal(buckets.consume('a', 500).isAllowed, true)
  assert.equal(buckets.consume('a', 500).isAllowed, false)
})

test('the buckets of two keys are independent', () => {
  const buckets = new TokenBuckets({ capacity: 1, perSecond: 1 })
  assert.equal(buckets.consume('a', 0).isAllowed, true)
  assert.equal(buckets.consume('b', 0).isAllowed, true)
  assert.equal(buckets.consume('a', 0).isAllowed, false)
})

test('a bucket never holds more than its capacity', () => {
  const buckets = new TokenBuckets({ capacity: 3, perSecond: 3 })
  buckets.consume('a', 0)
  assert.equal(buckets.consume('a', 3_600_000).remaining, 2)
})

test('a clock that is set back neither adds nor removes tokens', () => {
  const buckets = new TokenBuckets({ capacity: 2, perSecond: 1 })
  buckets.consume('a', 10_000)
  assert.equal(buckets.consume('a', 0).remaining, 0)
  assert.equal(buckets.consume('a', 0).isAllowed, false)
})

test('buckets that are full again are dropped', () => {
  const buckets = new TokenBuckets({ capacity: 1, perSecond: 1 })
  for (let key = 0; key < 10_000; key += 1) buckets.consume(`address ${key}`, key * 10)
  assert.ok(buckets.size <= 1_024, `${buckets.size} buckets are remembered`)
})

test('buckets that are not full are kept', () => {
  const buckets = new TokenBuckets({ capacity: 1, perSecond: 1 })
  buckets.consume('busy', 0)
  for (let key = 0; key < 5_000; key += 1) buckets.consume(`address ${key}`, 0)
  assert.equal(buckets.consume('busy', 0).isAllowed, false)
})

test('a request with many parts consumes a token for each part, or none', () => {
  const buckets = new TokenBuckets({ capacity: 10, perSecond: 10 })
  const batch = (count: number, now: number) =>
    buckets.consume('a', now).isAllowed && buckets.consumeMore('a', now, count - 1).isAllowed
  assert.equal(batch(6, 0), true)
  assert.equal(batch(6, 0), false, 'four were left')
  assert.equal(buckets.consume('a', 0).remaining, 2, 'the refused batch took one')
  assert.equal(buckets.consumeMore('a', 0, 5).retrySeconds, 1)
})

test('a request larger than a bucket is allowed when it is full, and its debt is paid off', () => {
  const buckets = new TokenBuckets({ capacity: 10, perSecond: 10 })
  buckets.consume('a', 0)
  assert.equal(buckets.consumeMore('a', 0, 29).isAllowed, true)
  assert.equal(buckets.consume('a', 2_000).isAllowed, false, '20 are owed')
  assert.equal(buckets.consume('a', 2_100).isAllowed, true)
  assert.equal(buckets.consumeMore('a', 2_200, 29).isAllowed, false, 'it is not full')
})

test('what a request has cost is consumed afterwards, into a debt that is shown as 0', () => {
  const buckets = new TokenBuckets({ capacity: 10, perSecond: 10 })
  buckets.consume('a', 0)
  const { isAllowed, remaining, resetSeconds } = { ...buckets.consumeAfter('a', 0, 39) }
  assert.deepEqual([isAllowed, remaining, resetSeconds], [true, 0, 4])
  assert.equal(buckets.consumeAfter('a', 0, 10).resetSeconds, 5, 'a debt can grow')
  const refused = buckets.consume('a', 4_000)
  assert.deepEqual([refused.isAllowed, refused.remaining, refused.retrySeconds], [false, 0, 1])
  assert.equal(buckets.consume('a', 4_100).isAllowed, true)
})
