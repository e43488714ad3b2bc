// The price levels of all books: the orders that rest at one price, first come first, as a list
// linked through their rows. A level counts its orders and sums what remains of their shares.

import { type LevelRow, type Memory, none, type OrderRow, Table } from './memory.ts'
import type { Orders } from './orders.ts'
import type { SideHandle } from './slots.ts'

// Where the fields of a row are, in words from its start.
const field = {
  /** A real. */
  shares: 0,
  /** Words. */
  first: 2,
  last: 3,
  orderCount: 4,
  rank: 5,
  side: 6,
} as const
const width = 8

export class Levels extends Table {
  private readonly orders: Orders

  constructor(memory: Memory, orders: Orders) {
    super(memory)
    this.orders = orders
  }

  /** A level without orders. Its rank is its price as its side ranks it. */
  add(side: SideHandle, rank: number): LevelRow {
    const level = this.memory.allocate(width) as LevelRow
    const { reals, words } = this
    reals[(level + field.shares) >> 1] = 0
    words[level + field.orderCount] = 0
    words[level + field.first] = none
    words[level + field.last] = none
    words[level + field.rank] = rank
    words[level + field.side] = side
    return level
  }

  free(level: LevelRow): void {
    this.memory.free(level, width)
  }

  /** Puts an order with that many shares left at the end of the queue. */
  append(level: LevelRow, order: OrderRow, shares: number): void {
    this.orders.setLevel(order, level)
    this.link(level, this.last(level), order)
    this.link(level, order, none)
    this.change(level, 1, shares)
  }

  /** Takes an order with that many shares left out of the queue, wherever in it the order is. */
  remove(level: LevelRow, order: OrderRow, shares: number): void {
    this.link(level, this.orders.previous(order), this.orders.next(order))
    this.change(level, -1, -shares)
  }

  /** Puts an order at the place of another one, with that many shares fewer. */
  replace(old: OrderRow, order: OrderRow, fewer: number): void {
    const level = this.orders.level(old)
    this.orders.setLevel(order, level)
    this.link(level, this.orders.previous(old), order)
    this.link(level, order, this.orders.next(old))
    this.change(level, 0, -fewer)
  }

  /** An order of the level was filled by that many shares. */
  fill(level: LevelRow, shares: number): void {
    this.change(level, 0, -shares)
  }

  /** The order that matches first, or none. */
  first(level: LevelRow): OrderRow {
    return this.words[level + field.first] as OrderRow
  }

  orderCount(level: LevelRow): number {
    return this.words[level + field.orderCount]!
  }

  /** What remains of all its orders. */
  shares(level: LevelRow): number {
    return this.reals[(level + field.shares) >> 1]!
  }

  rank(level: LevelRow): number {
    return this.words[level + field.rank]!
  }

  price(level: LevelRow): number {
    return Math.abs(this.rank(level))
  }

  side(level: LevelRow): SideHandle {
    return this.words[level + field.side] as SideHandle
  }

  private last(level: LevelRow): OrderRow {
    return this.words[level + field.last] as OrderRow
  }

  // Makes two orders neighbours. none is the end of the queue on either side.
  private link(level: LevelRow, before: OrderRow, after: OrderRow): void {
    if (before === none) this.words[level + field.first] = after
    else this.orders.setNext(before, after)
    if (after === none) this.words[level + field.last] = before
    else this.orders.setPrevious(after, before)
  }

  private change(level: LevelRow, orders: number, shares: number): void {
    this.words[level + field.orderCount] = this.orderCount(level) + orders
    this.reals[(level + field.shares) >> 1] = this.shares(level) + shares
  }
}
