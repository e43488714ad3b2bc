// The clock follows small corrections of the machine's clock and ignores jumps.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Clock } from './clock.ts'

function newClock() {
  const machine = { wall: 1_000_000, steady: 50 }
  const jumps: number[] = []
  const clock = new Clock({
    wall: () => machine.wall,
    steady: () => machine.steady,
    onJump: (ms) => jumps.push(ms),
  })
  const pass = (ms: number) => {
    machine.wall += ms
    machine.steady += ms
  }
  return { clock, jumps, machine, pass }
}

test('the clock advances with the wall clock', () => {
  const { clock, pass } = newClock()
  pass(1_234)
  assert.equal(clock.now(), 1_001_234)
})

test('a correction of up to two seconds is followed', () => {
  const { clock, jumps, machine } = newClock()
  machine.wall += 2_000
  assert.equal(clock.now(), 1_002_000)
  assert.deepEqual(jumps, [])
})

test('a jump is ignored and reported once, and time goes on without it', () => {
  const { clock, jumps, machine, pass } = newClock()
  machine.wall += 3_600_000
  assert.equal(clock.now(), 1_000_000)
  pass(10)
  assert.equal(clock.now(), 1_000_010)
  assert.deepEqual(jumps, [3_600_000])
})

test('a jump back is ignored, too', () => {
  const { clock, jumps, machine } = newClock()
  machine.wall -= 2_001
  assert.equal(clock.now(), 1_000_000)
  assert.deepEqual(jumps, [-2_001])
})

test('a corrected wall clock is followed again, and a second jump is reported', () => {
  const { clock, jumps, machine } = newClock()
  for (const wall of [9_000_000, 1_000_500, 9_000_000]) {
    machine.wall = wall
    clock.now()
  }
  assert.equal(jumps.length, 2)
  assert.equal(clock.now(), 1_000_500)
})
