// The order book of one outcome: who rests at which price, and what the last trades were.

import * as asserts from '../assert.ts'
import * as ladders from '../memory/ladders.ts'
import * as levels from '../memory/levels.ts'
import { none } from '../memory/memory.ts'
import { Volume } from '../memory/volume.ts'
import type { Exchange } from '../state/exchange.ts'
import { BOOK, bookFact, factSizes } from '../state/journal.ts'
import type { Market } from '../state/market.ts'
import * as counts from '../state/order-counts.ts'

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
  publishedBid: number = noPrice
  publishedAsk: number = noPrice
  publishedPrice: number = noPrice

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

/** Puts the incoming order at the end of the queue at its price, and writes its book down. */
export function rest(exchange: Exchange, book: Book): void {
  queue(exchange, book)
  write(exchange, book)
}

/** Puts it back where it stood: behind those that were put back before it. */
export const restAgain = (exchange: Exchange, book: Book): void => queue(exchange, book)

const queue = (exchange: Exchange, book: Book): void => {
  const { incoming } = exchange
  const side = incoming.isSell ? book.asks : book.bids
  const rank = side.rankOf(incoming.limit)
  const found = findLevel(exchange, side, rank)
  const level = found >= 0 ? found : addLevel(exchange, side, rank)
  list(exchange, incoming.order, incoming.serial)
  append(exchange, level, incoming.order, incoming.remaining)
}

// From now on the order can be found and may expire.
const list = (exchange: Exchange, order: number, serial: number): void => {
  const { orders } = exchange
  orders.list(order, serial)
  countOpened(exchange, order)
  if (orders.hasExpiry(order)) exchange.expiries.add(order, orders.expiresAt(order), serial)
}

/** Takes an order with that many shares left out of its book. */
export function leave(
  exchange: Exchange,
  side: ladders.BookSide,
  order: number,
  shares: number,
): void {
  const level = exchange.orders.level(order)
  unlist(exchange, order)
  const ordersLeft = remove(exchange, level, order, shares)
  if (ordersLeft === 0) removeLevel(exchange, side, level)
  exchange.orders.close(order)
}

/** Puts an order where another one rests, with that many shares fewer; the other is closed. */
export function replace(exchange: Exchange, was: number, order: number, fewer: number): void {
  unlist(exchange, was)
  list(exchange, order, exchange.orders.serial(order))
  levels.replace(exchange, was, order, fewer)
  exchange.orders.close(was)
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
