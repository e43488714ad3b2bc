// Steps of a field.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepped, stepsOf } from './steps.ts'

const prices = { step: 0.0001, min: 0.0001, max: 0.9999, start: 0.5 }

test('steps stay on the multiples of the step and within the bounds', () => {
  assert.equal(stepped(0.3, 1, prices), 0.3001)
  assert.equal(stepped(0.3, -1, prices), 0.2999)
  assert.equal(stepped(0.57, 100, prices), 0.58)
  assert.equal(stepped(0.9999, 1, prices), 0.9999)
  assert.equal(stepped(0.0001, -10, prices), 0.0001)
  const shares = { step: 1, min: 1, max: 1_000, start: 1 }
  assert.equal(stepped(2.5, 1, shares), 3)
  assert.equal(stepped(2.5, -1, shares), 2)
  assert.equal(stepped(5_000, 1, shares), 1_000)
})

test('an empty field starts at the given value', () => {
  assert.equal(stepped(null, 1, prices), 0.5)
  assert.equal(stepped(null, -100, prices), 0.5)
})

test('arrows go one step, with shift ten, and pages a hundred', () => {
  const keys = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'a']
  assert.deepEqual(
    keys.map((key) => stepsOf({ key, shiftKey: false })),
    [1, -1, 100, -100, null],
  )
  assert.equal(stepsOf({ key: 'ArrowUp', shiftKey: true }), 10)
})
