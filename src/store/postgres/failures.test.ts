// A turn counts as not stored only if the server has reported that.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { codeOf, isFull, isLost, isRolledBack } from './failures.ts'

function errorWith(code: string): Error {
  const error = new pg.DatabaseError('no', 2, 'error')
  error.code = code
  return error
}

test('a turn is certainly not stored only if the server has rolled it back', () => {
  for (const code of ['22P02', '23505', '40001', '40P01', '42883', '55P03', '25006', '53100']) {
    assert.equal(isRolledBack(errorWith(code)), true, code)
  }
  for (const code of ['OC001', 'OC002']) assert.equal(isRolledBack(errorWith(code)), true, code)
  for (const code of ['40003', '57P01', '57P02', '57P03', '08006', 'XX000', '58030']) {
    assert.equal(isRolledBack(errorWith(code)), false, code)
  }
  assert.equal(isRolledBack(new Error('Connection terminated unexpectedly')), false)
})

test('an error of the network has no SQLSTATE, whatever its code looks like', () => {
  const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
  assert.equal(codeOf(broken), null)
  assert.equal(isLost(broken), true)
  assert.equal(isRolledBack(broken), false)
})

test('a connection is lost if the server ends it, not if the server refuses a statement', () => {
  for (const code of ['57P01', '57P02', '08006', '25P03', '25006'])
    assert.equal(isLost(errorWith(code)), true)
  for (const code of ['23505', '53100', 'OC001']) assert.equal(isLost(errorWith(code)), false)
  assert.equal(isFull(errorWith('53100')), true)
})
