// Cursors: what we gave is understood again, anything else is refused.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ids } from '../../core/ids.ts'
import { Refusal } from '../errors.ts'
import { afterOf, cursorOf } from './cursor.ts'

const ids = new Ids({ shard: 3, key: [5, 6] })

test('a cursor leads back to the serial of its row', () => {
  for (const serial of [1, 77, 2 ** 40]) {
    const cursor = cursorOf(ids.textOf(serial, 1_767_225_600_000))
    assert.match(cursor, /^[\w-]+$/)
    assert.equal(afterOf(ids, cursor), serial)
  }
  assert.equal(afterOf(ids, undefined), null)
})

test('a cursor that we did not give is refused', () => {
  const foreign = new Ids({ shard: 4, key: [5, 6] })
  const good = cursorOf(ids.textOf(7, 1_767_225_600_000))
  for (const cursor of ['', 'x', '7', `${good}=`, `${good}A`, good.slice(1), cursorOf('x')]) {
    assert.ok(afterOf(ids, cursor) instanceof Refusal, cursor)
  }
  assert.ok(afterOf(ids, cursorOf(foreign.textOf(7, 1_767_225_600_000))) instanceof Refusal)
})
