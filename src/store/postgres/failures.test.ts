// What errors leave open: a turn is called undone only where the server said so itself.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { codeOf, isFull, isLost, isSurelyUndone } from './failures.ts'

function told(code: string): Error {
  const error = new pg.DatabaseError('no', 2, 'error')
  error.code = code
  return error
}

test('a turn is surely undone where the server took it back, and only there', () => {
  for (const code of ['22P02', '23505', '40001', '40P01', '42883', '55P03', '25006', '53100']) {
    assert.equal(isSurelyUndone(told(code)), true, code)
  }
  for (const code of ['OC001', 'OC002']) assert.equal(isSurelyUndone(told(code)), true, code)
  for (const code of ['40003', '57P01', '57P02', '57P03', '08006', 'XX000', '58030']) {
    assert.equal(isSurelyUndone(told(code)), false, code)
  }
  assert.equal(isSurelyUndone(new Error('Connection terminated unexpectedly')), false)
})

test('an error of the network has no code of the server, however it is spelt', () => {
  const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
  assert.equal(codeOf(broken), null)
  assert.equal(isLost(broken), true)
  assert.equal(isSurelyUndone(broken), false)
})

test('a connection is lost when the server ends it, and not when it refuses a statement', () => {
  for (const code of ['57P01', '57P02', '08006', '25P03']) assert.equal(isLost(told(code)), true)
  for (const code of ['23505', '53100', 'OC001']) assert.equal(isLost(told(code)), false)
  assert.equal(isFull(told('53100')), true)
})
