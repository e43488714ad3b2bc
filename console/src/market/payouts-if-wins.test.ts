// Payouts by the outcome that wins.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payoutsIfWins, sumOf } from './payouts-if-wins.ts'

const position = (outcomeId: string, payoutIfWins: string, totalCost: string, realizedPnl = '0') =>
  ({ outcomeId, payoutIfWins, totalCost, realizedPnl }) as const

test('the profit counts the cost of all positions and what was realised', () => {
  const positions = [position('yes', '25', '13.75', '-0.000001'), position('no', '30.5', '9')]
  assert.deepEqual(payoutsIfWins(positions, { outcomeCount: 2 }), [
    { outcomeId: 'no', paid: '30.5', profit: '7.749999' },
    { outcomeId: 'yes', paid: '25', profit: '2.249999' },
  ])
})

test('outcomes without shares share one row, which pays nothing', () => {
  const positions = [position('a', '10', '4'), position('b', '0', '0', '1.5')]
  assert.deepEqual(payoutsIfWins(positions, { outcomeCount: 3 }), [
    { outcomeId: 'a', paid: '10', profit: '7.5' },
    { outcomeId: null, paid: '0', profit: '-2.5' },
  ])
})

test('a player without shares is paid nothing', () => {
  assert.deepEqual(payoutsIfWins([position('a', '0', '0', '-3')], { outcomeCount: 2 }), [])
})

test('amounts that a number cannot hold are exact', () => {
  const [one] = payoutsIfWins([position('a', '9007199254740993', '0.000001')], { outcomeCount: 1 })
  assert.deepEqual(one, {
    outcomeId: 'a',
    paid: '9007199254740993',
    profit: '9007199254740992.999999',
  })
  assert.equal(sumOf(['0.1', '-0.3', '0.25']), '0.05')
  assert.equal(sumOf([]), '0')
})
