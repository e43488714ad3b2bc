// Loads a shard from plain records, into an exchange that is new or was cleared because a turn
// could not be stored.

import { assert } from '../assert.ts'
import { positionOf } from '../book/holdings.ts'
import { restore } from '../book/queue.ts'
import { scheduleRelease } from '../controls/change-controls.ts'
import { keepOpenBuys } from '../controls/keep-open-buys.ts'
import { scheduleOpening } from '../markets/schedule.ts'
import { none } from '../memory/memory.ts'
import { Sum } from '../memory/sum.ts'
import { scheduleDeadline } from '../orders/dead-man.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Market } from '../state/market.ts'
import { countMarket } from '../state/market-counts.ts'
import type { Operator } from '../state/operator.ts'
import type {
  ControlsRecord,
  DeadManRecord,
  MarketRecord,
  OrderGroupRecord,
  OrderRecord,
  PositionRecord,
  Records,
} from './records.ts'

export function load(exchange: Exchange, records: Records): void {
  assert(exchange.operators.size === 0, 'only an empty exchange is loaded')
  for (const { eventSequence, ...settings } of records.operators) {
    exchange.putOperator(settings).eventSequence = eventSequence
  }
  for (const deadMan of records.deadMen) loadDeadMan(exchange, deadMan)
  for (const group of records.orderGroups) loadOrderGroup(exchange, group)
  for (const record of records.controls) loadControls(exchange, record)
  for (const { holder } of exchange.allControls) keepOpenBuys(exchange, holder)
  for (const market of records.markets) loadMarket(exchange, market)
  for (const position of records.positions) loadPosition(exchange, position)
  for (const order of records.orders) loadOrder(exchange, order)
  for (const market of exchange.markets) findNextToSettle(exchange, market)
  for (const book of exchange.books) {
    book.publishedBid = book.bids.bestPrice
    book.publishedAsk = book.asks.bestPrice
  }
  exchange.now = records.head.now
  exchange.lastSerial = records.head.lastSerial
  exchange.commandSequence = records.head.commandSequence
  exchange.endTurn()
}

function loadDeadMan(exchange: Exchange, record: DeadManRecord): void {
  const deadMan = exchange.deadMan(operatorOf(exchange, record.operatorId), record.playerId)
  assert(deadMan.timeoutMs === 0, 'a dead-man switch is loaded once')
  deadMan.state = record.state
  deadMan.timeoutMs = record.timeoutMs
  deadMan.deadline = record.deadline
  deadMan.cancelUpTo = record.cancelUpTo
  if (deadMan.cancelUpTo > 0) exchange.cancelling.add(deadMan)
  scheduleDeadline(exchange, deadMan)
}

function loadOrderGroup(exchange: Exchange, record: OrderGroupRecord): void {
  const { cancelUpTo, fills, generation, operatorId, status } = record
  const group = exchange.addOrderGroup({ ...record, operator: operatorOf(exchange, operatorId) })
  group.status = status
  group.cancelUpTo = cancelUpTo
  group.fills.restore(generation, fills)
  if (cancelUpTo > 0) exchange.cancellingGroups.add(group)
  if (status === 'DELETED') exchange.unlistOrderGroup(group)
}

function loadControls(exchange: Exchange, record: ControlsRecord): void {
  const { changedAt, holder, sweptOrders, terms, audienceIds, version } = record
  const controls = exchange.controlsOf(holder)
  Object.assign(controls, { terms, changedAt, version, audienceIds })
  controls.sweep = sweptOrders === null ? null : { cancelled: sweptOrders, left: null }
  scheduleRelease(exchange, controls)
}

/** Without its positions and orders. */
export function loadMarket(exchange: Exchange, record: MarketRecord): Market {
  const market = exchange.addMarket({ ...record, owner: operatorOf(exchange, record.ownerId) })
  market.status = record.status
  market.updatedAt = record.updatedAt
  market.resolution = record.resolution
  market.volume.set(record.volume)
  market.tradeCount = record.tradeCount
  market.setsMinted.set(record.setsMinted)
  market.setsRedeemed.set(record.setsRedeemed)
  market.setsOutstanding = Number(record.setsMinted - record.setsRedeemed)
  for (const id of record.participantIds) market.participants.push(operatorOf(exchange, id))
  for (const [index, outcome] of record.outcomes.entries()) {
    const book = exchange.addBook(market, { ...outcome, index })
    book.version = outcome.version
    book.lastPrice = outcome.lastPrice
    book.publishedPrice = outcome.lastPrice
    book.volume.restore(outcome.volume)
  }
  if (record.job !== null) {
    const payout = new Sum()
    payout.set(record.job.payout)
    market.job = { ...record.job, payout }
  }
  for (const failed of record.failedSettlements) {
    market.failedSettlements ??= new Map()
    market.failedSettlements.set(failed.serial, failed)
  }
  if (!market.hasEnded) countMarket(market, 1)
  scheduleOpening(exchange, market)
  return market
}

function loadPosition(exchange: Exchange, record: PositionRecord): void {
  const { positions } = exchange
  const book = exchange.book(record.outcomeSerial)
  assert(book !== undefined, 'a position is of a loaded market')
  const player = exchange.player(operatorOf(exchange, record.operatorId), record.playerId)
  // A new position gets the next serial and the present time: set both to its own.
  exchange.lastSerial = record.serial - 1
  exchange.now = record.createdAt
  const position = positionOf(exchange, book, player)
  assert(positions.serial(position) === record.serial, 'a position is loaded once')
  positions.restore(position, record)
}

function loadOrder(exchange: Exchange, record: OrderRecord): void {
  const { orders, positions } = exchange
  const book = exchange.book(record.outcomeSerial)
  assert(book !== undefined, 'an open order is of a loaded market')
  const player = exchange.player(operatorOf(exchange, record.operatorId), record.playerId)
  const isSell = record.side === 'SELL'
  const position = positions.find(book.handle, player.handle)
  const isKnown = record.groupSerial === null || exchange.orderGroups.has(record.groupSerial)
  assert(isKnown, 'an order is in a loaded order group')
  const order = orders.add({
    serial: record.serial,
    createdAt: record.createdAt,
    side: book.sideOf(isSell).handle,
    player: player.handle,
    position,
    price: record.price,
    shares: record.shares,
    filled: record.filled,
    cost: record.cost,
    transactionId: record.transactionId,
    expiresAt: record.expiresAt,
    options: record.options,
    queueSerial: record.queueSerial === record.serial ? null : record.queueSerial,
    groupSerial: record.groupSerial,
  })
  if (isSell) positions.reserve(position, orders.remaining(order))
  restore(exchange, order)
}

// The first position behind the last one that was settled.
function findNextToSettle(exchange: Exchange, market: Market): void {
  const { positions } = exchange
  const { job } = market
  if (job === null || job.kind !== 'SETTLE' || job.phase === 'DONE') return
  let position = market.firstPosition
  while (position !== none && positions.serial(position) <= job.lastPosition) {
    position = positions.next(position)
  }
  market.nextToSettle = position
}

function operatorOf(exchange: Exchange, id: string): Operator {
  const operator = exchange.operator(id)
  assert(operator !== undefined, 'every record names a loaded operator')
  return operator
}
