// Which traceparent headers are taken up.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { traceOf } from './trace.ts'

const [traceId, parentId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']

test('a valid header names its trace, also in a later version', () => {
  for (const header of [`00-${traceId}-${parentId}-01`, `01-${traceId}-${parentId}-00-more`]) {
    assert.deepEqual(traceOf(header), { traceId, parentId })
  }
})

test('an invalid header is ignored', () => {
  for (const header of [
    undefined,
    ['00'],
    '',
    `ff-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-01-more`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${parentId}`,
    `00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`,
    `01-${traceId}-${parentId}-00-${'x'.repeat(300)}`,
  ]) {
    assert.equal(traceOf(header), null, String(header))
  }
})
