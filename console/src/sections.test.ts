// Which kind of user can open which section.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canOpen } from './sections.ts'

test('operators can open markets, administrators can open operators and the cluster', () => {
  assert.ok(canOpen('operator', ['markets', '7']))
  assert.ok(!canOpen('admin', ['markets', '7']))
  assert.ok(canOpen('admin', ['operators', '7']))
  assert.ok(!canOpen('operator', ['operators', '7']))
  assert.ok(canOpen('admin', ['cluster']))
  assert.ok(!canOpen('operator', ['cluster']))
})

test('every user can open the start page', () => {
  assert.ok(canOpen('operator', []))
  assert.ok(canOpen('admin', []))
})
