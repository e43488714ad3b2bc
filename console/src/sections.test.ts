// Tests of who may enter which room.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isForThem } from './sections.ts'

test('a market is a place for operators, an operator one for administrators', () => {
  assert.ok(isForThem('operator', ['markets', '7']))
  assert.ok(!isForThem('admin', ['markets', '7']))
  assert.ok(isForThem('admin', ['operators', '7']))
  assert.ok(!isForThem('operator', ['operators', '7']))
})

test('the start is a place for everybody', () => {
  assert.ok(isForThem('operator', []))
  assert.ok(isForThem('admin', []))
})
