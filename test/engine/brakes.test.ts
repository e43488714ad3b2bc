// Brakes in the engine: that on the exchange before any command, whatever becomes of a turn, and
// answers when the last order is cancelled.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotOwner } from '../../src/engine/commands.ts'
import type { BrakeRow } from '../../src/store/store.ts'
import { CommitFailure } from '../../src/store/store.ts'
import {
  answerOf,
  codeOf,
  type EngineFixture,
  firstOperatorId,
  type OpenMarket,
  onlyTheFirst,
  otherOperatorId,
  withEngine,
} from './engine-fixture.ts'

const operatorId = firstOperatorId
/** More than one turn cancels. */
const many = 350
const halt = { mode: 'HALTED', reason: 'A reason', until: null, cancelsOrders: true } as const
const ofOperator = {
  operatorId,
  holder: { kind: 'OPERATOR', operatorId },
  ...halt,
  limits: null,
} as const

function brakeRow(fixture: EngineFixture, changed: Partial<BrakeRow> = {}): BrakeRow {
  const { now } = fixture.time
  return { id: 'exchange', ...halt, number: 1, createdAt: now, updatedAt: now, ...changed }
}

function place(fixture: EngineFixture, market: OpenMarket, count: number) {
  return Promise.all(Array.from({ length: count }, () => fixture.place(market)))
}

function openOrders(fixture: EngineFixture): number {
  return [...fixture.engine.records().orders].length
}

async function withMarket(use: (fixture: EngineFixture, market: OpenMarket) => Promise<void>) {
  await withEngine(async (fixture) => use(fixture, await fixture.market()))
}

test('the brake of the registry is obeyed before the next command, and cancels all orders', () =>
  withMarket(async (fixture, market) => {
    await place(fixture, market, many)
    fixture.engine.putBrake(brakeRow(fixture))
    assert.equal(codeOf(await fixture.place(market)), 'TRADING_RESTRICTED')
    const of = { operatorId: otherOperatorId }
    for (let turn = 0; turn < many && openOrders(fixture) > 0; turn += 1) {
      assert.equal(codeOf(await fixture.place(market, of)), 'TRADING_RESTRICTED')
    }
    assert.equal(openOrders(fixture), 0)
  }))

test('the brake of the registry ends by itself', () =>
  withMarket(async (fixture, market) => {
    fixture.engine.putBrake(brakeRow(fixture, { until: fixture.time.now + 1_000 }))
    assert.equal(codeOf(await fixture.place(market)), 'TRADING_RESTRICTED')
    fixture.time.now += 1_000
    assert.equal(codeOf(await fixture.place(market)), null)
  }))

test('the brake of the registry is obeyed again where its turn was not committed', () =>
  withMarket(async (fixture, market) => {
    fixture.commitHook = async () => {
      fixture.commitHook = null
      throw new CommitFailure('planted', { outcome: 'aborted' })
    }
    fixture.engine.putBrake(brakeRow(fixture))
    await assert.rejects(fixture.mint(market.id, 'bob', 1))
    assert.equal(codeOf(await fixture.place(market)), 'TRADING_RESTRICTED')
  }))

test('a brake is answered when the last of many orders is cancelled, to all who asked', () =>
  withMarket(async (fixture, market) => {
    await place(fixture, market, many)
    const first = fixture.engine.submit('changeControls', ofOperator)
    const refused = fixture.place(market)
    const second = fixture.engine.submit('changeControls', ofOperator)
    assert.equal(codeOf(await refused), 'TRADING_RESTRICTED')
    for (const answer of [first, second]) {
      assert.equal(answerOf(await answer).cancelled, many)
      assert.equal(openOrders(fixture), 0)
    }
  }))

test('a brake that is released before its orders are cancelled is answered all the same', () =>
  withMarket(async (fixture, market) => {
    await place(fixture, market, many)
    const braked = fixture.engine.submit('changeControls', ofOperator)
    const released = fixture.engine.submit('changeControls', {
      ...ofOperator,
      mode: 'OPEN',
      reason: null,
    })
    const answers = [answerOf(await released), answerOf(await braked)]
    assert.deepEqual(
      answers.map(({ terms, cancelled }) => [terms.mode, cancelled]),
      [
        ['OPEN', 0],
        ['OPEN', 0],
      ],
    )
    assert.equal(openOrders(fixture), many)
  }))

test('the orders of a brake are cancelled to the end where a turn was not committed between', () =>
  withMarket(async (fixture, market) => {
    await place(fixture, market, 3 * many)
    fixture.commitHook = onlyTheFirst()
    await assert.rejects(fixture.engine.submit('changeControls', ofOperator))
    fixture.commitHook = null
    for (let turn = 0; turn < 3 * many && openOrders(fixture) > 0; turn += 1) {
      assert.equal(codeOf(await fixture.place(market)), 'TRADING_RESTRICTED')
    }
    assert.equal(openOrders(fixture), 0)
  }))

test('a brake whose orders are not all cancelled where the shard is lost is asked again', () =>
  withMarket(async (fixture, market) => {
    await place(fixture, market, many)
    const sent = Promise.withResolvers<void>()
    const going = Promise.withResolvers<void>()
    fixture.commitHook = async (turn, commit) => {
      sent.resolve()
      await going.promise
      await commit(turn)
    }
    const braked = fixture.engine.submit('changeControls', ofOperator)
    await sent.promise
    const losing = fixture.engine.lose()
    going.resolve()
    await assert.rejects(braked, NotOwner)
    await losing
  }))
