// The command queue: a line per operator, cancels first, bounded lengths and ages.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serial } from '../../test/support/core/steps.ts'
import { type CommandKind, Unavailable } from './commands.ts'
import { CommandQueue, type QueuedCommand } from './queue.ts'

function queued(
  kind: CommandKind,
  { queuedAt = 0, operatorId = 'one' }: { queuedAt?: number; operatorId?: string | null } = {},
): QueuedCommand {
  return {
    kind,
    queuedAt,
    operatorId,
    marketSerial: null,
    traceId: undefined,
    keyed: null,
    marketFetchGeneration: null,
    keyLookup: null,
    settlement: undefined,
    command: { operatorId: operatorId ?? '', orderSerial: serial(1) },
    execute: () => ({ isAccepted: true, answer: null }),
    resolve: () => undefined,
    reject: () => undefined,
  }
}

const always = () => true

/** Dequeues like a turn in which every command costs 1. */
function dequeue(queue: CommandQueue, atMost: number): QueuedCommand[] {
  const commands: QueuedCommand[] = []
  queue.drain(atMost, always, (command) => {
    commands.push(command)
    queue.charge(command.operatorId, 1)
  })
  return commands
}

function addMany(queue: CommandQueue, count: number, operatorId: string, queuedAt = 0): void {
  for (let at = 0; at < count; at += 1) queue.add(queued('place', { operatorId, queuedAt }))
}

test('cancels overtake earlier commands; the other commands keep their order', () => {
  const queue = new CommandQueue()
  const [first, second, cancel] = [queued('place'), queued('place'), queued('cancel')]
  for (const command of [first, second, cancel]) queue.add(command)
  assert.deepEqual(dequeue(queue, 2), [cancel, first])
  assert.deepEqual(dequeue(queue, 2), [second])
})

test('a requeued command is the first again', () => {
  const queue = new CommandQueue()
  const [late, early] = [queued('place'), queued('place')]
  queue.add(late)
  queue.requeue([early])
  assert.deepEqual(dequeue(queue, 2), [early, late])
})

test('requeued commands are in their old order, ahead of later ones', () => {
  const queue = new CommandQueue()
  const [first, second, third] = [queued('place'), queued('place'), queued('place')]
  const [cancel, later] = [queued('cancel'), queued('cancel')]
  for (const command of [first, second, cancel]) queue.add(command)
  queue.requeue(dequeue(queue, 3))
  for (const command of [third, later]) queue.add(command)
  assert.deepEqual(dequeue(queue, 5), [cancel, later, first, second, third])
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
  assert.throws(() => queue.drain(2, always, fail), { message: 'broken' })
  assert.deepEqual([used, dequeue(queue, 3)], [[all[0]], [all[2]]])
})

test('held commands are dequeued first and do not count towards the maximum', () => {
  const queue = new CommandQueue()
  const held = [queued('place'), queued('cancel')]
  queue.hold(held)
  const [first, second] = [
    queued('place', { queuedAt: 1_000 }),
    queued('place', { queuedAt: 1_000 }),
  ]
  for (const command of [first, second]) queue.add(command)
  assert.deepEqual([queue.length, queue.readyLength], [4, 2])
  assert.deepEqual(dequeue(queue, 1), [...held, first])
  assert.deepEqual(dequeue(queue, 1), [second])
})

test('held commands count towards the 10,000 of their operator', () => {
  const queue = new CommandQueue()
  queue.hold(Array.from({ length: 9_999 }, () => queued('place')))
  queue.add(queued('place'))
  assert.throws(() => queue.add(queued('place')), Unavailable)
  queue.add(queued('place', { operatorId: 'two' }))
  dequeue(queue, 1)
  queue.add(queued('place'))
})

test('a requeued mass cancel still goes before other commands', () => {
  const queue = new CommandQueue()
  const [place, cancel] = [queued('place'), queued('cancelMany')]
  for (const command of [place, cancel]) queue.add(command)
  queue.requeue(dequeue(queue, 2))
  assert.deepEqual(dequeue(queue, 1), [cancel])
})

test('the 10,001st command is refused, but a cancel is accepted', () => {
  const queue = new CommandQueue()
  for (let at = 0; at < 10_000; at += 1) queue.add(queued('place'))
  assert.throws(() => queue.add(queued('place')), Unavailable)
  queue.add(queued('cancel'))
  assert.equal(queue.length, 10_001)
})

test('commands are refused when the first of 64 has waited for more than half a second', () => {
  const queue = new CommandQueue()
  queue.add(queued('place', { queuedAt: 1_000 }))
  for (let at = 1; at < 63; at += 1) queue.add(queued('place', { queuedAt: 1_500 }))
  queue.add(queued('place', { queuedAt: 9_000 }))
  queue.add(queued('cancel', { queuedAt: 9_000 }))
  assert.throws(() => queue.add(queued('place', { queuedAt: 1_501 })), Unavailable)
  queue.add(queued('place', { queuedAt: 1_500 }))
  queue.add(queued('cancel', { queuedAt: 1_501 }))
})

test('a full or old line of one operator refuses only its own commands', () => {
  const queue = new CommandQueue()
  addMany(queue, 10_000, 'one')
  const refusal = {
    message: 'Too many commands of this operator are waiting; at most 10000 may wait.',
  }
  assert.throws(() => queue.add(queued('place')), refusal)
  for (const operatorId of ['two', null]) queue.add(queued('place', { operatorId, queuedAt: 501 }))
  addMany(queue, 63, 'two', 1_001)
  const late = { operatorId: 'two', queuedAt: 1_002 }
  assert.throws(() => queue.add(queued('place', late)), {
    message: 'The first of the commands of this operator has waited over 500 ms.',
  })
})

test('the queue as a whole is bounded; operators with less than their share can still add', () => {
  const queue = new CommandQueue()
  for (const operatorId of ['a', 'b', 'c', 'd', 'e']) addMany(queue, 9_999, operatorId)
  addMany(queue, 5, 'new')
  assert.equal(queue.length, 50_000)
  assert.throws(() => queue.add(queued('place', { operatorId: 'a' })), {
    message: 'The command queue is full: 50000 commands are waiting.',
  })
  addMany(queue, 1_000, 'new')
  addMany(queue, 1_000, 'newer')
  queue.add(queued('cancel', { operatorId: 'a' }))
})

test('a command of another operator does not wait for those that came before it', () => {
  const queue = new CommandQueue()
  addMany(queue, 1_000, 'one')
  const other = queued('place', { operatorId: 'two' })
  const query = queued('book', { operatorId: null })
  for (const command of [other, query]) queue.add(command)
  const first = dequeue(queue, 40)
  assert.ok(first.includes(other) && first.includes(query))
})

test('an operator alone fills a turn with its commands', () => {
  const queue = new CommandQueue()
  addMany(queue, 600, 'one')
  assert.equal(dequeue(queue, 512).length, 512)
  assert.equal(queue.length, 88)
})
