// The price levels of all books: the orders that rest at one price, first come first, as a list
// linked through their rows. A level counts its orders and sums what remains of their shares.

import { levelField as field, orderField, levelWidth as width } from './layout.ts'
import { type Memory, none, type Row } from './memory.ts'
import type { OrderRow } from './orders.ts'
import type { SideHandle } from './slots.ts'

export type LevelRow = Row<'level'>

export class Levels {
  private readonly memory: Memory

  constructor(memory: Memory) {
    this.memory = memory
  }

  /** A level without orders. Its rank is its price as its side ranks it. */
  add(side: SideHandle, rank: number): LevelRow {
    const { memory } = this
    const level = memory.allocate(width) as LevelRow
    memory.reals[(level + field.shares) >> 1] = 0
    memory.words[level + field.orderCount] = 0
    memory.words[level + field.first] = none
    memory.words[level + field.last] = none
    memory.words[level + field.rank] = rank
    memory.words[level + field.side] = side
    return level
  }

  free(level: LevelRow): void {
    this.memory.free(level, width)
  }

  /** Puts an order with that many shares left at the end of the queue. */
  append(level: LevelRow, order: OrderRow, shares: number): void {
    const last = this.memory.words[level + field.last] as OrderRow
    this.memory.words[order + orderField.level] = level
    this.link(level, last, order)
    this.link(level, order, none)
    this.change(level, 1, shares)
  }

  /** Takes an order with that many shares left out of the queue, wherever in it the order is. */
  remove(level: LevelRow, order: OrderRow, shares: number): void {
    this.link(level, this.previous(order), this.next(order))
    this.change(level, -1, -shares)
  }

  /** Puts an order at the place of another one, with that many shares fewer. */
  replace(old: OrderRow, order: OrderRow, fewer: number): void {
    const level = this.levelOf(old)
    this.memory.words[order + orderField.level] = level
    this.link(level, this.previous(old), order)
    this.link(level, order, this.next(old))
    this.change(level, 0, -fewer)
  }

  /** An order of the level was filled by that many shares. */
  fill(level: LevelRow, shares: number): void {
    this.change(level, 0, -shares)
  }

  /** Where an order rests. */
  levelOf(order: OrderRow): LevelRow {
    return this.memory.words[order + orderField.level] as LevelRow
  }

  /** The order behind that one at its price, or none. */
  next(order: OrderRow): OrderRow {
    return this.memory.words[order + orderField.next] as OrderRow
  }

  /** The order that matches first, or none. */
  first(level: LevelRow): OrderRow {
    return this.memory.words[level + field.first] as OrderRow
  }

  orderCount(level: LevelRow): number {
    return this.memory.words[level + field.orderCount]!
  }

  shares(level: LevelRow): number {
    return this.memory.reals[(level + field.shares) >> 1]!
  }

  rank(level: LevelRow): number {
    return this.memory.words[level + field.rank]!
  }

  price(level: LevelRow): number {
    return Math.abs(this.rank(level))
  }

  side(level: LevelRow): SideHandle {
    return this.memory.words[level + field.side] as SideHandle
  }

  private previous(order: OrderRow): OrderRow {
    return this.memory.words[order + orderField.previous] as OrderRow
  }

  // Makes two orders neighbours. none stands for the end of the queue on either side.
  private link(level: LevelRow, before: OrderRow, after: OrderRow): void {
    if (before === none) this.memory.words[level + field.first] = after
    else this.memory.words[before + orderField.next] = after
    if (after === none) this.memory.words[level + field.last] = before
    else this.memory.words[after + orderField.previous] = before
  }

  private change(level: LevelRow, orders: number, shares: number): void {
    this.memory.words[level + field.orderCount] = this.orderCount(level) + orders
    this.memory.reals[(level + field.shares) >> 1] = this.shares(level) + shares
  }
}
