// The order book of one outcome: who rests at which price, and what the last trades were.

import { assert } from './assert.ts'
import type { Exchange } from './exchange.ts'
import { BOOK, bookFact } from './journal.ts'
import { BookSide } from './ladders.ts'
import type { Market } from './market.ts'
import { none } from './rows.ts'
import { Volume } from './volume.ts'

// A local name, because V8 folds no imported constants.
const fact = bookFact

/** Stands for "no price". */
export const noPrice = 0

export class Book {
  readonly handle: number
  readonly market: Market
  /** The outcome's own: its place in the market, its serial and public id, its name. */
  readonly index: number
  readonly serial: number
  readonly id: string
  readonly createdAt: number
  readonly name: string
  readonly description: string | null
  readonly bids: BookSide
  readonly asks: BookSide
  lastPrice: number = noPrice
  readonly volume = new Volume()
  /** What was told last: the version grows by one with each command that changes a level. */
  version = 0
  toldBid: number = noPrice
  toldAsk: number = noPrice
  toldPrice: number = noPrice

  constructor(handle: number, market: Market, outcome: NewOutcome & { readonly id: string }) {
    this.handle = handle
    this.id = outcome.id
    this.market = market
    this.index = outcome.index
    this.serial = outcome.serial
    this.createdAt = outcome.createdAt
    this.name = outcome.name
    this.description = outcome.description
    this.bids = new BookSide(handle * 2, handle, true)
    this.asks = new BookSide(handle * 2 + 1, handle, false)
  }
}

export type NewOutcome = {
  readonly index: number
  readonly serial: number
  readonly createdAt: number
  readonly name: string
  readonly description: string | null
}

/** The order that would match first, or -1. */
export function bestOrder(exchange: Exchange, side: BookSide): number {
  const level = exchange.ladders.best(side)
  return level === none ? none : exchange.levels.first(level)
}

/** Puts an order at the end of the queue at its price, where it can be found. */
export function rest(exchange: Exchange, side: BookSide, order: number, price: number): void {
  const level = exchange.ladders.levelFor(side, side.rankOf(price))
  exchange.levels.append(level, order)
  exchange.levels.write(level, exchange.journal)
  exchange.orders.list(order)
}

/** Takes an order out of its book, filled or not. */
export function leave(exchange: Exchange, side: BookSide, order: number): void {
  const { orders, levels } = exchange
  const level = orders.level(order)
  const left = levels.remove(level, order)
  levels.write(level, exchange.journal)
  if (left === 0) exchange.ladders.remove(side, level)
  if (orders.expiresAt(order) !== Infinity) exchange.expiries.remove(order)
  orders.unlist(order)
}

/** Writes down a book that has changed, when the command is done with it. */
export function writeBook(exchange: Exchange, book: Book): void {
  const { journal, ladders } = exchange
  const bestBid = ladders.bestPrice(book.bids)
  const bestAsk = ladders.bestPrice(book.asks)
  assert(bestAsk === 0 || bestBid < bestAsk, 'a book is never crossed')
  const at = journal.add(BOOK)
  const { facts } = journal
  facts[at + fact.book] = book.handle
  facts[at + fact.bestBid] = bestBid
  facts[at + fact.bestAsk] = bestAsk
  facts[at + fact.lastPrice] = book.lastPrice
}

/** Every open order of a book: bids then asks, each in the order in which they would match. */
export function* openOrders(exchange: Exchange, book: Book): Generator<number> {
  for (const side of [book.bids, book.asks]) {
    for (let depth = 0; depth < side.length; depth += 1) {
      const level = exchange.ladders.levelAt(side, depth)
      let order = exchange.levels.first(level)
      for (; order !== none; order = exchange.orders.next(order)) yield order
    }
  }
}
