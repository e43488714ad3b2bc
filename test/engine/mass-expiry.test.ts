// Very many orders that expire at the same moment: they hold up their own market and no other.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Shares } from '../../src/core/money.ts'
import { accepted, codeOf, House, house } from './engine-fixture.ts'

/** Enough for several turns. */
const many = 1_000

/** All of them are BUY orders in the market that will be late. */
async function expiringHouse() {
  const open = await House.open()
  const [late, other] = [await open.market(), await open.market()]
  accepted(await open.mint(late.id, 'ann', 100))
  const expiresAt = open.time.now + 1_000
  const one = { expiresAt, shares: 100 as Shares }
  const placed = await Promise.all(Array.from({ length: many }, () => open.place(late, one)))
  const serials = placed.map((result) => serialIn(open, result))
  return { open, late, other, expiresAt, serials }
}

function serialIn(open: House, result: Awaited<ReturnType<House['place']>>): number {
  return open.engine.ids.serialOf(accepted(result).order.id)!
}

/** What was answered so far, by name, in its order. */
class Answers {
  readonly names: string[] = []

  async note<Answer>(name: string, answer: Promise<Answer>): Promise<Answer> {
    const result = await answer
    this.names.push(name)
    return result
  }
}

test('other markets go on meanwhile, and nobody meets an order that is over', async () => {
  const { open, late, other, expiresAt } = await expiringHouse()
  try {
    const answers = new Answers()
    const resting = serialIn(open, await open.place(other))
    open.time.now = expiresAt
    const selling = open.place(late, { side: 'SELL', playerId: 'ann' })
    const [sold] = await Promise.all([
      answers.note('late', selling),
      answers.note('other', open.place(other)),
      answers.note(
        'cancel',
        open.engine.submit('cancel', { operatorId: house, orderSerial: resting }),
      ),
    ])
    assert.deepEqual(answers.names.toSorted(), ['cancel', 'late', 'other'])
    assert.equal(answers.names.at(-1), 'late')
    const { order, trades } = accepted(sold)
    assert.deepEqual([order.status, trades], ['PENDING', []])
    const { orders } = open.engine.records()
    assert.deepEqual([...orders].length, 2)
  } finally {
    await open.close()
  }
})

test('a cancel of what is over finds it expired; one of many orders waits for all', async () => {
  const { open, other, expiresAt, serials } = await expiringHouse()
  try {
    const resting = serialIn(open, await open.place(other))
    open.time.now = expiresAt
    const last = serials.at(-1)!
    const one = open.engine.submit('cancel', { operatorId: house, orderSerial: last })
    const several = { operatorId: house, orderSerials: [resting, last] }
    const cancelled = await open.engine.submit('cancelMany', several)
    assert.equal(codeOf(await one), 'ORDER_CANNOT_CANCEL')
    assert.equal(accepted(cancelled).cancelled, 1)
  } finally {
    await open.close()
  }
})
