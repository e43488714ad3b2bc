// Cursors: one that the service issued is accepted, any other is refused.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serial } from '../../../test/support/core/steps.ts'
import { Ids, type Serial } from '../../core/ids.ts'
import { Refusal } from '../errors.ts'
import { afterOf, attemptBeforeOf, attemptCursorOf, cursorOf } from './cursor.ts'

const ids = new Ids({ shard: 3, key: [5, 6] })

test('a cursor leads back to the serial of its row', () => {
  for (const serial of [1, 77, 2 ** 40]) {
    const cursor = cursorOf('orders', ids.textOf(serial as Serial, 1_767_225_600_000))
    assert.match(cursor, /^[\w-]+$/)
    assert.equal(afterOf(ids, 'orders', cursor), serial)
  }
  assert.equal(afterOf(ids, 'orders', undefined), null)
})

test('a cursor that the service did not issue is refused', () => {
  const foreign = new Ids({ shard: 4, key: [5, 6] })
  const good = cursorOf('orders', ids.textOf(serial(7), 1_767_225_600_000))
  const theirs = cursorOf('orders', foreign.textOf(serial(7), 1_767_225_600_000))
  const wrong = [`${good}=`, `${good}A`, good.slice(1), cursorOf('orders', 'x'), theirs]
  for (const cursor of ['', 'x', '7', ...wrong]) {
    assert.ok(afterOf(ids, 'orders', cursor) instanceof Refusal, cursor)
  }
})

test('the cursor of another list is refused, and the message says so', () => {
  const id = ids.textOf(serial(7), 1_767_225_600_000)
  const lists = ['markets', 'orders', 'trades', 'tape', 'positions', 'settlements'] as const
  for (const list of lists) {
    for (const other of lists) {
      const after = afterOf(ids, list, cursorOf(other, id))
      if (other === list) assert.equal(after, 7)
      else assert.match(after instanceof Refusal ? after.message : '', /cursor: .* another list/)
    }
  }
})

test('the cursor of the attempts of a webhook leads back to a number, and no other does', () => {
  for (const number of [1, 77, 2 ** 40]) {
    assert.equal(attemptBeforeOf(attemptCursorOf(number)), number)
  }
  assert.equal(attemptBeforeOf(undefined), null)
  const good = attemptCursorOf(7)
  const numbers = [0, -1, 1.5, Number.NaN, 2 ** 53].map(attemptCursorOf)
  const foreign = cursorOf('orders', ids.textOf(serial(7), 1_767_225_600_000))
  for (const cursor of ['', 'x', '7', `${good}=`, good.slice(1), foreign, ...numbers]) {
    assert.ok(attemptBeforeOf(cursor) instanceof Refusal, cursor)
  }
})
