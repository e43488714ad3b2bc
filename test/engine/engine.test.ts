// The engine on a real store: what is stored is what is in memory, nothing is answered before it
// is stored, and a failed commit leaves no trace.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Price, Shares } from '../../src/core/money.ts'
import type { Records } from '../../src/core/snapshot/records.ts'
import { CommitUnknown, Unavailable } from '../../src/engine/commands.ts'
import { CommitFailure } from '../../src/store/store.ts'
import { Random } from '../support/process/random.ts'
import { accepted, codeOf, House, house, participant, withHouse } from './engine-fixture.ts'

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

test('after random trading a start finds what was in memory', async () => {
  const random = new Random(11)
  let open = await House.open()
  for (let round = 0; round < 4; round += 1) {
    await trade(open, random)
    const before = comparable(open.engine.records())
    open = await open.reopen()
    assert.deepEqual(comparable(open.engine.records()), before)
  }
  await open.close()
})

async function trade(open: House, random: Random): Promise<void> {
  const market = await open.market()
  accepted(await open.mint(market.id, 'alice', 500))
  const orders: number[] = []
  for (let turn = 0; turn < 40; turn += 1) {
    open.time.now += random.between(0, 3)
    const asked = Array.from({ length: 20 }, async () => {
      if (random.chance(20) && orders.length > 0) {
        await open.engine.submit('cancel', { operatorId: house, orderSerial: random.pick(orders) })
        return
      }
      if (random.chance(20) && orders.length > 0) {
        await open.engine.submit('amend', {
          operatorId: house,
          orderSerial: random.pick(orders),
          shares: random.chance(70) ? ((random.between(1, 30) * 100) as Shares) : null,
          price: random.chance(50) ? ((random.between(40, 60) * 100) as Price) : null,
        })
        return
      }
      const result = await open.place(market, {
        operatorId: random.chance(80) ? house : participant,
        outcomeSerial: random.pick(market.outcomes),
        playerId: random.pick(['alice', 'bob', 'carol']),
        side: random.pick(['BUY', 'SELL']),
        type: random.chance(80) ? 'LIMIT' : 'MARKET',
        shares: (random.between(1, 30) * 100) as Shares,
        price: (random.between(40, 60) * 100) as Price,
        expiresAt: random.chance(10) ? open.time.now + random.between(1, 20) : null,
        transactionId: random.chance(30) ? `bet-${random.between(0, 10_000)}` : null,
      })
      if (result.isAccepted) orders.push(open.engine.ids.serialOf(result.answer.order.id)!)
    })
    await Promise.all(asked)
  }
}

test('the same transactionId twice at once makes one order', () =>
  withHouse(async (open) => {
    const market = await open.market()
    const asked = Array.from({ length: 20 }, () => open.place(market, { transactionId: 'bet-1' }))
    const answers = (await Promise.all(asked)).map(accepted)
    assert.equal(new Set(answers.map(({ order }) => order.id)).size, 1)
    assert.equal(answers.filter(({ isReplay }) => !isReplay).length, 1)
    const page = await open.store.reads.orders(allOrders)
    assert.equal(page.total, 1)
  }))

const allOrders = {
  operator: 1,
  market: null,
  outcome: null,
  playerId: null,
  side: null,
  type: null,
  statuses: null,
  transactionId: null,
  after: null,
  limit: 100,
} as const

test('a key that was used for something else is refused; a refused request leaves no key', () =>
  withHouse(async (open) => {
    const market = await open.market()
    assert.equal(codeOf(await open.place(market, { side: 'SELL', transactionId: 'a' })), noShares)
    accepted(await open.place(market, { transactionId: 'a' }))
    const other = await open.place(market, { transactionId: 'a', price: 5_100 as Price })
    assert.equal(codeOf(other), 'ORDER_DUPLICATE_TRANSACTION')
    assert.equal(codeOf(await open.mint(market.id, 'bob', 10, 'a')), 'ORDER_DUPLICATE_TRANSACTION')
    accepted(await open.place(market, { operatorId: participant, transactionId: 'a' }))
  }))

const noShares = 'POSITION_INSUFFICIENT_SHARES'

test('a key is still used after a start', async () => {
  let open = await House.open()
  const market = await open.market()
  const first = accepted(await open.place(market, { transactionId: 'a' }))
  open = await open.reopen()
  const again = accepted(await open.place(market, { transactionId: 'a' }))
  assert.equal(again.isReplay, true)
  assert.equal(again.order.id, first.order.id)
  await open.close()
})

test('nobody is answered, and nobody sees anything, before the turn is stored', () =>
  withHouse(async (open) => {
    const market = await open.market()
    const [outcomeSerial = 0] = market.outcomes
    let letThrough: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      letThrough = resolve
    })
    open.admission = async (turn, commit) => {
      await held
      await commit(turn)
    }
    const heard: string[] = []
    const placed = open.place(market).then(() => heard.push('placed'))
    const book = open.engine
      .submit('book', { marketSerial: market.id, outcomeSerial, depth: 1 })
      .then(() => heard.push('book'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.deepEqual(heard, [])
    letThrough()
    await Promise.all([placed, book])
    assert.deepEqual(heard.sort(), ['book', 'placed'])
  }))

test('a turn that was surely not stored is refused and leaves no trace', () =>
  withHouse(async (open) => {
    const market = await open.market()
    const before = comparable(open.engine.records())
    open.admission = async () => {
      throw new CommitFailure('planted', { outcome: 'aborted' })
    }
    const asked = await Promise.allSettled([
      open.place(market, { transactionId: 'a' }),
      open.mint(market.id, 'alice', 10),
    ])
    assert.ok(asked.every((one) => one.status === 'rejected' && one.reason instanceof Unavailable))
    open.admission = null
    await open.engine.submit('prices', { marketSerial: market.id, outcomeSerial: null })
    assert.deepEqual(comparable(open.engine.records()), before)
    assert.equal(accepted(await open.place(market, { transactionId: 'a' })).isReplay, false)
  }))

test('a commit of unknown outcome is looked up: stored means answered, once', () =>
  withHouse(async (open) => {
    const market = await open.market()
    open.admission = async (turn, commit) => {
      await commit(turn)
      throw new CommitFailure('planted', { outcome: 'unknown' })
    }
    const first = accepted(await open.place(market, { transactionId: 'a' }))
    open.admission = null
    const again = accepted(await open.place(market, { transactionId: 'a' }))
    assert.deepEqual([again.isReplay, again.order.id], [true, first.order.id])
  }))

test('a commit of unknown outcome that did not happen is refused', () =>
  withHouse(async (open) => {
    const market = await open.market()
    open.admission = async () => {
      throw new CommitFailure('planted', { outcome: 'unknown' })
    }
    await assert.rejects(open.place(market), Unavailable)
    open.admission = null
    accepted(await open.place(market))
  }))

test('when the store is lost, what is on its way is of unknown outcome', () =>
  withHouse(async (open) => {
    const market = await open.market()
    open.admission = () => new Promise(() => undefined)
    const asked = open.place(market)
    await new Promise((resolve) => setTimeout(resolve, 20))
    open.engine.fail(new Error('The disk is gone.'))
    await assert.rejects(asked, CommitUnknown)
    await assert.rejects(open.place(market), Unavailable)
  }))

test('an order expires by itself, and is closed for whoever cancels it then', () =>
  withHouse(async (open) => {
    const market = await open.market()
    const expiresAt = open.time.now + 1_000
    const { order } = accepted(await open.place(market, { expiresAt }))
    open.time.now = expiresAt
    await new Promise((resolve) => setTimeout(resolve, 150))
    const orderId = open.engine.ids.serialOf(order.id)!
    const stored = await open.store.reads.order(1, orderId)
    assert.equal(stored?.status, 'EXPIRED')
    const cancelled = await open.engine.submit('cancel', {
      operatorId: house,
      orderSerial: orderId,
    })
    assert.deepEqual(cancelled, {
      isAccepted: false,
      reject: { code: 'ORDER_CANNOT_CANCEL', status: 'EXPIRED' },
    })
  }))

async function settledHouse(): Promise<{ open: House; market: { id: number } }> {
  const open = await House.open()
  const market = await open.market()
  accepted(await open.mint(market.id, 'alice', 500))
  accepted(await open.place(market, { playerId: 'alice', side: 'SELL', shares: 10_000 as Shares }))
  accepted(await open.place(market))
  const about = { operatorId: house, marketSerial: market.id }
  accepted(await open.engine.submit('manage', { ...about, action: 'close' }))
  const winningOutcomeSerial = market.outcomes[0]!
  const resolution = { winningOutcomeSerial, source: 'The sky', notes: null }
  accepted(await open.engine.submit('manage', { ...about, action: 'resolve', ...resolution }))
  const settled = accepted(await open.engine.submit('settle', about))
  assert.deepEqual(settled, { cancelledOrders: 1, settled: 3, payout: 500_000_000n })
  return { open, market }
}

test('a market that is over can be asked for and edited after a start', async () => {
  const { open: before, market } = await settledHouse()
  const open = await before.reopen()
  const { engine } = open
  assert.deepEqual([...engine.records().markets], [])
  const about = { operatorId: house, marketSerial: market.id }
  const again = await engine.submit('settle', about)
  assert.equal(codeOf(again), 'SETTLEMENT_ALREADY_COMPLETED')
  const [yes] = accepted(
    await engine.submit('prices', { marketSerial: market.id, outcomeSerial: null }),
  )
  assert.equal(yes?.lastPrice, 0.5)
  accepted(
    await engine.submit('editMarket', { ...about, changes: { imageUrl: 'https://a.example' } }),
  )
  assert.equal((await open.store.reads.market(market.id))?.imageUrl, 'https://a.example')
  await open.close()
})

test('a settlement that could not be paid is retried, also after a start', async () => {
  const { open: before, market } = await settledHouse()
  const query = { operator: 1, market: market.id, playerId: 'bob', after: null, limit: 10 }
  const [bobs] = (await before.store.reads.settlements(query)).rows
  const failed = {
    operatorId: house,
    settlementSerial: bobs!.serial,
    transactionId: 'pay-1',
    status: 'FAILED',
    errorMessage: 'The account is closed.',
  } as const
  accepted(await before.engine.submit('acknowledge', failed))
  let open = await before.reopen()
  const statusOf = async () => (await open.store.reads.settlement(1, bobs!.serial))?.status
  assert.equal(await statusOf(), 'FAILED')
  const about = { operatorId: house, marketSerial: market.id }
  const retried = accepted(await open.engine.submit('retrySettlements', about))
  assert.deepEqual(retried.settlementSerials, [bobs!.serial])
  assert.equal(await statusOf(), 'COMPLETED')
  open = await open.reopen()
  const none = accepted(await open.engine.submit('retrySettlements', about))
  assert.deepEqual(none.settlementSerials, [])
  const other = await open.engine.submit('acknowledge', { ...failed, operatorId: participant })
  assert.equal(codeOf(other), 'SETTLEMENT_NOT_FOUND')
  await open.close()
})

test('a refused command is counted by its code', () =>
  withHouse(async (open) => {
    const market = await open.market()
    await open.place(market, { side: 'SELL' })
    await open.place(market, { outcomeSerial: 0 })
    await open.place(market)
    assert.deepEqual(open.refusals, [noShares, 'VALIDATION_ERROR'])
  }))
