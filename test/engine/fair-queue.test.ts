// Operators are served in rounds by what their commands cost, and a turn is bounded by cost, too.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Price, Shares } from '../../src/core/money.ts'
import type { Commands, PlaceOrder } from '../../src/engine/commands.ts'
import type { Turn } from '../../src/store/store.ts'
import { onlyShard } from '../support/store/only-shard.ts'
import {
  answerOf,
  type EngineFixture,
  firstOperatorId,
  newMarket,
  type OpenMarket,
  otherOperatorId,
  usualOrder,
  withEngine,
} from './engine-fixture.ts'

const outcomeCount = 64

async function largeMarket({ engine, store }: EngineFixture): Promise<OpenMarket> {
  const outcomes = Array.from({ length: outcomeCount }, (_, at) => ({
    name: `Outcome ${at}`,
    description: null,
    imageUrl: null,
  }))
  const command = { ...newMarket, outcomes } as Commands['createMarket']['command']
  const { marketSerial } = answerOf(await engine.submit('createMarket', command))
  const opening = { operatorId: firstOperatorId, marketSerial, action: 'open' } as const
  answerOf(await engine.submit('manage', opening))
  const record = await onlyShard(store).reads.marketRecord(marketSerial)
  return { id: marketSerial, outcomes: record!.outcomes.map(({ serial }) => serial) }
}

test('an order does not wait for the many expensive commands of another operator', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    const large = await largeMarket(fixture)
    let minted = 0
    const mints = Array.from({ length: 200 }, async (_, at) => {
      const result = await fixture.mint(large.id, `player ${at}`, 1)
      minted += 1
      return answerOf(result)
    })
    answerOf(await fixture.place(market, { operatorId: otherOperatorId }))
    // Two turns of 4 mints are on their way when the order comes, and its own turn has 4 more.
    assert.ok(minted <= 12, `${minted} mints were carried out before the order`)
    await Promise.all(mints)
    assert.equal(minted, 200)
  }))

test('an order waits for one expensive order of another operator, not for the next', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    // A sweep costs more than a turn may, and less than the turns that may be committed at once.
    const [count, perSweep] = [900, 300]
    const bid = (at: number) => ({ shares: 100 as Shares, playerId: `bidder ${at}` })
    answerOf(await fixture.mint(market.id, 'seller', count))
    await Promise.all(Array.from({ length: count }, (_, at) => fixture.place(market, bid(at))))
    const answered: string[] = []
    const place = async (name: string, order: Partial<PlaceOrder>) => {
      answerOf(await fixture.place(market, order))
      answered.push(name)
    }
    const sizes: number[] = []
    const answeredBefore: number[] = []
    const orders: Promise<void>[] = []
    fixture.commitHook = (turn: Turn, commit) => {
      sizes.push(turn.to - turn.from)
      answeredBefore.push(answered.length)
      const own = { operatorId: otherOperatorId, price: 100 as Price }
      if (sizes.length === 1) orders.push(place('order', own))
      return commit(turn)
    }
    const shares = (perSweep * 100) as Shares
    const sell = { playerId: 'seller', side: 'SELL', shares, price: 100 as Price } as const
    await Promise.all(Array.from({ length: 3 }, () => place('sweep', sell)))
    await Promise.all(orders)
    assert.deepEqual(answered, ['sweep', 'order', 'sweep', 'sweep'])
    assert.deepEqual(sizes, [1, 1, 1, 1], 'the order shares no turn with a sweep')
    // The first sweep may be committed before the order, or while it is executed.
    const ofSweeps = answeredBefore.toSpliced(1, 1)
    assert.deepEqual(ofSweeps, [0, 2, 3], 'a further sweep waits until it is answered')
  }))

test('a turn ends when its commands have cost 256', () =>
  withEngine(async (fixture) => {
    const large = await largeMarket(fixture)
    const sizes: number[] = []
    fixture.commitHook = (turn: Turn, commit) => {
      sizes.push(turn.to - turn.from)
      return commit(turn)
    }
    await Promise.all(
      Array.from({ length: 100 }, (_, at) => fixture.mint(large.id, `player ${at}`, 1)),
    )
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      100,
    )
    assert.ok(Math.max(...sizes) === 256 / outcomeCount, `${sizes}`)
  }))

test('an operator alone has its orders in turns as large as they may be', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    const sizes: number[] = []
    fixture.commitHook = (turn: Turn, commit) => {
      sizes.push(turn.to - turn.from)
      return commit(turn)
    }
    await Promise.all(
      Array.from({ length: 700 }, (_, at) =>
        fixture.place(market, { price: (100 + at) as Price, playerId: `player ${at}` }),
      ),
    )
    // The first three start early, with 64 commands each.
    assert.deepEqual(sizes.slice(0, 3), [64, 64, 64])
    assert.equal(sizes[3], 256)
  }))

test('queries beyond the size of a turn are answered in later ones', { timeout: 60_000 }, () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    const levels = 80
    answerOf(await fixture.mint(market.id, 'seller', levels))
    for (let at = 0; at < levels; at += 1) {
      const ask = { side: 'SELL', playerId: 'seller', shares: 100 as Shares } as const
      answerOf(await fixture.place(market, { ...ask, price: (1_000 + at) as Price }))
    }
    const { transactionId: _, ...order } = usualOrder(market)
    const preview = { ...order, shares: (levels * 100) as Shares, price: 9_000 as Price }
    const all = Array.from({ length: 20 }, () => fixture.engine.submit('preview', preview))
    for (const result of await Promise.all(all)) assert.equal(answerOf(result).fills.length, levels)
  }),
)

test('a cancelled market does not wait for the many that another operator cancels', () =>
  withEngine(async (fixture) => {
    const { engine } = fixture
    const cancelled: string[] = []
    const cancel = async (operatorId: string, market: OpenMarket) => {
      const command = { operatorId, marketSerial: market.id, reason: 'Void' }
      answerOf(await engine.submit('manage', { ...command, action: 'cancel' }))
      cancelled.push(operatorId)
    }
    const markets: OpenMarket[] = []
    for (let at = 0; at < 12; at += 1) markets.push(await fixture.market())
    const resting = (market: OpenMarket) => Array.from({ length: 250 }, () => fixture.place(market))
    await Promise.all(markets.flatMap(resting))
    const own = await marketOf(fixture, otherOperatorId)
    const first = markets.map((market) => cancel(firstOperatorId, market))
    await Promise.all([...first, cancel(otherOperatorId, own)])
    assert.ok(cancelled.indexOf(otherOperatorId) <= 2, cancelled.join(' '))
  }))

async function marketOf({ engine, store }: EngineFixture, operatorId: string): Promise<OpenMarket> {
  const made = answerOf(await engine.submit('createMarket', { ...newMarket, operatorId }))
  const { marketSerial } = made
  answerOf(await engine.submit('manage', { operatorId, marketSerial, action: 'open' }))
  const record = await onlyShard(store).reads.marketRecord(marketSerial)
  return { id: marketSerial, outcomes: record!.outcomes.map(({ serial }) => serial) }
}
