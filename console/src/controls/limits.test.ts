// Limits of players in forms and beside what is used of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptLimits, requestOf, typedLimitsOf, useOf } from './limits.ts'

const limits = { maxOrderCost: '50', maxMarketCost: null } as const

test('a limit that is left out differs from one that is lifted and from a number', () => {
  const typed = typedLimitsOf(limits)
  const choices = Object.values(typed).map(({ choice }) => choice)
  assert.deepEqual(choices, ['OWN', 'DEFAULT', 'NONE'])
  assert.deepEqual(requestOf(typed), { maxOrderCost: 50, maxMarketCost: null })
  assert.deepEqual(requestOf(typedLimitsOf(null)), {})
})

test('limits that do not change are sent as they are', () => {
  assert.deepEqual(keptLimits(limits), { maxOrderCost: 50, maxMarketCost: null })
  assert.deepEqual(keptLimits({ maxMarketCost: '999999999.999999' }), {
    maxMarketCost: 999_999_999.999999,
  })
  assert.deepEqual(keptLimits(null), {})
})

test('an own limit that is not typed is named', () => {
  const typed = { ...typedLimitsOf(null), maxMarketCost: { choice: 'OWN', typed: ' ' } } as const
  assert.throws(() => requestOf(typed), /Cost in one market: enter the limit/)
})

test('what is used is shown with its limit, and marked where it is above', () => {
  const at = (used: string, limit: string | null) => useOf('maxMarketCost', used, limit)
  assert.deepEqual(at('44.5', '200'), { text: '44.50 of 200.00', share: 0.2225, isOver: false })
  assert.deepEqual(at('200', '200'), { text: '200.00 of 200.00', share: 1, isOver: false })
  assert.deepEqual(at('300', '200'), { text: '300.00 of 200.00', share: 1, isOver: true })
  assert.deepEqual(at('0', '0'), { text: '0.00 of 0.00', share: 0, isOver: false })
  assert.deepEqual(at('1', '0'), { text: '1.00 of 0.00', share: 1, isOver: true })
  assert.deepEqual(at('1234.5', null), { text: '1,234.50', share: null, isOver: false })
  assert.equal(useOf('maxOutcomeShares', '90', '1000').text, '90 of 1,000')
})
