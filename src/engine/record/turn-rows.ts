// Single records of a turn as the rows that a store keeps.

import { never } from '../../core/memory/orders.ts'
import type { Exchange } from '../../core/state/exchange.ts'
import { setsFact, settlementFact } from '../../core/state/journal.ts'
import type { Market } from '../../core/state/market.ts'
import type { Operator } from '../../core/state/operator.ts'
import { marketStatuses } from '../../core/words.ts'
import type { Row } from '../../store/store.ts'

/** What rows call an operator by. */
export type NumberOf = (operator: Operator) => number

/** An order of this turn, as it stands at its end. */
export function newOrderRow(
  exchange: Exchange,
  order: number,
  numberOf: NumberOf,
): Omit<Row<'newOrder'>, 'status' | 'fingerprint'> {
  const { books, now, orders, players } = exchange
  const book = books.at(orders.book(order))
  const player = players.at(orders.player(order))
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

/** The mint or redemption whose fact stands there. */
export function setsRow(
  exchange: Exchange,
  at: number,
  numberOf: NumberOf,
): Omit<Row<'sets'>, 'fingerprint'> {
  const { journal, markets, now, players } = exchange
  const { facts } = journal
  const player = players.at(facts[at + setsFact.player]!)
  return {
    serial: facts[at + setsFact.serial]!,
    createdAt: now,
    marketSerial: markets.at(facts[at + setsFact.market]!).serial,
    operatorNumber: numberOf(player.operator),
    playerId: player.id,
    isRedeem: facts[at + setsFact.isRedeem]!,
    shares: facts[at + setsFact.shares]!,
    transactionId: journal.textAt(facts[at + setsFact.transactionId]!),
  }
}

export function settlementRow(
  exchange: Exchange,
  at: number,
  numberOf: NumberOf,
): Row<'settlement'> {
  const { books, journal, now, players } = exchange
  const field = (place: number) => journal.facts[at + place]!
  const book = books.at(field(settlementFact.book))
  const player = players.at(field(settlementFact.player))
  return {
    serial: field(settlementFact.serial),
    createdAt: field(settlementFact.createdAt),
    updatedAt: now,
    positionSerial: field(settlementFact.positionSerial),
    positionCreatedAt: field(settlementFact.positionCreatedAt),
    marketSerial: book.market.serial,
    outcomeSerial: book.serial,
    operatorNumber: numberOf(player.operator),
    playerId: player.id,
    shares: field(settlementFact.shares),
    payoutPerShare: field(settlementFact.payoutPerShare),
    status: field(settlementFact.status),
  }
}

export function positionRow(
  exchange: Exchange,
  position: number,
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

export function marketRow(market: Market, numberOf: NumberOf): Row<'market'> {
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
    description: market.description,
    imageUrl: market.imageUrl,
    categoryId: market.categoryId,
    metadata: market.metadata,
    tradingStartsAt: market.tradingStartsAt ?? 0,
    tradingEndsAt: market.tradingEndsAt ?? 0,
    resolution: market.resolution === null ? null : JSON.stringify(market.resolution),
  }
}
