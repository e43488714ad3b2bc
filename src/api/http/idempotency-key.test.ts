// Which Idempotency-Key headers are accepted, and what they mean for a body.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../errors.ts'
import { idempotencyKeyOf, withTransactionId } from './idempotency-key.ts'

test('a value in quotes is the text inside', () => {
  for (const [value, key] of [
    ['k-1', 'k-1'],
    ['"k-1"', 'k-1'],
    [' "a b" ', 'a b'],
    ['"say \\"hi\\" \\\\"', 'say "hi" \\'],
    ['a"b', 'a"b'],
    ['x'.repeat(255), 'x'.repeat(255)],
  ] as const) {
    assert.equal(idempotencyKeyOf([value]), key)
  }
  assert.equal(idempotencyKeyOf(undefined), null)
})

test('a key that is empty, too long, not ASCII or sent twice is refused by name', () => {
  const wrong = ['', ' ', '""', '"', '"a', 'é', 'a\tb', 'x'.repeat(256), `"${'x'.repeat(256)}"`]
  for (const values of [...wrong.map((value) => [value]), ['a', 'a']]) {
    const refusal = idempotencyKeyOf(values)
    assert.ok(refusal instanceof Refusal, String(values))
    assert.equal(refusal.code, 'VALIDATION_ERROR')
    assert.match(refusal.message, /^Idempotency-Key: /)
  }
})

test('the key becomes the transactionId, and must not differ from one in the body', () => {
  assert.deepEqual(withTransactionId({ shares: 1 }, 'k'), { shares: 1, transactionId: 'k' })
  assert.deepEqual(withTransactionId({ transactionId: null }, 'k'), { transactionId: 'k' })
  assert.deepEqual(withTransactionId({ transactionId: 'k' }, 'k'), { transactionId: 'k' })
  const refusal = withTransactionId({ transactionId: 'other' }, 'k')
  assert.ok(refusal instanceof Refusal)
  assert.match(refusal.message, /^Idempotency-Key: must be the transactionId/)
  for (const body of [undefined, null, [], 'text', { transactionId: 5 }]) {
    assert.equal(withTransactionId(body, 'k'), body, 'validation says what is wrong')
  }
})
