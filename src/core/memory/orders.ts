// The orders in memory, one row each: those that rest in a book, and until the turn ends those that
// the turn has closed. The store has the earlier ones.

import type { Serial } from '../ids.ts'
import type { Side } from '../words.ts'
import { type LevelRow, none, type OrderRow, type PositionRow, Table } from './memory.ts'
import { OrderTerms, type Terms } from './order-terms.ts'
import { SerialIndex } from './serial-index.ts'
import type { BookHandle, PlayerHandle, SideHandle } from './slots.ts'

export { never } from './order-terms.ts'

// Where the fields of a row are, in words from its start: 64 bytes in all, as much as a processor
// fetches at once. What few orders have is in order-terms.ts.
const field = {
  /** Reals. */
  serial: 0,
  createdAt: 2,
  cost: 4,
  /** Words. */
  shares: 6,
  filled: 7,
  price: 8,
  side: 9,
  player: 10,
  position: 11,
  /** These three are valid only while it rests. */
  level: 12,
  next: 13,
  previous: 14,
  /** Instead of next, once it is closed. */
  closedBefore: 13,
  terms: 15,
} as const
const width = 16

/** All that a row is made from. Times in Unix milliseconds. */
export type OrderFields = Terms & {
  readonly serial: Serial
  readonly createdAt: number
  readonly side: SideHandle
  readonly player: PlayerHandle
  /** Its player's position in the outcome; none while there is none. */
  readonly position: PositionRow
  /** noPrice for a MARKET order. */
  readonly price: number
  readonly shares: number
  readonly filled: number
  /** The value of its fills, in micro-units. */
  readonly cost: number
}

/** Of an order by amount. */
export type Spending = {
  /** The most that it spends, fees included, in micro-units. */
  readonly amount: number
  /** In units of 1e-10. */
  spent: number
  /** Whether not one hundredth of a share more is payable, in the last trade or a further one. */
  isUsedUp: boolean
}

export function newSpending(amount: number): Spending {
  return { amount, spent: 0, isUsedUp: false }
}

export class Orders extends Table {
  private readonly bySerial = new SerialIndex<OrderRow>()
  private readonly terms = new OrderTerms()
  /** Of the orders by amount of this turn; none of them rests. */
  private readonly spendings = new Map<OrderRow, Spending>()
  /** The last order that the turn has closed; each links to the one before it. */
  private lastClosed: OrderRow = none
  /** How many rest. */
  openCount = 0

  private readonly serialOf = (order: OrderRow): number => this.serial(order)

  /** The open order with that serial, or none. */
  find(serial: Serial): OrderRow {
    return this.bySerial.find(serial, this.serialOf)
  }

  /** Adds an order, which is then to be listed or closed. */
  add(order: OrderFields): OrderRow {
    const row = this.memory.allocate(width) as OrderRow
    const { reals, words } = this
    reals[(row + field.serial) >> 1] = order.serial
    reals[(row + field.createdAt) >> 1] = order.createdAt
    reals[(row + field.cost) >> 1] = order.cost
    words[row + field.shares] = order.shares
    words[row + field.filled] = order.filled
    words[row + field.price] = order.price
    words[row + field.side] = order.side
    words[row + field.player] = order.player
    words[row + field.position] = order.position
    words[row + field.terms] = this.terms.add(order)
    return row
  }

  /** The order rests from now on, and can be found by its serial. */
  list(order: OrderRow): void {
    this.openCount += 1
    this.bySerial.add(this.serial(order), order)
  }

  /** The order rests no longer and is not found any more. */
  unlist(order: OrderRow): void {
    this.openCount -= 1
    this.bySerial.remove(this.serial(order), order)
  }

  /** Marks an order that never rested, or rests no longer: its row is freed when the turn ends. */
  close(order: OrderRow): void {
    this.words[order + field.closedBefore] = this.lastClosed
    this.lastClosed = order
  }

  /** Frees the rows of all orders that the turn has closed. */
  freeClosed(): void {
    for (let order = this.lastClosed; order !== none; ) {
      const before = this.words[order + field.closedBefore] as OrderRow
      this.terms.free(this.termsOf(order))
      this.memory.free(order, width)
      order = before
    }
    this.lastClosed = none
    if (this.spendings.size > 0) this.spendings.clear()
  }

  clear(): void {
    this.bySerial.clear()
    this.terms.clear()
    this.spendings.clear()
    this.lastClosed = none
    this.openCount = 0
  }

  /** Fills that many shares of the order, at that value in micro-units. */
  fill(order: OrderRow, shares: number, value: number): void {
    this.words[order + field.filled] = this.filled(order) + shares
    this.reals[(order + field.cost) >> 1] = this.cost(order) + value
  }

  /** It is an order by amount, which is in micro-units. */
  limitSpending(order: OrderRow, amount: number): void {
    this.spendings.set(order, newSpending(amount))
  }

  /** null for an order by shares. */
  spending(order: OrderRow): Spending | null {
    return this.spendings.size === 0 ? null : (this.spendings.get(order) ?? null)
  }

  /** An order by amount has as many shares as it has filled. */
  setSharesToFilled(order: OrderRow): void {
    this.words[order + field.shares] = this.filled(order)
  }

  setPosition(order: OrderRow, position: PositionRow): void {
    this.words[order + field.position] = position
  }

  /** The order behind it in the queue of its level, or none. */
  next(order: OrderRow): OrderRow {
    return this.words[order + field.next] as OrderRow
  }

  setNext(order: OrderRow, next: OrderRow): void {
    this.words[order + field.next] = next
  }

  /** The order before it, or none. */
  previous(order: OrderRow): OrderRow {
    return this.words[order + field.previous] as OrderRow
  }

  setPrevious(order: OrderRow, previous: OrderRow): void {
    this.words[order + field.previous] = previous
  }

  /** The level at which it rests. */
  level(order: OrderRow): LevelRow {
    return this.words[order + field.level] as LevelRow
  }

  setLevel(order: OrderRow, level: LevelRow): void {
    this.words[order + field.level] = level
  }

  get indexBytes(): number {
    return this.bySerial.bytes
  }

  serial(order: OrderRow): Serial {
    return this.reals[(order + field.serial) >> 1] as Serial
  }

  createdAt(order: OrderRow): number {
    return this.reals[(order + field.createdAt) >> 1]!
  }

  /** The value of its fills, in micro-units. */
  cost(order: OrderRow): number {
    return this.reals[(order + field.cost) >> 1]!
  }

  shares(order: OrderRow): number {
    return this.words[order + field.shares]!
  }

  filled(order: OrderRow): number {
    return this.words[order + field.filled]!
  }

  remaining(order: OrderRow): number {
    return this.shares(order) - this.filled(order)
  }

  /** noPrice for a MARKET order. */
  price(order: OrderRow): number {
    return this.words[order + field.price]!
  }

  // The handle of a side is twice that of its book, and one more for the asks.
  book(order: OrderRow): BookHandle {
    return (this.words[order + field.side]! >> 1) as BookHandle
  }

  isSell(order: OrderRow): boolean {
    return (this.words[order + field.side]! & 1) === 1
  }

  side(order: OrderRow): Side {
    return this.isSell(order) ? 'SELL' : 'BUY'
  }

  player(order: OrderRow): PlayerHandle {
    return this.words[order + field.player] as PlayerHandle
  }

  /** Its player's position in that outcome, or none while there is none. */
  position(order: OrderRow): PositionRow {
    return this.words[order + field.position] as PositionRow
  }

  transactionId(order: OrderRow): string | null {
    return this.terms.transactionId(this.termsOf(order))
  }

  hasExpiry(order: OrderRow): boolean {
    return this.terms.hasExpiry(this.termsOf(order))
  }

  /** never where it does not expire. */
  expiresAt(order: OrderRow): number {
    return this.terms.expiresAt(this.termsOf(order))
  }

  /** As orders/options.ts packs them. */
  options(order: OrderRow): number {
    return this.terms.options(this.termsOf(order))
  }

  /** Its place in the queue at its price: the order with the lower one matches first. */
  queueSerial(order: OrderRow): Serial {
    return this.terms.queueSerial(this.termsOf(order)) ?? this.serial(order)
  }

  /** That of the order group that it is in, or null. */
  groupSerial(order: OrderRow): Serial | null {
    return this.terms.groupSerial(this.termsOf(order))
  }

  private termsOf(order: OrderRow): number {
    return this.words[order + field.terms]!
  }
}
