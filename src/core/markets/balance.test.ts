// The law of a market, held and broken in each of its parts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBalanced, type MarketSums, setsOf } from './balance.ts'

const outcome = { shares: 900n, minted: 200n, merged: 100n }
const held: MarketSums = {
  setsMinted: 1_000n,
  setsRedeemed: 200n,
  outcomes: [outcome, outcome, outcome],
  payouts: 0n,
  isSettled: false,
}

test('sets are minted and redeemed by calls and by matching', () => {
  assert.deepEqual(setsOf(held), { minted: 1_200n, redeemed: 300n })
  assert.ok(isBalanced(held))
})

test('an outcome with another number of shares breaks the law', () => {
  assert.ok(!isBalanced({ ...held, outcomes: [outcome, { ...outcome, shares: 901n }] }))
  assert.ok(!isBalanced({ ...held, setsMinted: 1_001n }))
})

test('sets that were minted or merged for some of the outcomes only break the law', () => {
  assert.ok(!isBalanced({ ...held, outcomes: [outcome, { ...outcome, minted: 100n }] }))
  assert.ok(!isBalanced({ ...held, outcomes: [outcome, { ...outcome, merged: 0n }] }))
})

test('a settled market has paid out 1 for each set, to the last micro-unit', () => {
  const settled = { ...held, isSettled: true, payouts: 9_000_000n }
  assert.ok(isBalanced(settled))
  assert.ok(!isBalanced({ ...settled, payouts: 8_999_999n }))
  assert.ok(isBalanced({ ...settled, isSettled: false, payouts: 1n }))
})
