// The line of commands: cancels first, and an end to it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CommandKind, Unavailable } from './commands.ts'
import { type Waiting, WaitingLine } from './waiting.ts'

function waiting(kind: CommandKind, since = 0): Waiting {
  return {
    kind,
    since,
    operatorId: 'one',
    marketId: null,
    keyed: null,
    isMarketSought: false,
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
