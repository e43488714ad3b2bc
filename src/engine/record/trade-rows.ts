// Trades as the rows that a store keeps: those between two orders, and the legs of a match by
// complete sets, which have an order on one side only.

import type { Exchange } from '../../core/state/exchange.ts'
import { legFact, tradeFact } from '../../core/state/journal.ts'
import { DIRECT, MERGE } from '../../core/words.ts'
import { issuer, type Row } from '../../store/store.ts'
import type { NumberOf } from './turn-rows.ts'

/** The trade whose fact stands there. */
export function tradeRow(exchange: Exchange, at: number, numberOf: NumberOf): Row<'trade'> {
  const { books, journal, now, orders, players } = exchange
  const { facts } = journal
  const incoming = facts[at + tradeFact.incoming]!
  const resting = facts[at + tradeFact.resting]!
  const isSellIncoming = orders.isSell(incoming)
  const buy = isSellIncoming ? resting : incoming
  const sell = isSellIncoming ? incoming : resting
  const incomingFee = facts[at + tradeFact.incomingFee]!
  const restingFee = facts[at + tradeFact.restingFee]!
  const book = books.at(orders.book(incoming))
  return {
    serial: facts[at + tradeFact.serial]!,
    createdAt: now,
    marketSerial: book.market.serial,
    outcomeSerial: book.serial,
    buyOrderSerial: orders.serial(buy),
    buyOrderCreatedAt: orders.createdAt(buy),
    sellOrderSerial: orders.serial(sell),
    sellOrderCreatedAt: orders.createdAt(sell),
    buyerNumber: numberOf(players.at(orders.player(buy)).operator),
    sellerNumber: numberOf(players.at(orders.player(sell)).operator),
    price: facts[at + tradeFact.price]!,
    shares: facts[at + tradeFact.shares]!,
    buyerFee: isSellIncoming ? restingFee : incomingFee,
    sellerFee: isSellIncoming ? incomingFee : restingFee,
    isSellIncoming: isSellIncoming ? 1 : 0,
    kind: DIRECT,
  }
}

/** The leg whose fact stands there. The match stands in for the order that the issuer has not. */
export function legRow(exchange: Exchange, at: number, numberOf: NumberOf): Row<'trade'> {
  const { books, journal, now, orders, players } = exchange
  const { facts } = journal
  const order = facts[at + legFact.order]!
  const match = facts[at + legFact.match]!
  const fee = facts[at + legFact.fee]!
  const kind = facts[at + legFact.kind]!
  const isMerge = kind === MERGE
  const book = books.at(orders.book(order))
  const operator = numberOf(players.at(orders.player(order)).operator)
  return {
    serial: facts[at + legFact.serial]!,
    createdAt: now,
    marketSerial: book.market.serial,
    outcomeSerial: book.serial,
    buyOrderSerial: isMerge ? match : orders.serial(order),
    buyOrderCreatedAt: isMerge ? now : orders.createdAt(order),
    sellOrderSerial: isMerge ? orders.serial(order) : match,
    sellOrderCreatedAt: isMerge ? orders.createdAt(order) : now,
    buyerNumber: isMerge ? issuer : operator,
    sellerNumber: isMerge ? operator : issuer,
    price: facts[at + legFact.price]!,
    shares: facts[at + legFact.shares]!,
    buyerFee: isMerge ? 0 : fee,
    sellerFee: isMerge ? fee : 0,
    isSellIncoming: isMerge ? 1 : 0,
    kind,
  }
}
