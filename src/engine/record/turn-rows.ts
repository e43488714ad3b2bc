// Single records of a turn as the rows that a store keeps.

import type { OrderRow, PositionRow } from '../../core/memory/memory.ts'
import { never } from '../../core/memory/orders.ts'
import type { Exchange } from '../../core/state/exchange.ts'
import type { FactOf } from '../../core/state/facts.ts'
import { orderGroupStatuses } from '../../core/state/fill-window.ts'
import type { Market, ResolutionText, StoredText } from '../../core/state/market.ts'
import {
  type DeadMan,
  deadManStates,
  type Operator,
  type OrderGroup,
} from '../../core/state/operator.ts'
import { marketStatuses, settlementStatuses } from '../../core/words.ts'
import type { Row } from '../../store/store.ts'

/** The number that stands for an operator in rows. */
export type NumberOf = (operator: Operator) => number

/** An order of this turn, as it is at the end of the turn. */
export function newOrderRow(
  exchange: Exchange,
  order: OrderRow,
  numberOf: NumberOf,
): Omit<Row<'newOrder'>, 'status' | 'fingerprint'> {
  const { now, orders } = exchange
  const book = exchange.bookOf(order)
  const player = exchange.playerOf(order)
  const expiresAt = orders.expiresAt(order)
  return {
    serial: orders.serial(order),
    createdAt: orders.createdAt(order),
    updatedAt: now,
    queueSerial: orders.queueSerial(order),
    marketSerial: book.market.serial,
    outcomeSerial: book.serial,
    operatorNumber: numberOf(player.operator),
    playerId: player.id,
    isSell: orders.isSell(order) ? 1 : 0,
    shares: orders.shares(order),
    price: orders.price(order),
    filled: orders.filled(order),
    cost: orders.cost(order),
    expiresAt: expiresAt === never ? 0 : expiresAt,
    options: orders.options(order),
    transactionId: orders.transactionId(order),
  }
}

export function setsRow(
  { now }: Exchange,
  { serial, market, player, change, shares, transactionId }: FactOf<'SETS'>,
  numberOf: NumberOf,
): Omit<Row<'sets'>, 'fingerprint'> {
  return {
    serial,
    createdAt: now,
    marketSerial: market.serial,
    operatorNumber: numberOf(player.operator),
    playerId: player.id,
    isRedeem: change === 'REDEEM' ? 1 : 0,
    shares,
    transactionId,
  }
}

export function settlementRow(
  { now }: Exchange,
  settlement: FactOf<'SETTLEMENT'>,
  numberOf: NumberOf,
): Row<'settlement'> {
  const { book, player } = settlement
  return {
    serial: settlement.serial,
    createdAt: settlement.createdAt,
    updatedAt: now,
    positionSerial: settlement.positionSerial,
    positionCreatedAt: settlement.positionCreatedAt,
    marketSerial: book.market.serial,
    outcomeSerial: book.serial,
    operatorNumber: numberOf(player.operator),
    playerId: player.id,
    shares: settlement.shares,
    payoutPerShare: settlement.payoutPerShare,
    status: settlementStatuses.indexOf(settlement.status),
  }
}

export function positionRow(
  exchange: Exchange,
  position: PositionRow,
  numberOf: NumberOf,
): Omit<Row<'position'>, 'updatedAt'> {
  const { books, players, positions } = exchange
  const book = books.at(positions.book(position))
  const player = players.at(positions.player(position))
  return {
    serial: positions.serial(position),
    createdAt: positions.createdAt(position),
    marketSerial: book.market.serial,
    outcomeSerial: book.serial,
    operatorNumber: numberOf(player.operator),
    playerId: player.id,
    shares: positions.shares(position),
    reserved: positions.reserved(position),
    cost: positions.cost(position),
    profit: positions.profit(position),
  }
}

export function deadManRow(deadMan: DeadMan, numberOf: NumberOf): Row<'deadMan'> {
  const { operator, playerId, timeoutMs, deadline, state, cancelUpTo } = deadMan
  return {
    operatorNumber: numberOf(operator),
    playerId: playerId ?? '',
    timeoutMs,
    deadline,
    state: deadManStates.indexOf(state),
    cancelUpTo,
  }
}

export function groupRow(group: OrderGroup, numberOf: NumberOf): Row<'orderGroup'> {
  const { serial, createdAt, operator, playerId, limitShares, windowMs } = group
  return {
    serial,
    createdAt,
    operatorNumber: numberOf(operator),
    playerId,
    limitShares,
    windowMs,
    status: orderGroupStatuses.indexOf(group.status),
    generation: group.fills.generation,
    cancelUpTo: group.cancelUpTo,
  }
}

/** What the turn has added to its window; null where the window was emptied after that. */
export function groupFillRow(
  { serial, fills }: OrderGroup,
  now: number,
): Row<'orderGroupFill'> | null {
  const entry = fills.entryOf(now)
  if (entry === null) return null
  const { slot, shares } = entry
  return { groupSerial: serial, slot, generation: fills.generation, filledAt: now, shares }
}

/** What a turn states about a market and the memory does not have; null keeps what is stored. */
type Stated = { readonly text: StoredText | null; readonly resolution: ResolutionText | null }

export function marketRow(
  market: Market,
  { text, resolution }: Stated,
  numberOf: NumberOf,
): Row<'market'> {
  return {
    serial: market.serial,
    createdAt: market.createdAt,
    updatedAt: market.updatedAt,
    ownerNumber: numberOf(market.owner),
    currency: market.currency,
    isShared: market.isShared ? 1 : 0,
    hasCompleteSetMatching: market.hasCompleteSetMatching ? 1 : 0,
    status: marketStatuses.indexOf(market.status),
    title: market.title,
    description: text?.description ?? null,
    imageUrl: text?.imageUrl ?? null,
    categoryId: market.categoryId,
    metadata: text?.metadata ?? null,
    tradingStartsAt: market.tradingStartsAt ?? 0,
    tradingEndsAt: market.tradingEndsAt ?? 0,
    resolution:
      resolution === null ? null : JSON.stringify({ ...market.resolution, ...resolution }),
  }
}
