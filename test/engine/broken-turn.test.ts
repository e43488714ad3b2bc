// A command that violates an invariant fails the commands executed before it in its turn, and no
// others.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Price, Shares } from '../../src/core/money.ts'
import { type PlaceOrder, Unavailable } from '../../src/engine/commands.ts'
import { settled } from '../support/process/timing.ts'
import {
  answerOf,
  type EngineFixture,
  type OpenMarket,
  usualOrder,
  withEngine,
} from './engine-fixture.ts'

/** Their expiry takes several turns. */
const many = 1_000

/** Throws when it is executed, like a violated invariant. */
function brokenOrder(market: OpenMarket): PlaceOrder {
  return {
    ...usualOrder(market),
    get price(): Price {
      throw new Error('broken')
    },
  }
}

function withMarket(
  use: (fixture: EngineFixture, market: OpenMarket) => Promise<void>,
): Promise<void> {
  return withEngine(async (fixture) => use(fixture, await fixture.market()))
}

test('a violated invariant fails its command and those before it in the turn, not later ones', () =>
  withMarket(async (fixture, market) => {
    const before = fixture.place(market)
    const breaking = fixture.engine.submit('place', brokenOrder(market))
    const after = [fixture.place(market), fixture.place(market)]
    await assert.rejects(before, Unavailable)
    await assert.rejects(breaking, { message: 'broken' })
    for (const order of after) assert.equal(answerOf(await order).order.status, 'PENDING')
    assert.equal([...fixture.engine.records().orders].length, after.length)
  }))

test('a command held for a late market fails with the turn whose invariant is violated', () =>
  withMarket(async (fixture, late) => {
    const expiresAt = fixture.time.now + 1_000
    const one = { expiresAt, shares: 100 as Shares }
    await Promise.all(Array.from({ length: many }, () => fixture.place(late, one)))
    const other = await fixture.market()
    fixture.time.now = expiresAt
    const held = fixture.place(late)
    const breaking = fixture.engine.submit('place', brokenOrder(other))
    await assert.rejects(held, Unavailable)
    await assert.rejects(breaking, { message: 'broken' })
    answerOf(await fixture.place(late))
  }))

test('a command gets the error if the turn fails before or after the command is executed', () =>
  withMarket(async (fixture, market) => {
    const operatorId = '01890000-0000-7000-8000-00000000dead'
    const unknown = fixture.place(market, { operatorId, transactionId: 'bet-1' })
    await assert.rejects(unknown, /the shard knows the operator/)
    let reads = 0
    const failsWithKey = {
      ...usualOrder(market),
      transactionId: 'bet-2',
      // Read once to execute the command, then for the fingerprint of its transactionId.
      get expiresAt(): null {
        reads += 1
        if (reads > 1) throw new Error('broken')
        return null
      },
    }
    await assert.rejects(fixture.engine.submit('place', failsWithKey), { message: 'broken' })
    answerOf(await fixture.place(market))
  }))

test('an engine that fails between turns discards its memory and serves on', () =>
  withMarket(async (fixture, market) => {
    const { now } = fixture.time
    let reads = 0
    const isRead = Promise.withResolvers<void>()
    Object.defineProperty(fixture.time, 'now', {
      configurable: true,
      get: () => {
        reads += 1
        isRead.resolve()
        throw new Error('broken')
      },
    })
    await isRead.promise
    Object.defineProperty(fixture.time, 'now', { value: now, writable: true })
    assert.ok(reads > 0)
    assert.equal(fixture.failures[0], 'engine: engine failed, memory discarded')
    answerOf(await fixture.place(market))
    assert.equal([...fixture.engine.records().orders].length, 1)
  }))

for (const [what, when] of [
  ['turn', 'after a commit'],
  ['queue', 'at the end of a turn'],
] as const) {
  test(`an engine that fails ${when} answers its commands, and serves on`, () =>
    withMarket(async (fixture, market) => {
      fixture.measureHook = (measured) => {
        if (measured !== what) return
        fixture.measureHook = null
        throw new Error('broken')
      }
      answerOf(await fixture.place(market))
      await settled()
      assert.deepEqual(fixture.failures, ['engine: engine failed, memory discarded'])
      answerOf(await fixture.place(market))
      assert.equal([...fixture.engine.records().orders].length, 2)
    }))
}

test('a listener that fails is reported and affects neither callers nor other listeners', () =>
  withMarket(async (fixture, market) => {
    let published = 0
    fixture.engine.onCommitted(() => {
      throw new Error('broken')
    })
    fixture.engine.onCommitted(() => {
      published += 1
    })
    answerOf(await fixture.place(market))
    answerOf(await fixture.place(market))
    assert.equal(published, 2)
    assert.deepEqual(fixture.failures, Array(2).fill('listener: event listener failed'))
  }))
