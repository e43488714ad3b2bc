// CPU time by thread: the threads of a service are distinguished, also those of a version that
// gives them no names.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../bench/http/servers-under-test.ts'
import { cpuByThread, cpuPerOrder, threadTimesOf } from '../../bench/support/cpu-time.ts'

const pid = 100

test('the time of each thread counts from the first reading, under its name', () => {
  const before = [
    { id: pid, name: 'node-MainThread', micros: 1_000 },
    { id: 101, name: 'writer', micros: 500 },
    { id: 102, name: 'node-V8Worker', micros: 40 },
  ]
  const after = [
    { id: pid, name: 'node-MainThread', micros: 1_300 },
    { id: 101, name: 'writer', micros: 700 },
    { id: 102, name: 'node-V8Worker', micros: 50 },
    { id: 103, name: 'reader', micros: 20 },
    { id: 104, name: 'reader', micros: 5 },
  ]
  const spent = cpuByThread(pid, { before, after })
  assert.deepEqual(spent, { main: 300, writer: 200, readers: 25, rest: 10, all: 535 })
  const each = cpuPerOrder(spent, 10)
  assert.deepEqual(each, { main: 30, writer: 20, readers: 2.5, rest: 1, all: 53.5 })
})

test('without names, the thread that was busiest between the readings is the writer', () => {
  const threads = [
    { id: 101, name: 'WorkerThread', micros: 9_000 },
    { id: 102, name: 'WorkerThread', micros: 100 },
    { id: 103, name: 'node-V8Worker', micros: 0 },
  ]
  const after = threads.map((thread) => ({
    ...thread,
    micros: thread.micros + { 101: 3, 102: 70, 103: 500 }[thread.id]!,
  }))
  const spent = cpuByThread(pid, { before: threads, after })
  assert.deepEqual(spent, { main: 0, writer: 70, readers: 3, rest: 500, all: 573 })
})

test('a process without threads of its own has no writer', () => {
  const before = [{ id: 103, name: 'node-V8Worker', micros: 0 }]
  const after = [{ id: 103, name: 'node-V8Worker', micros: 500 }]
  const spent = cpuByThread(pid, { before, after })
  assert.deepEqual(spent, { main: 0, writer: 0, readers: 0, rest: 500, all: 500 })
})

const skip = process.platform !== 'linux' && 'only Linux reports CPU time by thread'

test('a service has a main thread, a writer and readers', { skip }, async () => {
  const service = await startService('src/main.ts', { rounds: 1 })
  try {
    const after = threadTimesOf(service.pid)
    assert.ok(after !== null)
    const { main, writer, readers } = cpuByThread(service.pid, { before: [], after })
    assert.ok(main > 0 && writer > 0 && readers > 0, JSON.stringify(after))
  } finally {
    await service.stop()
  }
})
