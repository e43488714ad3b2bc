// The order book of one outcome: who rests at which price, and what the last trades were.

import { assert } from './assert.ts'
import type { Exchange } from './exchange.ts'
import { BOOK, bookFact, factSizes } from './journal.ts'
import { BookSide, bestPrice, levelAt, levelFor, removeLevel } from './ladders.ts'
import { orderField } from './layout.ts'
import { append, firstOrder, remove } from './levels.ts'
import type { Market } from './market.ts'
import { none } from './memory.ts'
import { Volume } from './volume.ts'

// V8 folds a constant of the module itself, but reads an imported one anew at each use.
const kind = BOOK
const size = factSizes[BOOK]!
const fact = bookFact
const field = orderField

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
export function bestOrder({ memory }: Exchange, side: BookSide): number {
  return side.length === 0 ? -1 : firstOrder(memory, levelAt(memory, side, 0))
}

/** Puts an order at the end of the queue at its price, where it can be found and may expire. */
export function rest(exchange: Exchange, side: BookSide, order: number): void {
  const { journal, memory, orders } = exchange
  const price = memory.words[order + field.price]!
  const level = levelFor(memory, side, side.isBids ? price : -price)
  append(memory, journal, level, order)
  const { reals } = memory
  const serial = reals[(order + field.serial) >> 1]!
  const expiresAt = reals[(order + field.expiresAt) >> 1]!
  orders.list(order, serial)
  if (expiresAt !== Infinity) exchange.expiries.add(order, expiresAt, serial)
}

/** Takes an order out of its book, filled or not. */
export function leave(exchange: Exchange, side: BookSide, order: number): void {
  const { journal, memory, orders } = exchange
  const { reals, words } = memory
  const level = words[order + field.level]!
  if (remove(memory, journal, level, order) === 0) removeLevel(memory, side, level)
  orders.unlist(order, reals[(order + field.serial) >> 1]!)
  if (reals[(order + field.expiresAt) >> 1] !== Infinity) exchange.expiries.remove(order)
}

/** Writes down a book that has changed, when the command is done with it. */
export function writeBook(exchange: Exchange, book: Book): void {
  const { journal, memory } = exchange
  const bestBid = bestPrice(memory, book.bids)
  const bestAsk = bestPrice(memory, book.asks)
  assert(bestAsk === 0 || bestBid < bestAsk, 'a book is never crossed')
  const at = journal.add(kind, size)
  const { facts } = journal
  facts[at + fact.book] = book.handle
  facts[at + fact.bestBid] = bestBid
  facts[at + fact.bestAsk] = bestAsk
  facts[at + fact.lastPrice] = book.lastPrice
}

/** Every open order of a book: bids then asks, each in the order in which they would match. */
export function* openOrders(exchange: Exchange, book: Book): Generator<number> {
  const { memory, orders } = exchange
  for (const side of [book.bids, book.asks]) {
    for (let depth = 0; depth < side.length; depth += 1) {
      let order = firstOrder(memory, levelAt(memory, side, depth))
      for (; order !== none; order = orders.next(order)) yield order
    }
  }
}
