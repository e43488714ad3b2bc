// Many orders that expire at the same moment delay commands about their own market, and no others.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Serial } from '../../src/core/ids.ts'
import type { Shares } from '../../src/core/money.ts'
import { answerOf, codeOf, EngineFixture, firstOperatorId } from './engine-fixture.ts'

/** Their expiry takes several turns. */
const many = 1_000

/** A fixture with many BUY orders in the market that will be late. */
async function expiringFixture() {
  const fixture = await EngineFixture.open()
  const [late, other] = [await fixture.market(), await fixture.market()]
  answerOf(await fixture.mint(late.id, 'ann', 100))
  const expiresAt = fixture.time.now + 1_000
  const one = { expiresAt, shares: 100 as Shares }
  const placed = await Promise.all(Array.from({ length: many }, () => fixture.place(late, one)))
  const serials = placed.map((result) => serialIn(fixture, result))
  return { fixture, late, other, expiresAt, serials }
}

function serialIn(
  fixture: EngineFixture,
  result: Awaited<ReturnType<EngineFixture['place']>>,
): Serial {
  return fixture.engine.ids.serialOf(answerOf(result).order.id)!
}

/** The names of the commands answered so far, in order. */
class Answers {
  readonly names: string[] = []

  async note<Answer>(name: string, answer: Promise<Answer>): Promise<Answer> {
    const result = await answer
    this.names.push(name)
    return result
  }
}

test('other markets trade during a mass expiry, and no expired order is matched', async () => {
  const { fixture, late, other, expiresAt } = await expiringFixture()
  try {
    const answers = new Answers()
    const resting = serialIn(fixture, await fixture.place(other))
    fixture.time.now = expiresAt
    const selling = fixture.place(late, { side: 'SELL', playerId: 'ann' })
    const [sold] = await Promise.all([
      answers.note('late', selling),
      answers.note('other', fixture.place(other)),
      answers.note(
        'cancel',
        fixture.engine.submit('cancel', { operatorId: firstOperatorId, orderSerial: resting }),
      ),
    ])
    assert.deepEqual(answers.names.toSorted(), ['cancel', 'late', 'other'])
    assert.equal(answers.names.at(-1), 'late')
    const { order, trades } = answerOf(sold)
    assert.deepEqual([order.status, trades], ['PENDING', []])
    const { orders } = fixture.engine.records()
    assert.deepEqual([...orders].length, 2)
  } finally {
    await fixture.close()
  }
})

test('a cancel during a mass expiry waits until the orders it names have expired', async () => {
  const { fixture, other, expiresAt, serials } = await expiringFixture()
  try {
    const resting = serialIn(fixture, await fixture.place(other))
    fixture.time.now = expiresAt
    const last = serials.at(-1)!
    const one = fixture.engine.submit('cancel', { operatorId: firstOperatorId, orderSerial: last })
    const several = { operatorId: firstOperatorId, orderSerials: [resting, last] }
    const cancelled = await fixture.engine.submit('cancelMany', several)
    assert.equal(codeOf(await one), 'ORDER_CANNOT_CANCEL')
    assert.equal(answerOf(cancelled).cancelled, 1)
  } finally {
    await fixture.close()
  }
})
