// The lag of the event loop.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LoopLag } from './loop-lag.ts'

test('a blocked event loop shows as its lag in the next second', { timeout: 10_000 }, async () => {
  const lag = new LoopLag()
  assert.equal(lag.ms, 0)
  // A sample must have been taken before.
  await new Promise((resolve) => setTimeout(resolve, 50))
  const blockedUntil = performance.now() + 300
  while (performance.now() < blockedUntil);
  while (lag.ms === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  assert.ok(lag.ms >= 250 && lag.ms < 5_000, `${lag.ms} ms`)
})
