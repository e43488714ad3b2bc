// Order groups in the engine: they are answered when their orders are cancelled, and everything of
// them is stored.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Price, Shares } from '../../src/core/money.ts'
import { NotOwner } from '../../src/engine/commands.ts'
import { until } from '../support/http/answers.ts'
import {
  answerOf,
  codeOf,
  EngineFixture,
  firstOperatorId,
  type OpenMarket,
  onlyTheFirst,
  otherOperatorId,
  withEngine,
} from './engine-fixture.ts'

const operatorId = firstOperatorId
const bid = { playerId: 'bob', price: 4_000 as Price }

async function groupOf(fixture: EngineFixture, limitShares = 1_000) {
  const created = await fixture.engine.submit('createOrderGroup', {
    operatorId,
    playerId: 'bob',
    limitShares: limitShares as Shares,
    windowMs: 15_000,
  })
  const { id } = answerOf(created)
  return { id, groupSerial: fixture.engine.ids.serialOf(id)! }
}

function openOrders({ engine }: EngineFixture): number {
  return [...engine.records().orders].length
}

async function sellTo(fixture: EngineFixture, market: OpenMarket, shares: number) {
  answerOf(await fixture.mint(market.id, 'eve', shares))
  const sale = { playerId: 'eve', side: 'SELL', price: 4_000 as Price } as const
  return answerOf(await fixture.place(market, { ...sale, shares: (shares * 100) as Shares }))
}

test('an order in a group has its id in its answer, its replay and the store', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    const { id, groupSerial } = await groupOf(fixture)
    const order = { ...bid, orderGroupSerial: groupSerial, transactionId: 'tx-1' }
    const placed = answerOf(await fixture.place(market, order))
    assert.equal(placed.order.orderGroupId, id)
    const again = answerOf(await fixture.place(market, order))
    assert.deepEqual([again.isReplay, again.order.orderGroupId], [true, id])
    const without = await fixture.place(market, { ...bid, transactionId: 'tx-1' })
    assert.equal(codeOf(without), 'ORDER_DUPLICATE_TRANSACTION')
    const plain = answerOf(await fixture.place(market, bid))
    assert.equal(plain.order.orderGroupId, null)
  }))

test('a trade that triggers a group cancels its orders in all markets in the same turn', () =>
  withEngine(async (fixture) => {
    const [market, another] = [await fixture.market(), await fixture.market()]
    const { groupSerial } = await groupOf(fixture)
    const grouped = { ...bid, orderGroupSerial: groupSerial }
    for (const each of [market, market, another]) answerOf(await fixture.place(each, grouped))
    await sellTo(fixture, market, 15)
    assert.equal(openOrders(fixture), 0)
    const found = await fixture.engine.submit('orderGroup', { operatorId, groupSerial })
    const { status, matchedShares } = answerOf(found)
    assert.deepEqual([status, matchedShares], ['TRIGGERED', 1_500])
    assert.equal(codeOf(await fixture.place(market, grouped)), 'ORDER_GROUP_TRIGGERED')
  }))

test('triggering and deleting are answered when the last of many orders is cancelled', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    const { groupSerial } = await groupOf(fixture)
    const command = { operatorId, groupSerial }
    const grouped = { ...bid, orderGroupSerial: groupSerial }
    const many = () =>
      Promise.all(Array.from({ length: 350 }, () => fixture.place(market, grouped)))
    await many()
    const triggered = answerOf(await fixture.engine.submit('triggerOrderGroup', command))
    assert.equal(triggered.status, 'TRIGGERED')
    assert.equal(openOrders(fixture), 0)
    answerOf(await fixture.engine.submit('resetOrderGroup', command))
    await many()
    assert.equal(answerOf(await fixture.engine.submit('deleteOrderGroup', command)), null)
    assert.equal(openOrders(fixture), 0)
    assert.equal(
      codeOf(await fixture.engine.submit('orderGroup', command)),
      'ORDER_GROUP_NOT_FOUND',
    )
  }))

test('orders are cancelled to the end where a turn was not committed between', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    const { groupSerial } = await groupOf(fixture)
    const grouped = { ...bid, orderGroupSerial: groupSerial }
    await Promise.all(Array.from({ length: 350 }, () => fixture.place(market, grouped)))
    fixture.commitHook = onlyTheFirst()
    const command = { operatorId, groupSerial }
    await assert.rejects(fixture.engine.submit('triggerOrderGroup', command))
    fixture.commitHook = null
    const left = await until(
      async () => openOrders(fixture),
      (count) => count === 0,
      20_000,
    )
    assert.equal(left, 0)
  }))

test('a limit that was changed is kept over a restart', async (t) => {
  const fixture = await EngineFixture.open()
  const { groupSerial } = await groupOf(fixture)
  const command = { operatorId, groupSerial }
  const limited = { ...command, limitShares: 700 as Shares }
  answerOf(await fixture.engine.submit('limitOrderGroup', limited))
  const again = await fixture.reopen()
  t.after(() => again.close())
  assert.equal(answerOf(await again.engine.submit('orderGroup', command)).limitShares, 700)
})

test('a group that is triggered while the shard is lost is asked again of the next owner', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    const { groupSerial } = await groupOf(fixture)
    const grouped = { ...bid, orderGroupSerial: groupSerial }
    await Promise.all(Array.from({ length: 350 }, () => fixture.place(market, grouped)))
    const sent = Promise.withResolvers<void>()
    const going = Promise.withResolvers<void>()
    fixture.commitHook = async (turn, commit) => {
      sent.resolve()
      await going.promise
      await commit(turn)
    }
    const triggered = fixture.engine.submit('triggerOrderGroup', { operatorId, groupSerial })
    await sent.promise
    const losing = fixture.engine.lose()
    going.resolve()
    await assert.rejects(triggered, NotOwner)
    await losing
  }))

test('the window and what is open in a group survive a restart', async (t) => {
  const fixture = await EngineFixture.open()
  const market = await fixture.market()
  const { groupSerial } = await groupOf(fixture)
  const grouped = { ...bid, orderGroupSerial: groupSerial }
  for (let order = 0; order < 3; order += 1) answerOf(await fixture.place(market, grouped))
  await sellTo(fixture, market, 6)
  fixture.time.now += 14_999
  const again = await fixture.reopen()
  t.after(() => again.close())
  const found = await again.engine.submit('orderGroup', { operatorId, groupSerial })
  assert.equal(answerOf(found).matchedShares, 600)
  await sellTo(again, market, 5)
  assert.equal(openOrders(again), 0)
  const listed = await again.engine.submit('orderGroups', {
    operatorId,
    playerId: 'bob',
    after: null,
    limit: 5,
  })
  const { groups, total } = answerOf(listed)
  assert.deepEqual([groups.map(({ status }) => status), total], [['TRIGGERED'], 1])
})

test('a group that was reset counts nothing of before, also after a restart', async (t) => {
  const fixture = await EngineFixture.open()
  const market = await fixture.market()
  const { groupSerial } = await groupOf(fixture)
  const command = { operatorId, groupSerial }
  for (let order = 0; order < 2; order += 1) {
    answerOf(await fixture.place(market, { ...bid, orderGroupSerial: groupSerial }))
  }
  await sellTo(fixture, market, 6)
  answerOf(await fixture.engine.submit('resetOrderGroup', command))
  await sellTo(fixture, market, 2)
  const again = await fixture.reopen()
  t.after(() => again.close())
  const found = answerOf(await again.engine.submit('orderGroup', command))
  assert.equal(found.matchedShares, 200)
})

test('only fills since the reset and within the window count after a restart', async (t) => {
  const fixture = await EngineFixture.open()
  const market = await fixture.market()
  const { groupSerial } = await groupOf(fixture)
  const command = { operatorId, groupSerial }
  const grouped = { ...bid, orderGroupSerial: groupSerial }
  for (let order = 0; order < 2; order += 1) answerOf(await fixture.place(market, grouped))
  await sellTo(fixture, market, 1)
  fixture.time.now += 1
  await sellTo(fixture, market, 2)
  answerOf(await fixture.engine.submit('resetOrderGroup', command))
  await sellTo(fixture, market, 3)
  const matchedIn = async ({ engine }: EngineFixture) =>
    answerOf(await engine.submit('orderGroup', command)).matchedShares
  const again = await fixture.reopen()
  const sinceReset = await matchedIn(again)
  again.time.now += 15_000
  await sellTo(again, market, 4)
  const last = await again.reopen()
  t.after(() => last.close())
  assert.deepEqual([sinceReset, await matchedIn(last)], [300, 400])
})

test('groups are listed newest first, in pages, without those of others', () =>
  withEngine(async (fixture) => {
    const made: string[] = []
    for (let group = 0; group < 3; group += 1) made.push((await groupOf(fixture)).id)
    const list = (after: string | null, ofOperator = operatorId, limit = 2) =>
      fixture.engine.submit('orderGroups', {
        operatorId: ofOperator,
        playerId: null,
        after: after === null ? null : fixture.engine.ids.serialOf(after)!,
        limit,
      })
    const first = answerOf(await list(null))
    assert.deepEqual(
      first.groups.map(({ id }) => id),
      [made[2], made[1]],
    )
    assert.deepEqual([first.total, first.hasMore], [3, true])
    const second = answerOf(await list(made[1]!))
    assert.deepEqual([second.groups.map(({ id }) => id), second.hasMore], [[made[0]], false])
    assert.equal(answerOf(await list(null, operatorId, 3)).hasMore, false)
    assert.equal(answerOf(await list(null, otherOperatorId)).total, 0)
  }))
