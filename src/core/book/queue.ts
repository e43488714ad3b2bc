// Orders that rest: how they enter a book, leave it, and in which order they match. Each change
// writes the fact of the level that it changed.

import type { BookSide } from '../memory/ladders.ts'
import { type LevelRow, none, type OrderRow } from '../memory/memory.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Book } from '../state/market.ts'
import { countOpenOrder } from '../state/order-counts.ts'
import { writeLevel } from './changes.ts'

/** The order that would match first, or none. */
export function bestOrder({ ladders, levels }: Exchange, side: BookSide): OrderRow {
  return side.isEmpty ? none : levels.first(ladders.best(side))
}

/** Every open order of a book: bids then asks, each in the order in which they would match. */
export function* openOrders(exchange: Exchange, book: Book): Generator<OrderRow> {
  for (const side of [book.bids, book.asks]) yield* ordersOf(exchange, side)
}

/** The open orders of one side, in the order in which they would match. */
export function* ordersOf(
  { ladders, levels, orders }: Exchange,
  side: BookSide,
): Generator<OrderRow> {
  for (let depth = 0; depth < side.length; depth += 1) {
    let order = levels.first(ladders.at(side, depth))
    for (; order !== none; order = orders.next(order)) yield order
  }
}

/** Puts an order at the end of the queue at its price, when a shard is loaded. */
export function restore(exchange: Exchange, order: OrderRow): void {
  const book = exchange.bookOf(order)
  enter(exchange, book, sideOf(exchange, book, order), order)
}

/** Puts an order at the end of the queue at its price. */
export function rest(exchange: Exchange, order: OrderRow): void {
  const book = exchange.bookOf(order)
  const side = sideOf(exchange, book, order)
  writeLevel(exchange, side, enter(exchange, book, side, order))
}

function enter(exchange: Exchange, book: Book, side: BookSide, order: OrderRow): LevelRow {
  const { ladders, levels, orders } = exchange
  const price = orders.price(order)
  const found = ladders.find(side, price)
  const level = found === none ? ladders.add(side, price) : found
  levels.append(level, order, orders.remaining(order))
  list(exchange, book, order)
  return level
}

/** Takes an open order out of its book and closes it. */
export function leave(exchange: Exchange, order: OrderRow): void {
  const { orders } = exchange
  const book = exchange.bookOf(order)
  const level = orders.level(order)
  leaveLevel(exchange, book, order)
  finishLevel(exchange, sideOf(exchange, book, order), level)
}

/**
 * Fills shares of an open order of that book, which leaves its level when nothing is left of it.
 * The caller calls `finishLevel` once, after its last fill at that level.
 */
export function fillResting(
  exchange: Exchange,
  book: Book,
  order: OrderRow,
  fill: { readonly shares: number; readonly value: number },
): void {
  const { levels, orders } = exchange
  orders.fill(order, fill.shares, fill.value)
  if (!orders.isSell(order)) countOpenBuy(exchange, order, -fill.shares)
  levels.fill(orders.level(order), fill.shares)
  if (orders.remaining(order) === 0) leaveLevel(exchange, book, order)
}

/** Writes the fact of a level that has changed, and takes it out of its side once it is empty. */
export function finishLevel(exchange: Exchange, side: BookSide, level: LevelRow): void {
  writeLevel(exchange, side, level)
  if (exchange.levels.orderCount(level) === 0) exchange.ladders.remove(side, level)
}

function leaveLevel(exchange: Exchange, book: Book, order: OrderRow): void {
  const { levels, orders } = exchange
  unlist(exchange, book, order)
  levels.remove(orders.level(order), order, orders.remaining(order))
  orders.close(order)
}

/** Puts an order at the place of an old one that has as many shares or more, and closes that. */
export function replace(exchange: Exchange, old: OrderRow, order: OrderRow): void {
  const { levels, orders } = exchange
  const book = exchange.bookOf(order)
  const fewer = orders.remaining(old) - orders.remaining(order)
  unlist(exchange, book, old)
  list(exchange, book, order)
  levels.replace(old, order, fewer)
  if (fewer > 0) writeLevel(exchange, sideOf(exchange, book, order), orders.level(order))
  orders.close(old)
}

// From now on the order can be found by its serial, is counted, and may expire.
function list(exchange: Exchange, book: Book, order: OrderRow): void {
  const { expiries, orders } = exchange
  orders.list(order)
  countOpenOrder(exchange.playerOf(order), book.market, 1)
  if (!orders.isSell(order)) countOpenBuy(exchange, order, orders.remaining(order))
  if (orders.hasExpiry(order)) expiries.add(order, orders.expiresAt(order), orders.serial(order))
  const group = exchange.groupOf(order)
  if (group === null) return
  group.addOrder(book.market.handle, order)
  sideOf(exchange, book, order).groupedOrders += 1
}

function unlist(exchange: Exchange, book: Book, order: OrderRow): void {
  const { expiries, orders } = exchange
  orders.unlist(order)
  countOpenOrder(exchange.playerOf(order), book.market, -1)
  if (!orders.isSell(order)) countOpenBuy(exchange, order, -orders.remaining(order))
  if (orders.hasExpiry(order)) expiries.remove(order)
  const group = exchange.groupOf(order)
  if (group === null) return
  group.removeOrder(book.market.handle, order)
  sideOf(exchange, book, order).groupedOrders -= 1
}

function countOpenBuy(exchange: Exchange, order: OrderRow, shares: number): void {
  const { openBuys } = exchange.playerOf(order)
  if (openBuys === null) return
  const { orders } = exchange
  openBuys.count(orders.book(order), { shares, price: orders.price(order) })
}

function sideOf({ orders }: Exchange, book: Book, order: OrderRow): BookSide {
  return book.sideOf(orders.isSell(order))
}
