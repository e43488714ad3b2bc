// The waits between attempts, by schedule.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type FailedAttempt,
  longestWait,
  retryAfterMaxMs,
  retryAfterOf,
  retryDelay,
} from './retry-schedule.ts'

const now = Date.UTC(2026, 0, 1)
const hourMs = 3_600_000
const usual = { retryAfterMs: null, now, expiresAt: now + 48 * hourMs, random: 0.5 }
const waits = (schedule: FailedAttempt['schedule'], more: Partial<FailedAttempt> = {}) =>
  Array.from({ length: 7 }, (_, at) =>
    retryDelay({ schedule, attempts: at + 1, ...usual, ...more }),
  )

describe('the schedule', () => {
  test('STANDARD waits 5 s and 30 s, exactly, whatever the receiver asks for', () => {
    const expected = [5_000, 30_000, null, null, null, null, null]
    assert.deepEqual(waits('STANDARD'), expected)
    const other = { retryAfterMs: hourMs, random: 0.9, expiresAt: now }
    assert.deepEqual(waits('STANDARD', other), expected)
    assert.equal(longestWait('STANDARD'), 30_000)
  })

  test('LONG waits 5 s, 5 min, 30 min, 2 h, 5 h and 10 h, each by up to 10 % off', () => {
    const minutes = [1 / 12, 5, 30, 120, 300, 600]
    const expected = (factor: number) => [
      ...minutes.map((each) => Math.round(each * 60_000 * factor)),
      null,
    ]
    assert.deepEqual(waits('LONG'), expected(1))
    assert.deepEqual(waits('LONG', { random: 0 }), expected(0.9))
    assert.deepEqual(waits('LONG', { random: 1 }), expected(1.1))
    assert.equal(longestWait('LONG'), 11 * hourMs)
  })

  test('LONG waits as long as the receiver asks for, within bounds', () => {
    assert.equal(waits('LONG', { retryAfterMs: 60_000 })[0], 60_000)
    assert.equal(waits('LONG', { retryAfterMs: 1_000 })[0], 5_000)
    assert.equal(waits('LONG', { retryAfterMs: 1_000 * hourMs })[0], retryAfterMaxMs)
  })

  test('LONG ends when the event would be gone', () => {
    const expected = [5_000, 300_000, 1_800_000, null, null, null, null]
    assert.deepEqual(waits('LONG', { expiresAt: now + hourMs }), expected)
  })
})

test('Retry-After is seconds or a date', () => {
  const cases: readonly (readonly [string | undefined, number | null])[] = [
    [undefined, null],
    ['120', 120_000],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['-5', null],
    ['1.5', null],
    ['99999999999', null],
    ['soon', null],
    ['2026-01-01', null],
    ['', null],
  ]
  for (const [header, expected] of cases) {
    assert.equal(retryAfterOf(header, now), expected, String(header))
  }
})
