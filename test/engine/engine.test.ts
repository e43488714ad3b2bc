// The engine with a real store: the store and the memory agree, commands are answered only after
// the commit, and a failed commit leaves no trace.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Serial } from '../../src/core/ids.ts'
import type { Price, Shares } from '../../src/core/money.ts'
import type { Records } from '../../src/core/snapshot/records.ts'
import { CommitUnknown, Unavailable } from '../../src/engine/commands.ts'
import { CommitFailure } from '../../src/store/store.ts'
import { serial } from '../support/core/steps.ts'
import { Random } from '../support/process/random.ts'
import {
  answerOf,
  codeOf,
  EngineFixture,
  firstOperatorId,
  otherOperatorId,
  withEngine,
} from './engine-fixture.ts'

function comparable({ head, ...records }: Records) {
  const { now: _now, ...rest } = head
  return {
    head: rest,
    operators: [...records.operators],
    markets: [...records.markets],
    positions: [...records.positions],
    orders: [...records.orders],
  }
}

test('after random trading, a restart loads exactly what was in memory', async () => {
  const random = new Random(11)
  let fixture = await EngineFixture.open()
  for (let round = 0; round < 4; round += 1) {
    await trade(fixture, random)
    const before = comparable(fixture.engine.records())
    fixture = await fixture.reopen()
    assert.deepEqual(comparable(fixture.engine.records()), before)
  }
  await fixture.close()
})

async function trade(fixture: EngineFixture, random: Random): Promise<void> {
  const market = await fixture.market()
  answerOf(await fixture.mint(market.id, 'alice', 500))
  const orders: Serial[] = []
  for (let turn = 0; turn < 40; turn += 1) {
    fixture.time.now += random.between(0, 3)
    const commands = Array.from({ length: 20 }, async () => {
      if (random.chance(20) && orders.length > 0) {
        await fixture.engine.submit('cancel', {
          operatorId: firstOperatorId,
          orderSerial: random.pick(orders),
        })
        return
      }
      if (random.chance(20) && orders.length > 0) {
        await fixture.engine.submit('amend', {
          operatorId: firstOperatorId,
          orderSerial: random.pick(orders),
          shares: random.chance(70) ? ((random.between(1, 30) * 100) as Shares) : null,
          price: random.chance(50) ? ((random.between(40, 60) * 100) as Price) : null,
        })
        return
      }
      const result = await fixture.place(market, {
        operatorId: random.chance(80) ? firstOperatorId : otherOperatorId,
        outcomeSerial: random.pick(market.outcomes),
        playerId: random.pick(['alice', 'bob', 'carol']),
        side: random.pick(['BUY', 'SELL']),
        type: random.chance(80) ? 'LIMIT' : 'MARKET',
        shares: (random.between(1, 30) * 100) as Shares,
        price: (random.between(40, 60) * 100) as Price,
        expiresAt: random.chance(10) ? fixture.time.now + random.between(1, 20) : null,
        transactionId: random.chance(30) ? `bet-${random.between(0, 10_000)}` : null,
      })
      if (result.isAccepted) orders.push(fixture.engine.ids.serialOf(result.answer.order.id)!)
    })
    await Promise.all(commands)
  }
}

test('concurrent orders with the same transactionId create one order', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    const placed = Array.from({ length: 20 }, () =>
      fixture.place(market, { transactionId: 'bet-1' }),
    )
    const answers = (await Promise.all(placed)).map(answerOf)
    assert.equal(new Set(answers.map(({ order }) => order.id)).size, 1)
    assert.equal(answers.filter(({ isReplay }) => !isReplay).length, 1)
    const page = await fixture.shard.reads.orders(allOrders)
    assert.equal(page.total, 1)
  }))

const allOrders = {
  operatorNumber: 1,
  marketSerial: null,
  outcomeSerial: null,
  playerId: null,
  side: null,
  type: null,
  statuses: null,
  transactionId: null,
  after: null,
  limit: 100,
} as const

test('a transactionId used for a different command is rejected; a rejection leaves it free', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    assert.equal(
      codeOf(await fixture.place(market, { side: 'SELL', transactionId: 'a' })),
      noShares,
    )
    answerOf(await fixture.place(market, { transactionId: 'a' }))
    const other = await fixture.place(market, { transactionId: 'a', price: 5_100 as Price })
    assert.equal(codeOf(other), 'ORDER_DUPLICATE_TRANSACTION')
    assert.equal(
      codeOf(await fixture.mint(market.id, 'bob', 10, 'a')),
      'ORDER_DUPLICATE_TRANSACTION',
    )
    answerOf(await fixture.place(market, { operatorId: otherOperatorId, transactionId: 'a' }))
  }))

const noShares = 'POSITION_INSUFFICIENT_SHARES'

test('a transactionId is still in use after a restart', async () => {
  let fixture = await EngineFixture.open()
  const market = await fixture.market()
  const first = answerOf(await fixture.place(market, { transactionId: 'a' }))
  fixture = await fixture.reopen()
  const again = answerOf(await fixture.place(market, { transactionId: 'a' }))
  assert.equal(again.isReplay, true)
  assert.equal(again.order.id, first.order.id)
  await fixture.close()
})

test('neither the caller nor a query sees an order before its turn is committed', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    const [outcomeSerial = serial(0)] = market.outcomes
    const released = Promise.withResolvers<void>()
    fixture.commitHook = async (turn, commit) => {
      await released.promise
      await commit(turn)
    }
    const answered: string[] = []
    const placed = fixture.place(market).then(() => answered.push('placed'))
    const book = fixture.engine
      .submit('book', { marketSerial: market.id, outcomeSerial, depth: 1 })
      .then(() => answered.push('book'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.deepEqual(answered, [])
    released.resolve()
    await Promise.all([placed, book])
    assert.deepEqual(answered.sort(), ['book', 'placed'])
  }))

test('the listeners get a turn when it is committed, and never one whose commit was aborted', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    const published: number[] = []
    fixture.engine.onCommitted(({ eventRecords }) => published.push(eventRecords.length))
    const released = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    fixture.commitHook = async (turn, commit) => {
      reached.resolve()
      await released.promise
      return commit(turn)
    }
    const placing = fixture.place(market)
    await reached.promise
    assert.deepEqual(published, [])
    released.resolve()
    answerOf(await placing)
    assert.equal(published.length, 1)
    fixture.commitHook = async () => {
      throw new CommitFailure('planted', { outcome: 'aborted' })
    }
    await assert.rejects(fixture.place(market), Unavailable)
    assert.equal(published.length, 1)
  }))

test('a turn whose commit was aborted fails as Unavailable and leaves no trace', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    const before = comparable(fixture.engine.records())
    fixture.commitHook = async () => {
      throw new CommitFailure('planted', { outcome: 'aborted' })
    }
    const results = await Promise.allSettled([
      fixture.place(market, { transactionId: 'a' }),
      fixture.mint(market.id, 'alice', 10),
    ])
    const isUnavailable = (one: PromiseSettledResult<unknown>) =>
      one.status === 'rejected' && one.reason instanceof Unavailable
    assert.ok(results.every(isUnavailable))
    fixture.commitHook = null
    await fixture.engine.submit('prices', { marketSerial: market.id, outcomeSerial: null })
    assert.deepEqual(comparable(fixture.engine.records()), before)
    assert.equal(answerOf(await fixture.place(market, { transactionId: 'a' })).isReplay, false)
  }))

test('after a commit of unknown outcome that succeeded, the caller is answered once', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    fixture.commitHook = async (turn, commit) => {
      await commit(turn)
      throw new CommitFailure('planted', { outcome: 'unknown' })
    }
    const first = answerOf(await fixture.place(market, { transactionId: 'a' }))
    fixture.commitHook = null
    const again = answerOf(await fixture.place(market, { transactionId: 'a' }))
    assert.deepEqual([again.isReplay, again.order.id], [true, first.order.id])
  }))

test('after a commit of unknown outcome that did not succeed, the caller gets Unavailable', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    fixture.commitHook = async () => {
      throw new CommitFailure('planted', { outcome: 'unknown' })
    }
    await assert.rejects(fixture.place(market), Unavailable)
    fixture.commitHook = null
    answerOf(await fixture.place(market))
  }))

test('when the store fails for good, commands in flight get CommitUnknown', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    fixture.commitHook = () => new Promise(() => undefined)
    const inFlight = fixture.place(market)
    await new Promise((resolve) => setTimeout(resolve, 20))
    fixture.engine.fail(new Error('disk removed'))
    await assert.rejects(inFlight, CommitUnknown)
    await assert.rejects(fixture.place(market), Unavailable)
  }))

test('an order expires without a command, and a later cancel is rejected with EXPIRED', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    const expiresAt = fixture.time.now + 1_000
    const { order } = answerOf(await fixture.place(market, { expiresAt }))
    fixture.time.now = expiresAt
    await new Promise((resolve) => setTimeout(resolve, 150))
    const orderSerial = fixture.engine.ids.serialOf(order.id)!
    const stored = await fixture.shard.reads.order(1, orderSerial)
    assert.equal(stored?.status, 'EXPIRED')
    const cancelled = await fixture.engine.submit('cancel', {
      operatorId: firstOperatorId,
      orderSerial,
    })
    assert.deepEqual(cancelled, {
      isAccepted: false,
      reject: { code: 'ORDER_CANNOT_CANCEL', status: 'EXPIRED' },
    })
  }))

async function settledFixture(): Promise<{ fixture: EngineFixture; market: { id: Serial } }> {
  const fixture = await EngineFixture.open()
  const market = await fixture.market()
  answerOf(await fixture.mint(market.id, 'alice', 500))
  answerOf(
    await fixture.place(market, { playerId: 'alice', side: 'SELL', shares: 10_000 as Shares }),
  )
  answerOf(await fixture.place(market))
  const about = { operatorId: firstOperatorId, marketSerial: market.id }
  answerOf(await fixture.engine.submit('manage', { ...about, action: 'close' }))
  const winningOutcomeSerial = market.outcomes[0]!
  const resolution = { winningOutcomeSerial, source: 'The sky', notes: null }
  answerOf(await fixture.engine.submit('manage', { ...about, action: 'resolve', ...resolution }))
  const settled = answerOf(await fixture.engine.submit('settle', about))
  assert.deepEqual(settled, { cancelledOrders: 1, settled: 3, payout: 500_000_000n })
  return { fixture, market }
}

test('a settled market can be queried and edited after a restart', async () => {
  const { fixture: before, market } = await settledFixture()
  const fixture = await before.reopen()
  const { engine } = fixture
  assert.deepEqual([...engine.records().markets], [])
  const about = { operatorId: firstOperatorId, marketSerial: market.id }
  const again = await engine.submit('settle', about)
  assert.equal(codeOf(again), 'SETTLEMENT_ALREADY_COMPLETED')
  const [yes] = answerOf(
    await engine.submit('prices', { marketSerial: market.id, outcomeSerial: null }),
  )
  assert.equal(yes?.lastPrice, 5_000)
  answerOf(
    await engine.submit('editMarket', { ...about, changes: { imageUrl: 'https://a.example' } }),
  )
  assert.equal((await fixture.shard.reads.market(market.id))?.imageUrl, 'https://a.example')
  await fixture.close()
})

test('a FAILED settlement can be retried, also after a restart', async () => {
  const { fixture: before, market } = await settledFixture()
  const query = {
    operatorNumber: 1,
    marketSerial: market.id,
    playerId: 'bob',
    after: null,
    limit: 10,
  }
  const [bobs] = (await before.shard.reads.settlements(query)).rows
  const failed = {
    operatorId: firstOperatorId,
    settlementSerial: bobs!.serial,
    transactionId: 'pay-1',
    status: 'FAILED',
    errorMessage: 'The account is closed.',
  } as const
  answerOf(await before.engine.submit('acknowledge', failed))
  let fixture = await before.reopen()
  const statusOf = async () => (await fixture.shard.reads.settlement(1, bobs!.serial))?.status
  assert.equal(await statusOf(), 'FAILED')
  const about = { operatorId: firstOperatorId, marketSerial: market.id }
  const retried = answerOf(await fixture.engine.submit('retrySettlements', about))
  assert.deepEqual(retried.settlementSerials, [bobs!.serial])
  assert.equal(await statusOf(), 'COMPLETED')
  fixture = await fixture.reopen()
  const none = answerOf(await fixture.engine.submit('retrySettlements', about))
  assert.deepEqual(none.settlementSerials, [])
  const other = await fixture.engine.submit('acknowledge', {
    ...failed,
    operatorId: otherOperatorId,
  })
  assert.equal(codeOf(other), 'SETTLEMENT_NOT_FOUND')
  await fixture.close()
})

test('the metrics count a rejected command by its code', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    await fixture.place(market, { side: 'SELL' })
    await fixture.place(market, { outcomeSerial: serial(0) })
    await fixture.place(market)
    assert.deepEqual(fixture.rejections, [noShares, 'VALIDATION_ERROR'])
  }))
