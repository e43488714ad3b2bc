// Closing an open order before it is filled: on request, by expiry, or with its market.

import * as books from '../book/book.ts'
import type { Reject } from '../reject.ts'
import type { Exchange } from '../state/exchange.ts'
import { closedFact, factSizes, type Journal, ORDER_CLOSED } from '../state/journal.ts'
import type { Operator } from '../state/operator.ts'
import * as words from '../words.ts'

// V8 folds what the module itself declares, but reads an import anew at each use.
const { leave, writeBook } = books
const { BY_EXPIRY, BY_REQUEST, CANCELLED, EXPIRED } = words
const kind = ORDER_CLOSED
const size = factSizes[ORDER_CLOSED]!
const fact = closedFact

/**
 * Cancels an open order. A closed one is not known here: whoever finds it in the store answers
 * ORDER_CANNOT_CANCEL instead.
 */
export function cancel(exchange: Exchange, operator: Operator, serial: number): Reject | null {
  const { orders, players } = exchange
  const order = orders.find(serial)
  if (order < 0 || players.at(orders.player(order)).operator !== operator) {
    return { code: 'ORDER_NOT_FOUND' }
  }

  exchange.begin()
  writeBook(exchange, close(exchange, order, BY_REQUEST))
  return null
}

/** Takes an open order out of its book and gives back what it had reserved; says which book. */
export const closeOrder = (exchange: Exchange, order: number, reason: number): books.Book =>
  close(exchange, order, reason)

const close = (exchange: Exchange, order: number, reason: number): books.Book => {
  const { orders } = exchange
  const book = exchange.books.at(orders.book(order))
  const remaining = orders.remaining(order)
  const isSell = orders.isSell(order)
  write(exchange.journal, order, reason === BY_EXPIRY ? EXPIRED : CANCELLED, reason)
  if (isSell) exchange.positions.reserve(orders.position(order), -remaining)
  leave(exchange, isSell ? book.asks : book.bids, order, remaining)
  return book
}

export const writeClosed = (journal: Journal, order: number, status: number, reason: number) =>
  write(journal, order, status, reason)

const write = (journal: Journal, order: number, status: number, reason: number): void => {
  const at = journal.addReady(kind, size)
  const { facts } = journal
  facts[at + fact.order] = order
  facts[at + fact.status] = status
  facts[at + fact.reason] = reason
}
