// An `open` command for a market that the schedule has just opened.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Serial } from '../../src/core/ids.ts'
import {
  answerOf,
  codeOf,
  type EngineFixture,
  firstOperatorId,
  newMarket,
  withEngine,
} from './engine-fixture.ts'

/** A market that its schedule has just opened. */
async function openedMarket(fixture: EngineFixture): Promise<Serial> {
  const tradingStartsAt = fixture.time.now + 1_000
  const made = answerOf(
    await fixture.engine.submit('createMarket', { ...newMarket, tradingStartsAt }),
  )
  const before = answerOf(await sendOpen(fixture, made.marketSerial))
  assert.equal(before.status, 'UPCOMING')
  fixture.time.now = tradingStartsAt
  // The schedule advances before the first command at that time.
  answerOf(await fixture.engine.submit('createMarket', newMarket))
  return made.marketSerial
}

function sendOpen(fixture: EngineFixture, marketSerial: Serial) {
  return fixture.engine.submit('manage', {
    operatorId: firstOperatorId,
    marketSerial,
    action: 'open',
  })
}

test('`open` within ten seconds of the scheduled opening is accepted once', () =>
  withEngine(async (fixture) => {
    const market = await openedMarket(fixture)
    fixture.time.now += 10_000
    assert.deepEqual(answerOf(await sendOpen(fixture, market)), {
      marketSerial: market,
      status: 'OPEN',
    })
    assert.equal(codeOf(await sendOpen(fixture, market)), 'MARKET_INVALID_TRANSITION')
  }))

test('`open` more than ten seconds after the scheduled opening is rejected', () =>
  withEngine(async (fixture) => {
    const market = await openedMarket(fixture)
    fixture.time.now += 10_001
    assert.equal(codeOf(await sendOpen(fixture, market)), 'MARKET_INVALID_TRANSITION')
  }))
