// The text of a time, against the one of the platform, which the core cannot use.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wireTimeOf } from './wire-time.ts'

const last = Date.UTC(10_000, 0, 1) - 1

test('a time is the text that the platform makes of it, on every day of 8,030 years', () => {
  for (let millis = 0; millis <= last; millis += 86_400_000) {
    const text = wireTimeOf(millis)
    if (text !== new Date(millis).toISOString()) assert.equal(text, new Date(millis).toISOString())
  }
})

test('a time has its hours, minutes, seconds and milliseconds, up to the last of the day', () => {
  for (const time of ['1970-01-01T00:00:00.001Z', '2028-02-29T23:59:59.999Z']) {
    assert.equal(wireTimeOf(Date.parse(time)), time)
  }
  for (let millis = 0; millis < 86_400_000; millis += 12_347) {
    assert.equal(wireTimeOf(millis), new Date(millis).toISOString())
  }
  assert.equal(wireTimeOf(last), '9999-12-31T23:59:59.999Z')
})
