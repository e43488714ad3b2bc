// The limits on concurrent attempts, and their fairness.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { attemptsMax, attemptsPerOperatorMax, Slots, type SlotUser } from './slots.ts'

/** Starts `wanted` attempts. */
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
    this.#slots.acquire(this.operatorId)
    return this.#left > 0
  }
}

describe('concurrent attempts', () => {
  test('continue after a webhook that failed to start its attempt', () => {
    const slots = new Slots()
    const failing = {
      operatorId: 'one',
      startOne: () => {
        throw new Error('start')
      },
    }
    assert.throws(() => slots.request(failing), /start/)
    const other = new User(slots, 'other', 1)
    slots.request(other)
    assert.equal(other.started, 1)
  })

  test('are at most 32 per operator, however many webhooks it has', () => {
    const slots = new Slots()
    const users = Array.from({ length: 20 }, () => new User(slots, 'one', 8))
    for (const user of users) slots.request(user)
    assert.equal(attemptsPerOperatorMax, 32)
    assert.equal(slots.inUse, 32)
    assert.equal(users.filter(({ started }) => started > 0).length, 4)
    const other = new User(slots, 'other', 1)
    slots.request(other)
    assert.equal(other.started, 1)
  })

  test('are at most 256 in total', () => {
    const slots = new Slots()
    for (let operator = 0; operator < 20; operator += 1) {
      slots.request(new User(slots, `operator ${operator}`, 100))
    }
    assert.equal(attemptsMax, 256)
    assert.equal(slots.inUse, 256)
  })

  test('are granted round robin: a waiting webhook comes before one that just had a slot', () => {
    const slots = new Slots()
    const greedy = new User(slots, 'greedy', 1_000)
    const modest = new User(slots, 'greedy', 2)
    slots.request(greedy)
    slots.request(modest)
    assert.deepEqual([greedy.started, modest.started], [32, 0])
    const startedAfter = [1, 2, 3, 4].map(() => {
      slots.release('greedy')
      return [greedy.started, modest.started]
    })
    assert.deepEqual(startedAfter, [
      [33, 0],
      [33, 1],
      [34, 1],
      [34, 2],
    ])
  })

  test('are not granted to a webhook that has withdrawn its request', () => {
    const slots = new Slots()
    const [one, other] = [new User(slots, 'one', 100), new User(slots, 'one', 1)]
    slots.request(one)
    slots.request(other)
    slots.withdraw(other)
    slots.withdraw(one)
    slots.release('one')
    assert.deepEqual([one.started, other.started, slots.inUse], [32, 0, 31])
  })
})
