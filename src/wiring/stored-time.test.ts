// Logical time at the start of a shard.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Clock } from '../engine/clock.ts'
import { continueFrom } from './stored-time.ts'

const startMs = Date.UTC(2026, 0, 1)

function linesAfter(aheadMs: number, behindMsUsual: number): readonly string[] {
  const clock = new Clock({ wall: () => startMs, steady: () => 0, onJump: () => undefined })
  const lines: string[] = []
  const log = { error: (event: string) => lines.push(event) }
  continueFrom(startMs + aheadMs, { clock, log, behindMsUsual })
  assert.equal(clock.now(), startMs + Math.max(0, aheadMs))
  return lines
}

test('a clock behind the stored time is reported by a process that is alone', () => {
  assert.deepEqual(linesAfter(-1, 0), [])
  assert.deepEqual(linesAfter(0, 0), [])
  assert.equal(linesAfter(1, 0).length, 1)
})

test('a node reports it only if the clocks of two nodes never differ so much', () => {
  assert.deepEqual(linesAfter(500, 500), [])
  assert.equal(linesAfter(501, 500).length, 1)
})
