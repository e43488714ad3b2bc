// Options come back out of a row as they went in.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selfTradePreventions, timesInForce } from '../words.ts'
import { packOptions, unpackOptions, usualOptions } from './options.ts'

test('an order without options packs them into 0', () => {
  assert.equal(packOptions(usualOptions), 0)
  assert.deepEqual(unpackOptions(0), usualOptions)
})

test('every combination comes back as it went in, and has a number of its own', () => {
  const numbers = new Set<number>()
  for (const timeInForce of timesInForce) {
    for (const selfTradePrevention of selfTradePreventions) {
      for (const isPostOnly of [false, true]) {
        const options = { timeInForce, isPostOnly, selfTradePrevention }
        numbers.add(packOptions(options))
        assert.deepEqual(unpackOptions(packOptions(options)), options)
      }
    }
  }
  assert.equal(numbers.size, 18)
})
