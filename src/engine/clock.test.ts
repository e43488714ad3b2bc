// The clock follows small corrections of the machine's clock, ignores jumps, and never goes back.

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

test('behind a stored time, time goes on from it at half pace until the clock catches up', () => {
  const { clock, pass } = newClock()
  clock.continueFrom(1_100_000)
  assert.equal(clock.now(), 1_100_000)
  const steps: [number, number, number][] = []
  for (const ms of [1, 1, 99_998, 99_998, 2, 2, 1_000]) {
    pass(ms)
    steps.push([clock.wall(), clock.now(), clock.behindMs])
  }
  assert.deepEqual(steps, [
    [1_000_001, 1_100_000, 99_999],
    [1_000_002, 1_100_001, 99_999],
    [1_100_000, 1_150_000, 50_000],
    [1_199_998, 1_199_999, 1],
    [1_200_000, 1_200_000, 0],
    [1_200_002, 1_200_002, 0],
    [1_201_002, 1_201_002, 0],
  ])
})

test('the two meet at the same time, however often the clock is read', () => {
  const { clock, pass } = newClock()
  clock.continueFrom(1_000_300)
  pass(599)
  assert.equal(clock.now(), 1_000_599)
  pass(5_000)
  assert.equal(clock.now(), 1_005_599)
  const often = newClock()
  often.clock.continueFrom(1_000_300)
  for (let ms = 0; ms < 5_599; ms += 1) {
    often.pass(1)
    assert.equal(often.clock.now(), 1_000_000 + Math.max(ms + 1, 300 + Math.floor((ms + 1) / 2)))
  }
  assert.equal(often.clock.now(), 1_005_599)
})

test('a stored time that has passed changes nothing', () => {
  const { clock, pass } = newClock()
  clock.continueFrom(999_999)
  pass(10)
  assert.deepEqual([clock.now(), clock.behindMs], [1_000_010, 0])
})

test('an earlier stored time does not shorten the way to a later one', () => {
  const { clock } = newClock()
  clock.continueFrom(1_100_000)
  clock.continueFrom(1_050_000)
  assert.deepEqual([clock.now(), clock.behindMs], [1_100_000, 100_000])
})

test('a correction back is followed at half pace, and time never goes back', () => {
  const { clock, jumps, machine, pass } = newClock()
  assert.equal(clock.now(), 1_000_000)
  machine.wall -= 2_000
  assert.deepEqual([clock.now(), clock.wall(), clock.behindMs], [1_000_000, 998_000, 2_000])
  pass(1_000)
  assert.equal(clock.now(), 1_000_500)
  pass(3_000)
  assert.deepEqual([clock.now(), clock.wall(), clock.behindMs], [1_002_000, 1_002_000, 0])
  assert.deepEqual(jumps, [])
})

test('behind a stored time, a clock that is set right is followed, and time does not jump', () => {
  const { clock, jumps, machine, pass } = newClock()
  clock.continueFrom(1_240_000)
  pass(10_000)
  machine.wall += 200_000
  assert.deepEqual([clock.now(), clock.behindMs], [1_245_000, 35_000])
  pass(70_000)
  assert.deepEqual([clock.now(), clock.behindMs], [1_280_000, 0])
  assert.deepEqual(jumps, [])
})

test('behind a stored time, a clock that is set beyond logical time ends the half pace', () => {
  const { clock, jumps, machine, pass } = newClock()
  clock.continueFrom(1_240_000)
  pass(10_000)
  assert.deepEqual([clock.now(), clock.behindMs], [1_245_000, 235_000])
  machine.wall += 300_000
  assert.deepEqual([clock.now(), clock.wall(), clock.behindMs], [1_245_000, 1_245_000, 0])
  pass(10_000)
  assert.equal(clock.now(), 1_255_000)
  assert.deepEqual(jumps, [65_000])
})

test('behind a stored time, a jump back is ignored and reported', () => {
  const { clock, jumps, machine, pass } = newClock()
  clock.continueFrom(1_240_000)
  machine.wall -= 3_600_000
  pass(10_000)
  assert.deepEqual([clock.now(), clock.behindMs], [1_245_000, 235_000])
  assert.deepEqual(jumps, [-3_600_000])
})

test('more than five minutes behind the stored time is a problem, five minutes are not', () => {
  const { clock } = newClock()
  assert.equal(clock.problemWith(1_300_000), null)
  const problem = clock.problemWith(1_301_000)
  const [wall, stored] = ['1970-01-01T00:16:40.000Z', '1970-01-01T00:21:41.000Z']
  assert.match(problem ?? '', new RegExp(`\\(${wall}\\) is 301 seconds behind .*\\(${stored}\\)`))
  assert.match(clock.problemWith(1_300_001) ?? '', /ACCEPT_CLOCK_BEHIND=true/)
})
