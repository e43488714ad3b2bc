// The line of commands: cancels first, and an end to it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CommandKind, Unavailable } from './commands.ts'
import { CommandQueue, type QueuedCommand } from './queue.ts'

function queued(kind: CommandKind, since = 0): QueuedCommand {
  return {
    kind,
    since,
    operatorId: 'one',
    marketSerial: null,
    keyed: null,
    marketSoughtIn: null,
    freeKey: null,
    settlement: undefined,
    command: { operatorId: 'one', orderSerial: 1 },
    run: () => ({ isAccepted: true, answer: null }),
    resolve: () => undefined,
    reject: () => undefined,
  }
}

test('cancels go before what came earlier; the rest keeps its order', () => {
  const line = new CommandQueue()
  const [first, second, cancel] = [queued('place'), queued('place'), queued('cancel')]
  for (const command of [first, second, cancel]) line.add(command)
  assert.deepEqual(line.take(2), [cancel, first])
  assert.deepEqual(line.take(2), [second])
})

test('what is put back is the first again', () => {
  const line = new CommandQueue()
  const [late, early] = [queued('place'), queued('place')]
  line.add(late)
  line.putBack(early)
  assert.deepEqual(line.take(2), [early, late])
})

test('what is given back stands where it stood', () => {
  const line = new CommandQueue()
  const [first, second, third] = [queued('place'), queued('place'), queued('place')]
  const [cancel, later] = [queued('cancel'), queued('cancel')]
  for (const command of [first, second, cancel]) line.add(command)
  line.giveBack(line.take(3))
  for (const command of [third, later]) line.add(command)
  assert.deepEqual(line.take(5), [cancel, later, first, second, third])
})

test('what is not wanted stays, and what stands behind one that throws', () => {
  const line = new CommandQueue()
  const all = [queued('place'), queued('place'), queued('place')]
  for (const command of all) line.add(command)
  const used: QueuedCommand[] = []
  line.serve(
    3,
    () => used.length < 1,
    (command) => used.push(command),
  )
  const fail = () => {
    throw new Error('broken')
  }
  assert.throws(() => line.serve(2, () => true, fail), { message: 'broken' })
  assert.deepEqual([used, line.take(3)], [[all[0]], [all[2]]])
})

test('what is held comes first in every turn, beside as many others as ever', () => {
  const line = new CommandQueue()
  const held = [queued('place'), queued('cancel')]
  line.hold(held)
  const [first, second] = [queued('place', 1_000), queued('place', 1_000)]
  for (const command of [first, second]) line.add(command)
  assert.deepEqual([line.length, line.ready], [4, 2])
  assert.deepEqual(line.take(1), [...held, first])
  assert.deepEqual(line.take(1), [second])
})

test('what is held counts among the 10,000', () => {
  const line = new CommandQueue()
  line.hold(Array.from({ length: 9_999 }, () => queued('place')))
  line.add(queued('place'))
  assert.throws(() => line.add(queued('place')), Unavailable)
})

test('a mass cancel that is given back is a cancel still', () => {
  const line = new CommandQueue()
  const [place, cancel] = [queued('place'), queued('cancelMany')]
  for (const command of [place, cancel]) line.add(command)
  line.giveBack(line.take(2))
  assert.deepEqual(line.take(1), [cancel])
})

test('the 10,001st command is refused, a cancel is not', () => {
  const line = new CommandQueue()
  for (let at = 0; at < 10_000; at += 1) line.add(queued('place'))
  assert.throws(() => line.add(queued('place')), Unavailable)
  line.add(queued('cancel'))
  assert.equal(line.length, 10_001)
})

test('a line that has not moved for half a second takes no more', () => {
  const line = new CommandQueue()
  line.add(queued('place', 1_000))
  line.add(queued('place', 1_500))
  assert.throws(() => line.add(queued('place', 1_501)), Unavailable)
  line.add(queued('cancel', 1_501))
})
