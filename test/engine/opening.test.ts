// A market that opens by itself when its time comes, and somebody who asks to open it then.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepted, codeOf, type House, house, newMarket, withHouse } from './engine-fixture.ts'

/** It has just opened by itself. */
async function openedMarket(open: House): Promise<number> {
  const tradingStartsAt = open.time.now + 1_000
  const made = accepted(await open.engine.submit('createMarket', { ...newMarket, tradingStartsAt }))
  const before = accepted(await command(open, made.marketSerial))
  assert.equal(before.status, 'UPCOMING')
  open.time.now = tradingStartsAt
  // What is due happens before the first command of that time.
  accepted(await open.engine.submit('createMarket', newMarket))
  return made.marketSerial
}

function command(open: House, marketSerial: number) {
  return open.engine.submit('manage', { operatorId: house, marketSerial, action: 'open' })
}

test('whoever asks to open it just then is answered as asked, once', () =>
  withHouse(async (open) => {
    const market = await openedMarket(open)
    open.time.now += 10_000
    assert.equal(accepted(await command(open, market)).status, 'OPEN')
    assert.equal(codeOf(await command(open, market)), 'MARKET_INVALID_TRANSITION')
  }))

test('whoever asks later finds it open already', () =>
  withHouse(async (open) => {
    const market = await openedMarket(open)
    open.time.now += 10_001
    assert.equal(codeOf(await command(open, market)), 'MARKET_INVALID_TRANSITION')
  }))
