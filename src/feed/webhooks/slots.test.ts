// How many attempts are under way at once, and that nobody waits for ever.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { attemptsMax, attemptsPerOperatorMax, Slots, type SlotUser } from './slots.ts'

/** Wants to start so many. */
class User implements SlotUser {
  readonly operatorId: string
  readonly #slots: Slots
  #left: number
  started = 0

  constructor(slots: Slots, operatorId: string, wanted: number) {
    this.#slots = slots
    this.operatorId = operatorId
    this.#left = wanted
  }

  startOne(): boolean {
    this.#left -= 1
    this.started += 1
    this.#slots.take(this.operatorId)
    return this.#left > 0
  }
}

describe('slots', () => {
  test('are at most 32 for one operator, however many webhooks it has', () => {
    const slots = new Slots()
    const users = Array.from({ length: 20 }, () => new User(slots, 'one', 8))
    for (const user of users) slots.ask(user)
    assert.equal(attemptsPerOperatorMax, 32)
    assert.equal(slots.taken, 32)
    assert.equal(users.filter(({ started }) => started > 0).length, 4)
    const other = new User(slots, 'other', 1)
    slots.ask(other)
    assert.equal(other.started, 1)
  })

  test('are at most 256 in all', () => {
    const slots = new Slots()
    for (let operator = 0; operator < 20; operator += 1) {
      slots.ask(new User(slots, `operator ${operator}`, 100))
    }
    assert.equal(attemptsMax, 256)
    assert.equal(slots.taken, 256)
  })

  test('go round: one that waits is served before another is served again', () => {
    const slots = new Slots()
    const greedy = new User(slots, 'greedy', 1_000)
    const modest = new User(slots, 'greedy', 2)
    slots.ask(greedy)
    slots.ask(modest)
    assert.deepEqual([greedy.started, modest.started], [32, 0])
    const startedAfter = [1, 2, 3, 4].map(() => {
      slots.give('greedy')
      return [greedy.started, modest.started]
    })
    assert.deepEqual(startedAfter, [
      [33, 0],
      [33, 1],
      [34, 1],
      [34, 2],
    ])
  })

  test('are given to nobody who was forgotten', () => {
    const slots = new Slots()
    const [one, other] = [new User(slots, 'one', 100), new User(slots, 'one', 1)]
    slots.ask(one)
    slots.ask(other)
    slots.forget(other)
    slots.forget(one)
    slots.give('one')
    assert.deepEqual([one.started, other.started, slots.taken], [32, 0, 31])
  })
})
