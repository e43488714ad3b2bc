// Saves a shard to plain records, in an order that does not depend on its history, and hashes them:
// two shards in the same state have the same hash.

import { positionsOf } from '../book/holdings.ts'
import { openOrders } from '../book/queue.ts'
import { Hash } from '../memory/hash.ts'
import type { OrderRow, PositionRow } from '../memory/memory.ts'
import { never } from '../memory/orders.ts'
import { type ControlsHolder, recordOf } from '../state/controls.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Book, Market } from '../state/market.ts'
import type { Operator, OrderGroup } from '../state/operator.ts'
import type {
  DeadManRecord,
  MarketRecord,
  OperatorRecord,
  OrderGroupRecord,
  OrderRecord,
  OutcomeRecord,
  PositionRecord,
  Records,
} from './records.ts'

/** Between turns only. */
export function save(exchange: Exchange): Records {
  const { now, lastSerial, commandSequence } = exchange
  const operators = [...exchange.operators].sort((a, b) => (a.id < b.id ? -1 : 1))
  const markets = [...exchange.markets].sort((a, b) => a.serial - b.serial)
  return {
    head: { now, lastSerial, commandSequence },
    operators: operators.map(
      ({ id, supportedCurrencies, feeRate, feeSchedule, eventSequence }): OperatorRecord => ({
        id,
        supportedCurrencies,
        feeRate,
        feeSchedule,
        eventSequence,
      }),
    ),
    deadMen: operators.flatMap(({ deadMen }) => deadManRecords(deadMen)),
    orderGroups: [...exchange.orderGroups.values()]
      .sort((a, b) => a.serial - b.serial)
      .map((group) => groupRecord(group, now)),
    controls: [...exchange.allControls]
      .map(recordOf)
      .sort((a, b) => (keyOf(a.holder) < keyOf(b.holder) ? -1 : 1)),
    markets: markets.map(marketRecord),
    positions: markets
      .flatMap((market) => [...positionsOf(exchange, market)])
      .map((position) => positionRecord(exchange, position))
      .sort((a, b) => a.serial - b.serial),
    orders: [...exchange.books]
      .flatMap((book) => [...openOrders(exchange, book)])
      .map((order) => orderRecord(exchange, order))
      .sort((a, b) => a.queueSerial - b.queueSerial),
  }
}

export function hashOf(exchange: Exchange): string {
  const hash = new Hash()
  const { head, ...lists } = save(exchange)
  addTo(hash, head)
  for (const records of Object.values(lists)) {
    for (const record of records) addTo(hash, record)
    hash.add('end')
  }
  return hash.text
}

function deadManRecords(deadMen: Operator['deadMen']): DeadManRecord[] {
  const records = [...(deadMen?.values() ?? [])].map(
    ({ operator, playerId, state, timeoutMs, deadline, cancelUpTo }): DeadManRecord => ({
      operatorId: operator.id,
      playerId,
      state,
      timeoutMs,
      deadline,
      cancelUpTo,
    }),
  )
  return records.sort((a, b) => ((a.playerId ?? '') < (b.playerId ?? '') ? -1 : 1))
}

function groupRecord(group: OrderGroup, now: number): OrderGroupRecord {
  const { serial, createdAt, operator, playerId, limitShares, windowMs, status, fills } = group
  return {
    serial,
    createdAt,
    operatorId: operator.id,
    playerId,
    limitShares,
    windowMs,
    status,
    cancelUpTo: group.cancelUpTo,
    generation: fills.generation,
    fills: fills.entriesAt(now).map((entry) => ({ ...entry })),
  }
}

function keyOf(holder: ControlsHolder): string {
  return JSON.stringify(Object.values(holder))
}

type Hashable = string | number | bigint | boolean | null | readonly Hashable[] | object

function addTo(hash: Hash, value: Hashable): void {
  if (value === null || typeof value !== 'object') {
    hash.add(value)
    return
  }
  const parts: readonly Hashable[] = Array.isArray(value) ? value : Object.values(value)
  hash.add(parts.length)
  for (const part of parts) addTo(hash, part)
}

function marketRecord(market: Market): MarketRecord {
  const { job } = market
  return {
    serial: market.serial,
    createdAt: market.createdAt,
    updatedAt: market.updatedAt,
    ownerId: market.owner.id,
    currency: market.currency,
    isShared: market.isShared,
    hasCompleteSetMatching: market.hasCompleteSetMatching,
    feeSchedule: market.feeSchedule,
    priceBand: market.priceBand,
    status: market.status,
    title: market.title,
    categoryId: market.categoryId,
    storedBytes: market.storedBytes,
    tradingStartsAt: market.tradingStartsAt,
    tradingEndsAt: market.tradingEndsAt,
    resolution: market.resolution,
    volume: market.volume.exact,
    tradeCount: market.tradeCount,
    setsMinted: market.setsMinted.exact,
    setsRedeemed: market.setsRedeemed.exact,
    participantIds: market.participants.map(({ id }) => id),
    outcomes: market.books.map(outcomeRecord),
    job: job === null ? null : { ...job, payout: job.payout.exact },
    failedSettlements: [...(market.failedSettlements?.values() ?? [])].sort(
      (a, b) => a.serial - b.serial,
    ),
  }
}

function outcomeRecord(book: Book): OutcomeRecord {
  const { serial, createdAt, name, version, lastPrice } = book
  const volume = book.volume.buckets.map((bucket) => ({ ...bucket }))
  return { serial, createdAt, name, version, lastPrice, volume }
}

function positionRecord(exchange: Exchange, position: PositionRow): PositionRecord {
  const { positions } = exchange
  const player = exchange.players.at(positions.player(position))
  return {
    serial: positions.serial(position),
    createdAt: positions.createdAt(position),
    outcomeSerial: exchange.books.at(positions.book(position)).serial,
    operatorId: player.operator.id,
    playerId: player.id,
    shares: positions.shares(position),
    cost: positions.cost(position),
    profit: positions.profit(position),
  }
}

function orderRecord(exchange: Exchange, order: OrderRow): OrderRecord {
  const { orders } = exchange
  const player = exchange.playerOf(order)
  const expiresAt = orders.expiresAt(order)
  return {
    serial: orders.serial(order),
    createdAt: orders.createdAt(order),
    queueSerial: orders.queueSerial(order),
    outcomeSerial: exchange.bookOf(order).serial,
    operatorId: player.operator.id,
    playerId: player.id,
    side: orders.side(order),
    price: orders.price(order),
    shares: orders.shares(order),
    filled: orders.filled(order),
    cost: orders.cost(order),
    expiresAt: expiresAt === never ? null : expiresAt,
    options: orders.options(order),
    transactionId: orders.transactionId(order),
    groupSerial: orders.groupSerial(order),
  }
}
