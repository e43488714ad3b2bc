// Trades as the rows that a store keeps: those between two orders, and the legs of a match by
// complete sets, which have an order on one side only.

import type { Exchange } from '../../core/state/exchange.ts'
import type { FactOf } from '../../core/state/facts.ts'
import { tradeKinds } from '../../core/words.ts'
import { issuer, type Row } from '../../store/store.ts'
import type { NumberOf } from './turn-rows.ts'

export function tradeRow(
  exchange: Exchange,
  trade: FactOf<'TRADE'>,
  numberOf: NumberOf,
): Row<'trade'> {
  const { now, orders } = exchange
  const { incoming, resting } = trade
  const isSellIncoming = orders.isSell(incoming)
  const buy = isSellIncoming ? resting : incoming
  const sell = isSellIncoming ? incoming : resting
  const book = exchange.bookOf(incoming)
  return {
    serial: trade.serial,
    createdAt: now,
    marketSerial: book.market.serial,
    outcomeSerial: book.serial,
    buyOrderSerial: orders.serial(buy),
    buyOrderCreatedAt: orders.createdAt(buy),
    sellOrderSerial: orders.serial(sell),
    sellOrderCreatedAt: orders.createdAt(sell),
    buyerNumber: numberOf(exchange.playerOf(buy).operator),
    sellerNumber: numberOf(exchange.playerOf(sell).operator),
    price: trade.price,
    shares: trade.shares,
    buyerFee: isSellIncoming ? trade.restingFee : trade.incomingFee,
    sellerFee: isSellIncoming ? trade.incomingFee : trade.restingFee,
    isSellIncoming: isSellIncoming ? 1 : 0,
    kind: tradeKinds.indexOf('DIRECT'),
  }
}

/** The other side of a leg is the issuer, which has no order: the match is stored instead. */
export function legRow(exchange: Exchange, leg: FactOf<'LEG'>, numberOf: NumberOf): Row<'trade'> {
  const { now, orders } = exchange
  const { fee, match, order } = leg
  const isMerge = leg.tradeKind === 'MERGE'
  const book = exchange.bookOf(order)
  const operator = numberOf(exchange.playerOf(order).operator)
  return {
    serial: leg.serial,
    createdAt: now,
    marketSerial: book.market.serial,
    outcomeSerial: book.serial,
    buyOrderSerial: isMerge ? match : orders.serial(order),
    buyOrderCreatedAt: isMerge ? now : orders.createdAt(order),
    sellOrderSerial: isMerge ? orders.serial(order) : match,
    sellOrderCreatedAt: isMerge ? orders.createdAt(order) : now,
    buyerNumber: isMerge ? issuer : operator,
    sellerNumber: isMerge ? operator : issuer,
    price: leg.price,
    shares: leg.shares,
    buyerFee: isMerge ? 0 : fee,
    sellerFee: isMerge ? fee : 0,
    isSellIncoming: isMerge ? 1 : 0,
    kind: tradeKinds.indexOf(leg.tradeKind),
  }
}
