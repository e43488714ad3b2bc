// Tests of a tape that is loaded and then goes on.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joined } from './tape.ts'

const trade = (timestamp: number, shares: number) =>
  ({ timestamp, shares, price: 0.5, takerSide: 'BUY' }) as const

test('a trade that was heard while others were loaded is shown once, newest first', () => {
  const loaded = [trade(20, 2), trade(20, 1), trade(10, 1)]
  const heard = [trade(30, 4), trade(30, 3), trade(20, 2), trade(20, 1), trade(10, 1)]
  assert.deepEqual(joined(loaded, heard), [trade(30, 4), trade(30, 3), ...loaded])
  assert.deepEqual(joined([], heard), heard)
})

test('a trade of the same millisecond that came after the others were loaded is shown, too', () => {
  const loaded = [trade(20, 1), trade(10, 1)]
  const heard = [trade(20, 7), trade(20, 1)]
  assert.deepEqual(joined(loaded, heard), [trade(20, 7), ...loaded])
})
