// The heap returns what falls due first, whatever was added and removed in between.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../../test/support/process/random.ts'
import { DueHeap } from './due-heap.ts'

type Due = { readonly handle: number; readonly time: number; readonly serial: number }

test('an empty heap has nothing due', () => {
  const heap = new DueHeap<number>()
  assert.deepEqual([heap.size, heap.first(), heap.isDue(Infinity)], [0, -1, false])
})

test('a time is due when it comes and not before', () => {
  const heap = new DueHeap<number>()
  heap.add(3, 1_000, 1)
  assert.deepEqual([heap.isDue(999), heap.isDue(1_000)], [false, true])
})

test('of one time the earlier serial is first', () => {
  const heap = new DueHeap<number>()
  heap.add(1, 1_000, 20)
  heap.add(2, 1_000, 10)
  assert.equal(heap.first(), 2)
})

test('removing an entry that is not there changes nothing', () => {
  const heap = new DueHeap<number>()
  heap.add(1, 1_000, 1)
  heap.remove(0)
  heap.remove(99)
  assert.deepEqual([heap.size, heap.first()], [1, 1])
})

test('a cleared heap is as good as new', () => {
  const heap = new DueHeap<number>()
  for (const handle of [0, 1, 2]) heap.add(handle, 10 - handle, handle)
  heap.clear()
  assert.deepEqual([heap.size, heap.first(), heap.isDue(Infinity)], [0, -1, false])
  heap.add(1, 5, 1)
  heap.remove(1)
  assert.equal(heap.size, 0)
})

test('it agrees with a sorted list over 30,000 additions and removals', () => {
  const random = new Random(51)
  const heap = new DueHeap<number>()
  const list: Due[] = []
  for (let serial = 1; serial <= 30_000; serial += 1) {
    const deed = random.weighted({ add: list.length > 200 ? 1 : 2, first: 1, any: 1, absent: 1 })
    if (deed === 'add') {
      const handle = absentHandle(random, list)
      const due = { handle, time: random.between(0, 300), serial }
      heap.add(handle, due.time, serial)
      list.push(due)
      list.sort((a, b) => a.time - b.time || a.serial - b.serial)
    } else if (deed === 'absent') {
      heap.remove(absentHandle(random, list))
    } else if (list.length > 0) {
      const at = deed === 'first' ? 0 : random.between(0, list.length - 1)
      heap.remove(list[at]!.handle)
      list.splice(at, 1)
    }
    const now = random.between(0, 300)
    assert.equal(heap.first(), list[0]?.handle ?? -1)
    assert.equal(heap.isDue(now), list.length > 0 && list[0]!.time <= now)
    assert.equal(heap.size, list.length)
    if (serial % 100 === 0) assert.deepEqual(dueIn(heap, now), dueAmong(list, now))
  }
})

function dueIn(heap: DueHeap<number>, now: number): Set<number> {
  const due = new Set<number>()
  heap.eachDue(now, (handle) => due.add(handle))
  return due
}

function dueAmong(list: readonly Due[], now: number): Set<number> {
  return new Set(list.filter(({ time }) => time <= now).map(({ handle }) => handle))
}

function absentHandle(random: Random, list: readonly Due[]): number {
  for (;;) {
    const handle = random.between(0, 400)
    if (!list.some((due) => due.handle === handle)) return handle
  }
}
