// An exchange with records of every kind: two operators in shared markets,
// mints and redemptions, orders of every kind and with every option, expiries and cancels, matches
// by complete sets, a market that was settled, one that was cancelled, one that was suspended at
// its price band, and a restart.

import assert from 'node:assert/strict'
import type { FeeSchedule } from '../../src/core/fee.ts'
import type { Serial } from '../../src/core/ids.ts'
import type { FeeRate, Price, Shares } from '../../src/core/money.ts'
import { type OrderOptions, packOptions, usualOptions } from '../../src/core/orders/options.ts'
import type { PriceBand } from '../../src/core/state/market.ts'
import { type Side, selfTradePreventions, timesInForce } from '../../src/core/words.ts'
import type { PlaceOrder } from '../../src/engine/commands.ts'
import {
  answerOf,
  EngineFixture,
  firstOperatorId,
  otherOperatorId,
} from '../engine/engine-fixture.ts'
import { serial } from '../support/core/steps.ts'
import { Random } from '../support/process/random.ts'
import { onlyShard } from '../support/store/only-shard.ts'

export type OpenMarket = { readonly id: Serial; readonly outcomes: readonly Serial[] }

const players = ['alice', 'bob', 'carol'] as const

export async function busyExchange(seed = 7): Promise<EngineFixture> {
  const random = new Random(seed)
  let open = await EngineFixture.open()
  const settled = await newMarket(open, ['Yes', 'No'])
  await tradeIn(open, settled, random, 12)
  await settle(open, settled)
  const cancelled = await newMarket(open, ['Yes', 'No'])
  await tradeIn(open, cancelled, random, 6)
  await manage(open, cancelled, { action: 'cancel', reason: 'Rained off.' })
  open = await open.reopen()
  const going = await newMarket(open, ['Red', 'Green', 'Blue'])
  await tradeIn(open, going, random, 25)
  for (const [names, feeSchedule] of [
    [['Heads', 'Tails'], null],
    [['One', 'Two', 'Three'], quadratic],
  ] as const) {
    const meeting = await newMarket(open, names, { hasCompleteSetMatching: true, feeSchedule })
    await tradeIn(open, meeting, random, 15)
  }
  await tripGroup(open)
  await tripDeadMan(open, going)
  await halt(open, going)
  await meetBand(open)
  await limit(open, going)
  await leaveOrders(open, going)
  await buyByAmount(open, going)
  return open
}

/** A market with a price band that has stopped orders, and one whose band was changed. */
async function meetBand(open: EngineFixture): Promise<void> {
  const band = (maxMove: number, suspendOnBand = false) => ({ maxMove, suspendOnBand })
  const market = await newMarket(open, ['In', 'Out'], { priceBand: band(500) })
  const operatorId = firstOperatorId
  answerOf(await sets(open, market, { operatorId, playerId: 'sam', kind: 'MINT', shares: 9_000 }))
  const order = (side: Side, price: number, more: Partial<PlaceOrder> = {}) => {
    const playerId = side === 'SELL' ? 'sam' : 'bob'
    return open.place(market, { playerId, side, price: price as Price, ...more })
  }
  for (const price of [4_000, 4_500, 6_000]) answerOf(await order('SELL', price))
  answerOf(await order('BUY', 4_000))
  const shares = 9_000 as Shares
  const { order: cut } = answerOf(await order('BUY', 7_000, { shares }))
  assert.equal(cut.status, 'CANCELLED')
  const edit = (priceBand: PriceBand | null) =>
    open.engine.submit('editMarket', {
      operatorId,
      marketSerial: market.id,
      changes: { priceBand },
    })
  answerOf(await edit(band(200)))
  for (const type of ['LIMIT', 'MARKET'] as const) {
    const refused = await order('BUY', 7_000, { type, transactionId: `outside-${type}` })
    assert(!refused.isAccepted && refused.reject.code === 'ORDER_OUTSIDE_BAND')
  }
  answerOf(await edit(band(200, true)))
  assert(!(await order('BUY', 7_000)).isAccepted)
  const record = await open.shard.reads.marketRecord(market.id)
  assert.equal(record!.status, 'SUSPENDED')
}

/** A group that was triggered, and one with open orders; both have been filled. */
async function tripGroup(open: EngineFixture): Promise<void> {
  const operatorId = firstOperatorId
  const market = await newMarket(open, ['Up', 'Down'])
  const [price, shares] = [5_000 as Price, 500 as Shares]
  answerOf(await sets(open, market, { operatorId, playerId: 'zed', kind: 'MINT', shares: 2_000 }))
  for (const limitShares of [100, 1_000]) {
    const { id } = answerOf(
      await open.engine.submit('createOrderGroup', {
        operatorId,
        playerId: 'gus',
        limitShares: limitShares as Shares,
        windowMs: 60_000,
      }),
    )
    const bid = { playerId: 'gus', orderGroupSerial: open.engine.ids.serialOf(id)! }
    for (const each of [price, 100 as Price]) {
      answerOf(await open.place(market, { ...bid, price: each }))
    }
    answerOf(await open.place(market, { playerId: 'zed', side: 'SELL', price, shares }))
  }
}

/** One switch that was triggered, and one that is armed. */
async function tripDeadMan(open: EngineFixture, market: OpenMarket): Promise<void> {
  const operatorId = firstOperatorId
  answerOf(await open.place(market, { playerId: 'dave', price: 100 as Price }))
  const arm = { operatorId, playerId: 'dave', timeoutMs: 1_000 }
  answerOf(await open.engine.submit('armDeadMan', arm))
  answerOf(await open.engine.submit('armDeadMan', { ...arm, playerId: null, timeoutMs: 300_000 }))
  open.time.now += 1_000
  const { state } = answerOf(await open.engine.submit('deadMan', arm))
  assert.equal(state, 'TRIGGERED')
}

/** A player that is halted, and one that may only reduce; both keep an order from before. */
async function halt(open: EngineFixture, market: OpenMarket): Promise<void> {
  const operatorId = firstOperatorId
  for (const [playerId, mode] of [
    ['erin', 'HALTED'],
    ['fred', 'REDUCE_ONLY'],
  ] as const) {
    answerOf(await sets(open, market, { operatorId, playerId, kind: 'MINT', shares: 1_000 }))
    answerOf(await open.place(market, { playerId, price: 100 as Price }))
    open.time.now += 1
    const holder = { kind: 'PLAYER', operatorId, playerId } as const
    const terms = { mode, reason: 'A lost phone', until: null, limits: null }
    answerOf(
      await open.engine.submit('changeControls', {
        operatorId,
        holder,
        ...terms,
        cancelsOrders: false,
      }),
    )
    open.time.now += 1
  }
  const sale = {
    playerId: 'fred',
    side: 'SELL',
    shares: 500 as Shares,
    price: 9_800 as Price,
  } as const
  answerOf(await open.place(market, sale))
  answerOf(await sets(open, market, { operatorId, playerId: 'fred', kind: 'REDEEM', shares: 100 }))
}

/** Gina meets each of her limits, with orders, an amendment and sets; hugo has the defaults. */
async function limit(open: EngineFixture, market: OpenMarket): Promise<void> {
  const operatorId = firstOperatorId
  const change = {
    operatorId,
    mode: 'OPEN',
    reason: null,
    until: null,
    cancelsOrders: true,
  } as const
  const player = { kind: 'PLAYER', operatorId, playerId: 'gina' } as const
  const own = { maxOrderCost: 10_000_000, maxOutcomeShares: 4_000, maxMarketCost: 10_500_000 }
  const defaults = { maxOrderCost: 100_000_000_000 }
  const { engine } = open
  answerOf(await engine.submit('changeControls', { ...change, holder: player, limits: own }))
  const holder = { kind: 'OPERATOR', operatorId } as const
  answerOf(await engine.submit('changeControls', { ...change, holder, limits: defaults }))
  open.time.now += 1
  for (const playerId of ['gina', 'hugo']) {
    answerOf(await sets(open, market, { operatorId, playerId, kind: 'MINT', shares: 1_000 }))
    const price = 100 as Price
    const bid = { playerId, price, shares: 1_000 as Shares }
    const { order } = answerOf(await open.place(market, bid))
    const amended = {
      operatorId,
      orderSerial: open.engine.ids.serialOf(order.id)!,
      shares: 2_000 as Shares,
    }
    answerOf(await engine.submit('amend', { ...amended, price: 200 as Price }))
    answerOf(await open.place(market, bid))
  }
}

const quadratic: FeeSchedule = {
  model: 'QUADRATIC',
  takerRate: 777 as FeeRate,
  makerRate: 33 as FeeRate,
}

type NewMarketOptions = {
  readonly hasCompleteSetMatching?: boolean
  readonly feeSchedule?: FeeSchedule | null
  readonly priceBand?: PriceBand
}

export async function newMarket(
  open: EngineFixture,
  names: readonly string[],
  { hasCompleteSetMatching = false, feeSchedule = null, priceBand }: NewMarketOptions = {},
): Promise<OpenMarket> {
  const made = answerOf(
    await open.engine.submit('createMarket', {
      operatorId: firstOperatorId,
      title: `Which of ${names.length}?`,
      description: null,
      imageUrl: null,
      categoryId: null,
      metadata: null,
      tradingStartsAt: open.time.now - 1_000,
      tradingEndsAt: open.time.now + 86_400_000,
      currency: 'USD',
      outcomes: names.map((name) => ({ name, description: null })),
      isShared: true,
      hasCompleteSetMatching,
      feeSchedule,
      ...(priceBand === undefined ? {} : { priceBand }),
    }),
  )
  const market = { id: made.marketSerial, outcomes: [] }
  await manage(open, market, { action: 'open' })
  const record = await open.shard.reads.marketRecord(market.id)
  return { id: market.id, outcomes: record!.outcomes.map(({ serial }) => serial) }
}

/** Turns of random requests. Sometimes a minute passes. */
export async function tradeIn(
  open: EngineFixture,
  market: OpenMarket,
  random: Random,
  turns: number,
): Promise<void> {
  const orders: Serial[] = []
  for (const operatorId of [firstOperatorId, otherOperatorId]) {
    for (const playerId of players) answerOf(await sets(open, market, { operatorId, playerId }))
  }
  for (let turn = 0; turn < turns; turn += 1) {
    open.time.now += random.chance(20) ? 60_000 : random.between(0, 30)
    const commands = Array.from({ length: 12 }, () => command(open, market, random, orders))
    await Promise.all(commands)
  }
  await open.engine.submit('changeTradingWindow', {
    operatorId: firstOperatorId,
    marketSerial: market.id,
    tradingEndsAt: open.time.now + 172_800_000,
    reason: 'Extra time',
  })
}

async function command(open: EngineFixture, market: OpenMarket, random: Random, orders: Serial[]) {
  const operatorId = random.pick([firstOperatorId, otherOperatorId])
  const playerId = random.pick(players)
  if (random.chance(15) && orders.length > 0) {
    await open.engine.submit('cancel', { operatorId, orderSerial: random.pick(orders) })
    return
  }
  if (random.chance(12) && orders.length > 0) {
    const price = random.chance(60) ? ((random.between(40, 60) * 100) as Price) : null
    const shares = random.between(100, 2_500) as Shares
    await open.engine.submit('amend', {
      operatorId,
      orderSerial: random.pick(orders),
      shares,
      price,
    })
    return
  }
  if (random.chance(2)) {
    const some = Array.from({ length: 5 }, () => random.pick([serial(0), ...orders]))
    await open.engine.submit('cancelMany', { operatorId, orderSerials: some })
    return
  }
  if (random.chance(8)) {
    const kind = random.pick(['MINT', 'REDEEM'] as const)
    await sets(open, market, { operatorId, playerId, kind, shares: random.between(100, 777) })
    return
  }
  const result = await open.place(market, {
    operatorId,
    playerId,
    outcomeSerial: random.pick(market.outcomes),
    side: random.pick(['BUY', 'SELL']),
    type: random.chance(80) ? 'LIMIT' : 'MARKET',
    shares: random.between(100, 2_500) as Shares,
    price: (random.between(40, 60) * 100) as Price,
    expiresAt: random.chance(20) ? open.time.now + random.between(1, 400) : null,
    transactionId: random.chance(40) ? `bet-${random.between(0, 1_000_000)}` : null,
    options: random.chance(30) ? packOptions(anyOptions(random)) : 0,
  })
  if (result.isAccepted) orders.push(open.engine.ids.serialOf(result.answer.order.id)!)
}

function anyOptions(random: Random): OrderOptions {
  const selfTradePrevention = random.pick(selfTradePreventions)
  const timeInForce = random.pick(timesInForce)
  return { timeInForce, isPostOnly: random.chance(20), selfTradePrevention }
}

type SetsRequest = {
  readonly operatorId: string
  readonly playerId: string
  readonly kind?: 'MINT' | 'REDEEM'
  readonly shares?: number
}

function sets(open: EngineFixture, market: OpenMarket, request: SetsRequest) {
  const { operatorId, playerId, kind = 'MINT', shares = 20_001 } = request
  const transactionId = `${kind}-${market.id}-${operatorId}-${playerId}-${open.time.now}-${shares}`
  return open.engine.submit('changeSets', {
    operatorId,
    playerId,
    kind,
    marketSerial: market.id,
    shares: shares as Shares,
    transactionId,
  })
}

type ManageChange = { action: 'open' | 'close' } | { action: 'cancel'; reason: string }

async function manage(
  open: EngineFixture,
  { id }: OpenMarket,
  change: ManageChange,
): Promise<void> {
  answerOf(
    await open.engine.submit('manage', {
      operatorId: firstOperatorId,
      marketSerial: id,
      ...change,
    }),
  )
}

async function settle(open: EngineFixture, market: OpenMarket): Promise<void> {
  const { engine, store } = open
  await manage(open, market, { action: 'close' })
  const command = { operatorId: firstOperatorId, marketSerial: market.id }
  const winningOutcomeSerial = market.outcomes[0]!
  const resolution = { winningOutcomeSerial, source: 'the news', notes: null }
  answerOf(await engine.submit('manage', { ...command, action: 'resolve', ...resolution }))
  answerOf(await engine.submit('settle', command))
  const query = {
    operatorNumber: 1,
    marketSerial: market.id,
    playerId: null,
    after: null,
    limit: 1,
  }
  const { rows } = await onlyShard(store).reads.settlements(query)
  const settlementSerial = rows[0]!.serial
  const acknowledgement = {
    transactionId: 'pay-1',
    status: 'FAILED',
    errorMessage: 'Closed.',
  } as const
  answerOf(
    await engine.submit('acknowledge', {
      operatorId: firstOperatorId,
      settlementSerial,
      ...acknowledgement,
    }),
  )
}

// Some orders of each side stay open, one of them partly filled.
async function leaveOrders(open: EngineFixture, market: OpenMarket): Promise<void> {
  for (const outcomeSerial of market.outcomes) {
    answerOf(await open.place(market, { outcomeSerial, price: 3_000 as Price }))
    const offer = { outcomeSerial, playerId: 'alice', side: 'SELL', shares: 100 as Shares } as const
    answerOf(await open.place(market, { ...offer, price: 7_000 as Price }))
    answerOf(
      await open.place(market, { ...offer, operatorId: otherOperatorId, price: 7_100 as Price }),
    )
  }
}

// Orders by amount: one that is filled, one that takes all there is, and one that takes nothing.
async function buyByAmount(open: EngineFixture, market: OpenMarket): Promise<void> {
  const offer = { playerId: 'alice', side: 'SELL', shares: 150 as Shares } as const
  answerOf(await open.place(market, { ...offer, price: 6_543 as Price }))
  const options = packOptions({ ...usualOptions, timeInForce: 'IOC' })
  const order = { playerId: 'carol', shares: 0 as Shares, options }
  const statuses: string[] = []
  for (const [amount, price] of [
    [345_678, 6_543],
    [900_000_000, 6_543],
    [1_000_000, 100],
  ] as const) {
    const result = await open.place(market, { ...order, amount, price: price as Price })
    statuses.push(result.isAccepted ? result.answer.order.status : result.reject.code)
  }
  assert.deepEqual(statuses, ['FILLED', 'CANCELLED', 'ORDER_NO_LIQUIDITY'])
}
