// The line of commands: cancels first, and an end to it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CommandKind, Unavailable } from './commands.ts'
import { type Waiting, WaitingLine } from './queue.ts'

function waiting(kind: CommandKind, since = 0): Waiting {
  return {
    kind,
    since,
    operatorId: 'one',
    marketId: null,
    keyed: null,
    marketSoughtIn: null,
    freeKey: null,
    settlement: undefined,
    ask: { operatorId: 'one', orderId: 1 },
    run: () => ({ isTaken: true, answer: null }),
    resolve: () => undefined,
    reject: () => undefined,
  }
}

test('cancels go before what came earlier; the rest keeps its order', () => {
  const line = new WaitingLine()
  const [first, second, cancel] = [waiting('place'), waiting('place'), waiting('cancel')]
  for (const command of [first, second, cancel]) line.add(command)
  assert.deepEqual(line.take(2), [cancel, first])
  assert.deepEqual(line.take(2), [second])
})

test('what is put back is the first again', () => {
  const line = new WaitingLine()
  const [late, early] = [waiting('place'), waiting('place')]
  line.add(late)
  line.putBack(early)
  assert.deepEqual(line.take(2), [early, late])
})

test('what is given back stands where it stood', () => {
  const line = new WaitingLine()
  const [first, second, third] = [waiting('place'), waiting('place'), waiting('place')]
  const [cancel, later] = [waiting('cancel'), waiting('cancel')]
  for (const command of [first, second, cancel]) line.add(command)
  line.giveBack(line.take(3))
  for (const command of [third, later]) line.add(command)
  assert.deepEqual(line.take(5), [cancel, later, first, second, third])
})

test('what is not wanted stays, and what stands behind one that throws', () => {
  const line = new WaitingLine()
  const all = [waiting('place'), waiting('place'), waiting('place')]
  for (const command of all) line.add(command)
  const used: Waiting[] = []
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
  const line = new WaitingLine()
  const held = [waiting('place'), waiting('cancel')]
  line.hold(held)
  const [first, second] = [waiting('place', 1_000), waiting('place', 1_000)]
  for (const command of [first, second]) line.add(command)
  assert.deepEqual([line.length, line.ready], [4, 2])
  assert.deepEqual(line.take(1), [...held, first])
  assert.deepEqual(line.take(1), [second])
})

test('what is held counts among the 10,000', () => {
  const line = new WaitingLine()
  line.hold(Array.from({ length: 9_999 }, () => waiting('place')))
  line.add(waiting('place'))
  assert.throws(() => line.add(waiting('place')), Unavailable)
})

test('a mass cancel that is given back is a cancel still', () => {
  const line = new WaitingLine()
  const [place, cancel] = [waiting('place'), waiting('cancelMany')]
  for (const command of [place, cancel]) line.add(command)
  line.giveBack(line.take(2))
  assert.deepEqual(line.take(1), [cancel])
})

test('the 10,001st command is refused, a cancel is not', () => {
  const line = new WaitingLine()
  for (let at = 0; at < 10_000; at += 1) line.add(waiting('place'))
  assert.throws(() => line.add(waiting('place')), Unavailable)
  line.add(waiting('cancel'))
  assert.equal(line.length, 10_001)
})

test('a line that has not moved for half a second takes no more', () => {
  const line = new WaitingLine()
  line.add(waiting('place', 1_000))
  line.add(waiting('place', 1_500))
  assert.throws(() => line.add(waiting('place', 1_501)), Unavailable)
  line.add(waiting('cancel', 1_501))
})
