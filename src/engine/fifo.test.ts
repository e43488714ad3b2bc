// The list behind the lines of a queue.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fifo } from './fifo.ts'

test('items leave in the order in which they came, those put first before all others', () => {
  const fifo = new Fifo<number>()
  assert.deepEqual([fifo.length, fifo.first, fifo.shift()], [0, undefined, undefined])
  for (const item of [1, 2, 3]) fifo.push(item)
  assert.equal(fifo.shift(), 1)
  fifo.putFirst(0)
  fifo.putFirst(-1)
  assert.deepEqual([fifo.length, fifo.first], [4, -1])
  assert.deepEqual([fifo.shift(), fifo.shift(), fifo.shift(), fifo.shift()], [-1, 0, 2, 3])
  assert.equal(fifo.shift(), undefined)
})

test('thousands of items keep their order while others are added', () => {
  const fifo = new Fifo<number>()
  const left: (number | undefined)[] = []
  for (let item = 0; item < 5_000; item += 1) {
    fifo.push(item)
    if (item % 2 === 1) left.push(fifo.shift())
  }
  while (fifo.length > 0) left.push(fifo.shift())
  assert.deepEqual(
    left,
    Array.from({ length: 5_000 }, (_, item) => item),
  )
})
