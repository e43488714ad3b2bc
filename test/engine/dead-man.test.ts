// Dead-man switches in the engine: before any command, in slices, and first thing after a start.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import type { Price } from '../../src/core/money.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { until } from '../support/http/answers.ts'
import { onlyShard } from '../support/store/only-shard.ts'
import {
  answerOf,
  codeOf,
  EngineFixture,
  firstOperatorId,
  type OpenMarket,
  onlyTheFirst,
  otherOperatorId,
  startEngine,
  usualOrder,
  withEngine,
} from './engine-fixture.ts'

const operatorId = firstOperatorId
const whole = { operatorId, playerId: null }

function place(fixture: EngineFixture, market: OpenMarket, count: number, playerId = 'bob') {
  const one = () => fixture.place(market, { playerId, price: 4_000 as Price })
  return Promise.all(Array.from({ length: count }, one))
}

function arm(fixture: EngineFixture, timeoutMs = 1_000) {
  return fixture.engine.submit('armDeadMan', { ...whole, timeoutMs })
}

function openOrders(fixture: EngineFixture): number {
  return [...fixture.engine.records().orders].length
}

test('a switch is triggered before the first command at its deadline, which is refused', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    await place(fixture, market, 3)
    const armed = answerOf(await arm(fixture))
    assert.deepEqual(armed, {
      playerId: null,
      state: 'ARMED',
      deadline: fixture.time.now + 1_000,
      timeoutMs: 1_000,
    })
    fixture.time.now += 1_000
    assert.equal(codeOf(await fixture.place(market)), 'DEAD_MAN_TRIGGERED')
    assert.equal(openOrders(fixture), 0)
    assert.equal(answerOf(await fixture.engine.submit('deadMan', whole)).state, 'TRIGGERED')
    const other = { operatorId: otherOperatorId }
    assert.equal(codeOf(await fixture.place(market, other)), null)
    assert.equal(
      codeOf(await fixture.engine.submit('deadMan', { ...other, playerId: null })),
      'NOT_FOUND',
    )
  }))

test('up to 1,000 orders are cancelled before any command that could meet them', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    await place(fixture, market, 300)
    await place(fixture, market, 150, 'ann')
    const sale = { playerId: 'gil', side: 'SELL', price: 4_000 as Price } as const
    answerOf(await fixture.mint(market.id, sale.playerId, 100))
    for (const playerId of ['bob', 'ann']) {
      answerOf(await fixture.engine.submit('armDeadMan', { ...whole, playerId, timeoutMs: 1_000 }))
    }
    fixture.time.now += 1_000
    assert.deepEqual(answerOf(await fixture.place(market, sale)).trades, [])
  }))

test('more orders are cancelled in slices, and others trade in between', () =>
  withEngine(async (fixture) => {
    const many = 1_500
    const market = await fixture.market()
    await place(fixture, market, many)
    answerOf(await arm(fixture))
    fixture.time.now += 1_000
    const other = await fixture.place(market, { operatorId: otherOperatorId })
    assert.equal(codeOf(other), null)
    const left = openOrders(fixture)
    assert.ok(left > 1 && left < many, `${left} orders are left`)
    answerOf(await arm(fixture))
    const placed = answerOf(await fixture.place(market))
    for (let turn = 0; turn < many && openOrders(fixture) > 2; turn += 1) {
      await fixture.engine.submit('deadMan', whole)
    }
    const serials = Array.from(fixture.engine.records().orders, ({ serial }) => serial)
    const kept = [answerOf(other), placed].map(({ order }) => fixture.engine.ids.serialOf(order.id))
    assert.deepEqual(serials, kept)
  }))

test('all orders are cancelled though no command comes', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    await place(fixture, market, 1_500)
    answerOf(await arm(fixture))
    fixture.time.now += 1_000
    const left = await until(
      async () => openOrders(fixture),
      (count) => count === 0,
      20_000,
    )
    assert.equal(left, 0)
  }))

test('orders are cancelled to the end where a turn was not committed between', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    // More than are cancelled in the turn of the deadline.
    await place(fixture, market, 1_500)
    answerOf(await arm(fixture))
    fixture.commitHook = onlyTheFirst()
    fixture.time.now += 1_000
    const hasFailed = await until(
      async () => fixture.engine.isReady,
      (isReady) => !isReady,
      20_000,
    )
    assert.equal(hasFailed, false)
    fixture.commitHook = null
    const left = await until(
      async () => openOrders(fixture),
      (count) => count === 0,
      20_000,
    )
    assert.equal(left, 0)
  }))

test('a renewed deadline is kept over a restart', async (t) => {
  const fixture = await EngineFixture.open()
  const market = await fixture.market()
  await place(fixture, market, 1)
  answerOf(await arm(fixture))
  answerOf(await arm(fixture, 9_000))
  fixture.time.now += 8_999
  const again = await fixture.reopen()
  t.after(() => again.close())
  assert.equal(codeOf(await again.place(market)), null)
  again.time.now += 1
  assert.equal(codeOf(await again.place(market)), 'DEAD_MAN_TRIGGERED')
})

test('a deadline that has passed in an outage is kept first thing after the start', async (t) => {
  const fixture = await EngineFixture.open()
  t.after(() => rm(fixture.folder, { recursive: true, force: true }))
  const market = await fixture.market()
  await place(fixture, market, 500)
  answerOf(await arm(fixture))
  await fixture.stop()
  const store = await openSqliteStore({ folder: fixture.folder, onFatal: assert.fail })
  const now = fixture.time.now + 1_000
  const engine = await startEngine(store, { store: onlyShard(store), now: () => now })
  try {
    assert.equal(codeOf(await engine.submit('place', usualOrder(market))), 'DEAD_MAN_TRIGGERED')
    for (let turn = 0; turn < 500 && [...engine.records().orders].length > 0; turn += 1) {
      await engine.submit('deadMan', whole)
    }
    assert.deepEqual([...engine.records().orders], [])
  } finally {
    await engine.stop()
    await store.close()
  }
})
