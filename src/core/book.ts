// The order book of one outcome: who rests at which price, and what the last trades were.

import * as asserts from './assert.ts'
import type { Exchange } from './exchange.ts'
import { BOOK, bookFact, factSizes } from './journal.ts'
import * as ladders from './ladders.ts'
import * as levels from './levels.ts'
import type { Market } from './market.ts'
import { none } from './memory.ts'
import * as counts from './order-counts.ts'
import { Volume } from './volume.ts'

// V8 folds what the module itself declares, but reads an import anew at each use.
const { fail } = asserts
const { addLevel, findLevel, removeLevel } = ladders
const { append, remove } = levels
const { countClosed, countOpened } = counts
const kind = BOOK
const size = factSizes[BOOK]!
const fact = bookFact

/** Stands for "no price". */
export const noPrice = 0

export class Book {
  readonly handle: number = 0
  readonly market: Market
  /** The outcome's own: its place in the market, its serial and public id, its name. */
  readonly index: number
  readonly serial: number = 0
  readonly id: string
  readonly createdAt: number
  readonly name: string
  readonly description: string | null
  readonly bids: ladders.BookSide
  readonly asks: ladders.BookSide
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
    this.bids = new ladders.BookSide(handle * 2)
    this.asks = new ladders.BookSide(handle * 2 + 1)
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
export function bestOrder({ memory }: Exchange, side: ladders.BookSide): number {
  return side.length === 0 ? -1 : levels.firstOrder(memory, ladders.levelAt(memory, side, 0))
}

/** An order with what remains of it. */
type Resting = {
  readonly order: number
  readonly serial: number
  readonly price: number
  readonly shares: number
}

/** Puts an order at the end of the queue at its price, and writes its book down. */
export function rest(exchange: Exchange, book: Book, isSell: boolean, resting: Resting): void {
  const side = isSell ? book.asks : book.bids
  const level = findLevel(exchange, side, side.rankOf(resting.price))
  // Not merged behind it, so that V8 keeps what it knows on the path of a level that is there.
  if (level >= 0) {
    queue(exchange, side, resting, level)
    write(exchange, book)
  } else {
    restAnew(exchange, side, resting)
    write(exchange, book)
  }
}

/** Puts an order back where it stood: behind those that were put back before it. */
export function restAgain(exchange: Exchange, side: ladders.BookSide, resting: Resting): void {
  const level = findLevel(exchange, side, side.rankOf(resting.price))
  if (level >= 0) queue(exchange, side, resting, level)
  else restAnew(exchange, side, resting)
}

// At a price where nothing rests.
const restAnew = (exchange: Exchange, side: ladders.BookSide, resting: Resting): void => {
  queue(exchange, side, resting, addLevel(exchange, side, side.rankOf(resting.price)))
}

// From now on the order can be found and may expire.
const queue = (
  exchange: Exchange,
  side: ladders.BookSide,
  { order, serial, shares }: Resting,
  level: number,
): void => {
  const { journal, memory, orders } = exchange
  orders.list(order, serial)
  countOpened(exchange, order)
  append(memory, journal, { side: side.handle, level, order, shares })
  if (orders.hasExpiry(order)) {
    exchange.expiries.add(order, orders.expiresAt(order), serial)
  }
}

/** Takes an order with that many shares left out of its book. */
export function leave(
  exchange: Exchange,
  side: ladders.BookSide,
  order: number,
  shares: number,
): void {
  const { journal, memory } = exchange
  unlist(exchange, order)
  const level = exchange.orders.level(order)
  const ordersLeft = remove(memory, journal, { side: side.handle, level, order, shares })
  if (ordersLeft === 0) removeLevel(exchange, side, level)
  exchange.orders.close(order)
}

/** Puts an order where another one rests, with that many shares fewer; the other is closed. */
export function replace(
  exchange: Exchange,
  side: ladders.BookSide,
  was: number,
  { order, serial, shares }: Resting,
): void {
  const { journal, memory, orders } = exchange
  const level = orders.level(was)
  unlist(exchange, was)
  orders.list(order, serial)
  countOpened(exchange, order)
  levels.replace(memory, journal, { side: side.handle, level, order, shares }, was)
  if (orders.hasExpiry(order)) {
    exchange.expiries.add(order, orders.expiresAt(order), serial)
  }
  orders.close(was)
}

/** From now on an order can neither be found nor expire; out of its level, it is to be closed. */
export const delist = (exchange: Exchange, order: number): void => unlist(exchange, order)

const unlist = (exchange: Exchange, order: number): void => {
  const { expiries, orders } = exchange
  orders.unlist(order)
  countClosed(exchange, order)
  if (orders.hasExpiry(order)) expiries.remove(order)
}

/** Writes down a book that has changed, when the command is done with it. */
export const writeBook = (exchange: Exchange, book: Book): void => write(exchange, book)

const write = (exchange: Exchange, book: Book): void => {
  const { journal } = exchange
  const bestBid = book.bids.bestPrice
  const bestAsk = book.asks.bestPrice
  if (bestAsk !== 0 && bestBid >= bestAsk) fail('a book is never crossed')
  const at = journal.addReady(kind, size)
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
      let order = levels.firstOrder(memory, ladders.levelAt(memory, side, depth))
      for (; order !== none; order = orders.next(order)) yield order
    }
  }
}
