// How many traces of events are kept, and which are dropped first.

import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { EventTraces, eventsMax, eventsPerOperatorMax } from './event-traces.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'

test('each event of a record has the trace, and no other event', () => {
  const traces = new EventTraces()
  traces.add({ operatorId: 'a', firstSequence: 5, count: 3, traceId })
  const found = [4, 5, 6, 7, 8].map((sequence) => traces.find('a', sequence) === traceId)
  equal(found.join(), 'false,true,true,true,false')
  equal(traces.find('b', 5), undefined)
})

test('an operator has the traces of its latest events', () => {
  const traces = new EventTraces()
  for (let first = 1; first <= 2 * eventsPerOperatorMax; first += 100) {
    traces.add({ operatorId: 'a', firstSequence: first, count: 100, traceId })
  }
  equal(traces.size, eventsPerOperatorMax)
  equal(traces.find('a', eventsPerOperatorMax), undefined)
  equal(traces.find('a', eventsPerOperatorMax + 1), traceId)
  equal(traces.find('a', 2 * eventsPerOperatorMax), traceId)
})

test('all operators together have a limit; the one that was idle longest loses first', () => {
  const traces = new EventTraces()
  const full = eventsMax / eventsPerOperatorMax
  for (let at = 0; at < full; at += 1) {
    const all = { firstSequence: 1, count: eventsPerOperatorMax, traceId }
    traces.add({ operatorId: `operator ${at}`, ...all })
  }
  equal(traces.size, eventsMax)
  const after = { firstSequence: eventsPerOperatorMax + 1, count: 1, traceId }
  traces.add({ operatorId: 'operator 0', ...after })
  equal(traces.find('operator 0', 2), traceId)
  traces.add({ operatorId: 'new', firstSequence: 1, count: 2, traceId })
  equal(traces.size, eventsMax)
  equal(traces.find('operator 1', 2), undefined)
  equal(traces.find('operator 1', 3), traceId)
  equal(traces.find('operator 0', 2), traceId)
  traces.delete('operator 0')
  equal(traces.size, eventsMax - eventsPerOperatorMax)
  equal(traces.find('operator 0', eventsPerOperatorMax), undefined)
})

test('sequences that are used again, after a restore, count once', () => {
  const traces = new EventTraces()
  for (let time = 0; time < 3; time += 1) {
    traces.add({ operatorId: 'a', firstSequence: 1, count: 10, traceId })
  }
  equal(traces.size, 10)
})
