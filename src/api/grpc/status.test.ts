// The gRPC status of each error code.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { type ErrorCode, errorTable, Refusal } from '../errors.ts'
import { failureOf } from './status.ts'

test('every error code has a status other than UNKNOWN, and its trailer', () => {
  const isCode = (text: string): text is ErrorCode => text in errorTable
  for (const code of Object.keys(errorTable).filter(isCode)) {
    const failure = failureOf(new Refusal(code, 'No.'))
    assert.notEqual(failure.code, status.UNKNOWN, code)
    assert.notEqual(failure.code, status.OK, code)
    assert.deepEqual(failure.metadata.get('error-code'), [code])
  }
})

test('a failure that may succeed later carries retry-after', () => {
  for (const code of ['RATE_LIMITED', 'UNAVAILABLE', 'COMMIT_UNKNOWN'] as const) {
    assert.deepEqual(failureOf(new Refusal(code, 'No.')).metadata.get('retry-after'), ['1'])
  }
  const never = failureOf(new Refusal('ORDER_NOT_FOUND', 'No.'))
  assert.deepEqual(never.metadata.get('retry-after'), [])
})
