// Fee schedules in forms.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleFee, scheduleOf, typedFeesOf } from './fees.ts'

test('the fee of 100 shares at 0.50 is exact, and half as high if it is quadratic', () => {
  assert.equal(exampleFee('LINEAR', '3'), '1.50')
  assert.equal(exampleFee('QUADRATIC', '7'), '1.75')
  assert.equal(exampleFee('QUADRATIC', '0,5'), '0.125')
  assert.equal(exampleFee('QUADRATIC', '0.01'), '0.0025')
  assert.equal(exampleFee('LINEAR', '100'), '50.00')
  assert.equal(exampleFee('LINEAR', '0'), '0.00')
})

test('no fee is shown for a percentage that is missing, above 100, or ambiguous', () => {
  for (const typed of ['', '100.01', 'two', '-1']) assert.equal(exampleFee('LINEAR', typed), null)
})

test('a schedule is read back as it was typed, and null is none', () => {
  const schedule = { model: 'QUADRATIC', takerPercent: '7', makerPercent: '0.5' } as const
  const typed = typedFeesOf(schedule)
  assert.deepEqual(scheduleOf(typed), { model: 'QUADRATIC', takerPercent: 7, makerPercent: 0.5 })
  assert.equal(scheduleOf(typedFeesOf(null)), null)
  assert.equal(scheduleOf({ ...typed, choice: 'NONE' }), null)
})

test('a schedule without one of its percentages says which one is missing', () => {
  const typed = { choice: 'LINEAR', taker: '', maker: '1' } as const
  assert.throws(() => scheduleOf(typed), /fee of the taker/)
  assert.throws(() => scheduleOf({ ...typed, taker: '1', maker: ' ' }), /fee of the maker/)
})
