// Parsing new markets and changes: omitted fields and null.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMarketOf, marketChangesOf } from './market.ts'

test('a market with only a title gets the defaults, in USD', () => {
  assert.deepEqual(createMarketOf('op', { title: 'Rain?' }), {
    operatorId: 'op',
    title: 'Rain?',
    description: null,
    imageUrl: null,
    categoryId: null,
    metadata: null,
    tradingStartsAt: null,
    tradingEndsAt: null,
    currency: 'USD',
    outcomes: null,
    isShared: false,
    hasCompleteSetMatching: false,
    hasPublicPage: false,
    feeSchedule: null,
    priceBand: null,
  })
})

test('an omitted field stays unchanged, and null clears a field', () => {
  assert.deepEqual(marketChangesOf({}), {})
  assert.deepEqual(
    marketChangesOf({ description: null, metadata: null, tradingEndsAt: null, categoryId: null }),
    { description: null, metadata: null, tradingEndsAt: null, categoryId: null },
  )
  assert.deepEqual(
    marketChangesOf({
      title: 'Snow?',
      tradingStartsAt: '2026-01-01T00:00:00Z',
      metadata: { a: 1 },
    }),
    { title: 'Snow?', tradingStartsAt: Date.UTC(2026, 0, 1), metadata: '{"a":1}' },
  )
})
