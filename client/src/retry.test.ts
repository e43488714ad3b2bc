// How long and how often a request is repeated: by elapsed time, with growing and random waits.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutcryError, type OutcryErrorCode } from './errors.ts'
import { waitBefore } from './retry.ts'

const retryMs = 30_000

function errorOf(code: OutcryErrorCode, retryAfter: number | null = null): OutcryError {
  return new OutcryError({ code, message: code, retryAfter })
}

/** The waits of a request that always fails at once. */
function waitsOf(error: OutcryError): number[] {
  const waits: number[] = []
  for (let elapsedMs = 0; ; ) {
    const attempts = waits.length + 1
    const wait = waitBefore({ error, policy: 'ALWAYS', attempts, elapsedMs, retryMs })
    if (wait === null) return waits
    waits.push(wait)
    elapsedMs += wait
  }
}

test('a request is repeated until the whole time has passed, and then no more', () => {
  for (let round = 0; round < 100; round += 1) {
    const waits = waitsOf(errorOf('UNAVAILABLE'))
    const sum = waits.reduce((total, wait) => total + wait, 0)
    assert.ok(Math.abs(sum - retryMs) < 0.001, String(sum))
    assert.ok(waits.length >= 10 && waits.length <= 20, String(waits.length))
    assert.ok(Math.max(...waits) <= 5_000)
  }
})

test('the waits of two clients differ, also with the same Retry-After', () => {
  for (const error of [errorOf('UNAVAILABLE'), errorOf('RATE_LIMITED', 2)]) {
    const [one, other] = [waitsOf(error), waitsOf(error)]
    assert.notDeepEqual(one.slice(0, 3), other.slice(0, 3))
  }
})

test('no attempt is earlier than Retry-After, and none is made if that is after the end', () => {
  for (const wait of waitsOf(errorOf('RATE_LIMITED', 4))) assert.ok(wait >= 4_000, String(wait))
  const late = { policy: 'ALWAYS', attempts: 1, retryMs } as const
  const error = errorOf('RATE_LIMITED', 10)
  assert.ok(waitBefore({ ...late, error, elapsedMs: 20_000 })! >= 10_000)
  assert.equal(waitBefore({ ...late, error, elapsedMs: 20_001 }), null)
})

test('without time to repeat there is one attempt', () => {
  const once = { attempts: 1, elapsedMs: 0, retryMs: 0, policy: 'ALWAYS' } as const
  assert.equal(waitBefore({ ...once, error: errorOf('UNAVAILABLE') }), null)
})
