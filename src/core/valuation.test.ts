// What a position is worth.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markOf, valuationOf } from './valuation.ts'

const atCost = { source: 'COST', price: null }

test('a position is marked by its payout, else by the last trade, else by its cost', () => {
  const open = { status: 'OPEN', payout: null, lastPrice: null } as const
  assert.deepEqual(markOf(open), atCost)
  assert.deepEqual(markOf({ ...open, lastPrice: 6_000 }), { source: 'LAST', price: 6_000 })
  const settled = { status: 'SETTLED', payout: 0, lastPrice: 6_000 } as const
  assert.deepEqual(markOf(settled), { source: 'PAYOUT', price: 0 })
})

test('a cancelled market pays nothing back by itself, so its positions stay at their cost', () => {
  assert.deepEqual(markOf({ status: 'CANCELLED', payout: null, lastPrice: 6_000 }), atCost)
})

test('the profit is what trades have realized and what is not realized yet', () => {
  const holding = { shares: 100, cost: 700_000n, profit: -5n }
  const priced = valuationOf(holding, { source: 'LAST', price: 6_000 })
  assert.deepEqual(priced, { value: 600_000n, unrealized: -100_000n, total: -100_005n })
  const unpriced = valuationOf(holding, { source: 'COST', price: null })
  assert.deepEqual(unpriced, { value: 700_000n, unrealized: 0n, total: -5n })
})
