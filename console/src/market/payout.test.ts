// The payout of a share.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payoutOf } from './payout.ts'

const paid = (market: Parameters<typeof payoutOf>[0]) =>
  ['yes', 'no'].map((id) => payoutOf(market, { id }))

test('an unresolved market has no payouts', () => {
  assert.deepEqual(paid({ winningOutcomeId: null, payouts: null }), [null, null])
})

test('a share of the winner pays 1, of the others 0', () => {
  assert.deepEqual(paid({ winningOutcomeId: 'no', payouts: null }), ['0', '1'])
})

test('a market resolved by payouts pays them unchanged', () => {
  const payouts = [
    { outcomeId: 'yes', payoutPerShare: '0.25' },
    { outcomeId: 'no', payoutPerShare: '0.75' },
  ]
  assert.deepEqual(paid({ winningOutcomeId: null, payouts }), ['0.25', '0.75'])
})
