// Tests of what a share of an outcome pays.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payoutOf } from './payout.ts'

const paid = (market: Parameters<typeof payoutOf>[0]) =>
  ['yes', 'no'].map((id) => payoutOf(market, { id }))

test('nothing is paid before a market is resolved', () => {
  assert.deepEqual(paid({ winningOutcomeId: null, payouts: null }), [null, null])
})

test('the winner pays one, the others nothing', () => {
  assert.deepEqual(paid({ winningOutcomeId: 'no', payouts: null }), ['0', '1'])
})

test('payouts are shown as they were given', () => {
  const payouts = [
    { outcomeId: 'yes', payoutPerShare: '0.25' },
    { outcomeId: 'no', payoutPerShare: '0.75' },
  ]
  assert.deepEqual(paid({ winningOutcomeId: null, payouts }), ['0.25', '0.75'])
})
