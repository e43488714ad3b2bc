// Which texts are accepted as times, and as which time.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { millisOf } from './time.ts'

test('an ISO 8601 time with an offset becomes Unix milliseconds', () => {
  assert.equal(millisOf('2026-01-01T00:00:00Z'), Date.UTC(2026, 0, 1))
  assert.equal(millisOf('2026-01-01T01:30:00+01:30'), Date.UTC(2026, 0, 1))
  assert.equal(millisOf('2026-01-01T00:00Z'), Date.UTC(2026, 0, 1))
  assert.equal(millisOf('2025-12-31T19:00-05:00'), Date.UTC(2026, 0, 1))
  assert.equal(millisOf('2025-12-31T19:00:00.000-05:00'), Date.UTC(2026, 0, 1))
  assert.equal(millisOf('2026-01-01T00:00:00.1239Z'), Date.UTC(2026, 0, 1) + 123)
  assert.equal(millisOf('2028-02-29T00:00:00Z'), Date.UTC(2028, 1, 29))
  assert.equal(millisOf('9999-12-31T23:59:59.999Z'), Date.UTC(9999, 11, 31, 23, 59, 59, 999))
})

test('a text that is not an existing ISO 8601 time with an offset is refused', () => {
  for (const text of [
    ...['', '2026-01-01', '2026-01-01T00:00:00', '2026-01-01 00:00:00Z', '2026-01-01T00:00'],
    ...['2026-01-01T00Z', '2026-01-01T00:00.5Z', '2026-01-01T24:00Z', '2026-01-01T00:60Z'],
    ...['2026-02-29T00:00Z', '2026-01-01T00:00+24:00', '2026-01-01T00:Z', '2026-01-01T00:00+01'],
    ...['2026-02-29T00:00:00Z', '2026-04-31T00:00:00Z', '2026-13-01T00:00:00Z'],
    ...['2026-00-01T00:00:00Z', '2026-01-00T00:00:00Z', '2026-01-01T24:00:00Z'],
    ...['2026-01-01T00:60:00Z', '2026-01-01T00:00:60Z', '2026-01-01T00:00:00+24:00'],
    ...['1969-12-31T23:59:59Z', '1970-01-01T00:00:00Z', '1970-01-01T00:00:01+01:00'],
    ...['9999-12-31T23:59:59-01:00', '10000-01-01T00:00:00Z', '+002026-01-01T00:00:00Z'],
    ...['2026-01-01T00:00:00z', '2026-01-01t00:00:00Z', ' 2026-01-01T00:00:00Z', '0'],
    ...['2026-01-01T00:00:00Z\n', '2026-01-01T00:00:00.Z', '2026-01-01T00:00:00+0100'],
  ]) {
    assert.equal(millisOf(text), null, text)
  }
})
