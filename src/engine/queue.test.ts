// The command queue: cancels first, and a bounded length.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serial } from '../../test/support/core/steps.ts'
import { type CommandKind, Unavailable } from './commands.ts'
import { CommandQueue, type QueuedCommand } from './queue.ts'

function queued(kind: CommandKind, queuedAt = 0): QueuedCommand {
  return {
    kind,
    queuedAt,
    operatorId: 'one',
    marketSerial: null,
    keyed: null,
    marketFetchGeneration: null,
    keyLookup: null,
    settlement: undefined,
    command: { operatorId: 'one', orderSerial: serial(1) },
    execute: () => ({ isAccepted: true, answer: null }),
    resolve: () => undefined,
    reject: () => undefined,
  }
}

test('cancels overtake earlier commands; the other commands keep their order', () => {
  const queue = new CommandQueue()
  const [first, second, cancel] = [queued('place'), queued('place'), queued('cancel')]
  for (const command of [first, second, cancel]) queue.add(command)
  assert.deepEqual(queue.dequeue(2), [cancel, first])
  assert.deepEqual(queue.dequeue(2), [second])
})

test('a requeued command is the first again', () => {
  const queue = new CommandQueue()
  const [late, early] = [queued('place'), queued('place')]
  queue.add(late)
  queue.requeue([early])
  assert.deepEqual(queue.dequeue(2), [early, late])
})

test('requeued commands are in their old order, ahead of later ones', () => {
  const queue = new CommandQueue()
  const [first, second, third] = [queued('place'), queued('place'), queued('place')]
  const [cancel, later] = [queued('cancel'), queued('cancel')]
  for (const command of [first, second, cancel]) queue.add(command)
  queue.requeue(queue.dequeue(3))
  for (const command of [third, later]) queue.add(command)
  assert.deepEqual(queue.dequeue(5), [cancel, later, first, second, third])
})

test('drain() keeps the commands it did not use, also when one throws', () => {
  const queue = new CommandQueue()
  const all = [queued('place'), queued('place'), queued('place')]
  for (const command of all) queue.add(command)
  const used: QueuedCommand[] = []
  queue.drain(
    3,
    () => used.length < 1,
    (command) => used.push(command),
  )
  const fail = () => {
    throw new Error('broken')
  }
  assert.throws(() => queue.drain(2, () => true, fail), { message: 'broken' })
  assert.deepEqual([used, queue.dequeue(3)], [[all[0]], [all[2]]])
})

test('held commands are dequeued first and do not count towards the maximum', () => {
  const queue = new CommandQueue()
  const held = [queued('place'), queued('cancel')]
  queue.hold(held)
  const [first, second] = [queued('place', 1_000), queued('place', 1_000)]
  for (const command of [first, second]) queue.add(command)
  assert.deepEqual([queue.length, queue.readyLength], [4, 2])
  assert.deepEqual(queue.dequeue(1), [...held, first])
  assert.deepEqual(queue.dequeue(1), [second])
})

test('held commands count towards the 10,000 of the queue', () => {
  const queue = new CommandQueue()
  queue.hold(Array.from({ length: 9_999 }, () => queued('place')))
  queue.add(queued('place'))
  assert.throws(() => queue.add(queued('place')), Unavailable)
})

test('a requeued mass cancel still goes before other commands', () => {
  const queue = new CommandQueue()
  const [place, cancel] = [queued('place'), queued('cancelMany')]
  for (const command of [place, cancel]) queue.add(command)
  queue.requeue(queue.dequeue(2))
  assert.deepEqual(queue.dequeue(1), [cancel])
})

test('the 10,001st command is refused, but a cancel is accepted', () => {
  const queue = new CommandQueue()
  for (let at = 0; at < 10_000; at += 1) queue.add(queued('place'))
  assert.throws(() => queue.add(queued('place')), Unavailable)
  queue.add(queued('cancel'))
  assert.equal(queue.length, 10_001)
})

test('commands are refused when the first one has waited for more than half a second', () => {
  const queue = new CommandQueue()
  queue.add(queued('place', 1_000))
  queue.add(queued('place', 1_500))
  assert.throws(() => queue.add(queued('place', 1_501)), Unavailable)
  queue.add(queued('cancel', 1_501))
})
