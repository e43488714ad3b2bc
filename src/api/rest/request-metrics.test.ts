// Which requests have a line in the log, and what it says.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog, type LogOptions } from '../../ops/log.ts'
import { requestRecorder } from './request-metrics.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parentId = '00f067aa0ba902b7'

function linesOf(level: LogOptions['level'], ageMs: number) {
  const lines: string[] = []
  const log = createLog({ level, write: (line) => lines.push(line) })
  requestRecorder({ log, metrics: { request: () => {} } as never })({
    ...{ method: 'POST', route: '/api/v1/orders', status: 201, requestId: 'r1' },
    traceparent: `00-${traceId}-${parentId}-01`,
    startedAt: performance.now() - ageMs,
    address: () => '192.0.2.1',
  })
  return lines.map((line) => JSON.parse(line))
}

test('every request is logged with its trace on the level debug, and slow ones always', () => {
  assert.deepEqual(linesOf('info', 0), [])
  const request = { requestId: 'r1', traceId, parentId, route: '/api/v1/orders', status: 201 }
  for (const [level, ageMs, event] of [
    ['debug', 0, 'request'],
    ['debug', 2_000, 'slow request'],
    ['info', 2_000, 'slow request'],
  ] as const) {
    const [line, ...others] = linesOf(level, ageMs)
    assert.partialDeepStrictEqual(line, { ...request, event, address: '192.0.2.1' })
    assert.deepEqual(others, [])
  }
})
