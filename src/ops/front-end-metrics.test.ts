// The metrics of several processes as one text.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FrontEndMetrics } from './front-end-metrics.ts'

function textOf(orders: number, memory: number, held: number): string {
  return [
    '# HELP outcry_orders_total Accepted orders.',
    '# TYPE outcry_orders_total counter',
    `outcry_orders_total ${orders}`,
    '# HELP outcry_process_resident_memory_bytes Memory.',
    '# TYPE outcry_process_resident_memory_bytes gauge',
    `outcry_process_resident_memory_bytes ${memory}`,
    '# HELP outcry_reads_waiting Reads.',
    '# TYPE outcry_reads_waiting gauge',
    `outcry_reads_waiting{lane="callers"} ${held}`,
    '',
  ].join('\n')
}

test('counters and queues are summed, and the memory of each process has its name', async () => {
  const metrics = new FrontEndMetrics(async () => textOf(5, 100, 1))
  metrics.add('a', { name: 'front-1', text: async () => textOf(2, 30, 4) })
  const text = await metrics.text()
  assert.match(text, /^outcry_orders_total 7$/m)
  assert.match(text, /^outcry_reads_waiting\{lane="callers"\} 5$/m)
  assert.match(text, /^outcry_process_resident_memory_bytes\{process="engine"\} 100$/m)
  assert.match(text, /^outcry_process_resident_memory_bytes\{process="front-1"\} 30$/m)
  assert.equal(text.split('# TYPE outcry_orders_total counter').length, 2)
})

test('counters keep what a process counted that has ended, and its gauges are gone', async () => {
  const metrics = new FrontEndMetrics(async () => textOf(5, 100, 1))
  metrics.add('a', { name: 'front-1', text: async () => textOf(2, 30, 4) })
  await metrics.text()
  metrics.remove('a')
  const text = await metrics.text()
  assert.match(text, /^outcry_orders_total 7$/m)
  assert.match(text, /^outcry_reads_waiting\{lane="callers"\} 1$/m)
  assert.doesNotMatch(text, /front-1/)
})

test('a process that fails to answer counts with its last figures', async () => {
  let isFailing = false
  const metrics = new FrontEndMetrics(async () => textOf(5, 100, 1))
  const text = async () => {
    if (isFailing) throw new Error('no answer')
    return textOf(2, 30, 4)
  }
  metrics.add('a', { name: 'front-1', text })
  await metrics.text()
  isFailing = true
  assert.match(await metrics.text(), /^outcry_orders_total 7$/m)
})
