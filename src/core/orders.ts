// The orders in memory, one row each: those that rest in a book, and until the turn ends those
// that it has closed. Earlier ones are not here; the store has them.

import { HashIndex } from './hash-index.ts'
import { Rows } from './rows.ts'
import type { Side } from './words.ts'

// Where the fields of an order stand in its row. What a match touches fills the first 64 bytes.
const width = 22
const realWidth = width / 2
const real = { serial: 0, createdAt: 1, expiresAt: 2, cost: 3, queueSerial: 8 } as const
const word = {
  shares: 8,
  filled: 9,
  level: 10,
  next: 11,
  previous: 12,
  player: 13,
  position: 14,
  flags: 15,
  book: 18,
  price: 19,
} as const

const isSellFlag = 1

/** Expiry of an order that has none. */
export const never = Infinity

/** What a row starts with. */
export interface NewOrder {
  serial: number
  createdAt: number
  expiresAt: number
  isSell: boolean
  /** 0 for a MARKET order. */
  price: number
  shares: number
  book: { readonly handle: number }
  player: { readonly handle: number }
  /** Its player's position in that outcome, or -1. */
  position: number
  transactionId: string | null
}

export class Orders extends Rows {
  readonly #bySerial = new HashIndex()
  /** By order, of those that have one. */
  readonly #transactionIds: (string | undefined)[] = []
  #closed = new Int32Array(64)
  #closedCount = 0

  constructor() {
    super(width)
  }

  /** The open order with that serial, or -1. */
  find(serial: number): number {
    const index = this.#bySerial
    // Serials count up, so their low bits spread as well as any hash.
    for (let slot = index.first(serial | 0); slot >= 0; slot = index.after(slot, serial | 0)) {
      const order = index.handleAt(slot)
      if (this.reals[order * realWidth + real.serial] === serial) return order
    }
    return -1
  }

  add(made: NewOrder): number {
    const order = this.take()
    const { reals, words } = this
    const realAt = order * realWidth
    const wordAt = order * width
    reals[realAt + real.serial] = made.serial
    reals[realAt + real.createdAt] = made.createdAt
    reals[realAt + real.expiresAt] = made.expiresAt
    reals[realAt + real.cost] = 0
    reals[realAt + real.queueSerial] = made.serial
    words[wordAt + word.shares] = made.shares
    words[wordAt + word.filled] = 0
    words[wordAt + word.player] = made.player.handle
    words[wordAt + word.position] = made.position
    words[wordAt + word.flags] = made.isSell ? isSellFlag : 0
    words[wordAt + word.book] = made.book.handle
    words[wordAt + word.price] = made.price
    if (made.transactionId !== null) this.#transactionIds[order] = made.transactionId
    return order
  }

  /** From now on it can be found: it rests. */
  list(order: number): void {
    this.#bySerial.add(this.serial(order) | 0, order)
  }

  /** It rests no longer; its row goes when the turn ends. */
  unlist(order: number): void {
    this.#bySerial.remove(this.serial(order) | 0, order)
    this.close(order)
  }

  /** An order that never rested, or does so no longer. */
  close(order: number): void {
    if (this.#closedCount === this.#closed.length) {
      const closed = new Int32Array(this.#closedCount * 2)
      closed.set(this.#closed)
      this.#closed = closed
    }
    this.#closed[this.#closedCount] = order
    this.#closedCount += 1
  }

  /** Nobody asks for what the turn has closed any more. */
  freeClosed(): void {
    for (let at = 0; at < this.#closedCount; at += 1) {
      const order = this.#closed[at]!
      if (this.#transactionIds[order] !== undefined) this.#transactionIds[order] = undefined
      this.free(order)
    }
    this.#closedCount = 0
  }

  /** How many rest. */
  get openCount(): number {
    return this.size - this.#closedCount
  }

  clear(): void {
    this.#bySerial.clear()
    this.#transactionIds.length = 0
    this.#closedCount = 0
    this.freeAll()
  }

  serial(order: number): number {
    return this.reals[order * realWidth + real.serial]!
  }

  createdAt(order: number): number {
    return this.reals[order * realWidth + real.createdAt]!
  }

  expiresAt(order: number): number {
    return this.reals[order * realWidth + real.expiresAt]!
  }

  /** Its place in the queue: the later serial stands behind. */
  queueSerial(order: number): number {
    return this.reals[order * realWidth + real.queueSerial]!
  }

  setQueueSerial(order: number, serial: number): void {
    this.reals[order * realWidth + real.queueSerial] = serial
  }

  /** What its fills came to, in micro-units. */
  cost(order: number): number {
    return this.reals[order * realWidth + real.cost]!
  }

  shares(order: number): number {
    return this.words[order * width + word.shares]!
  }

  filled(order: number): number {
    return this.words[order * width + word.filled]!
  }

  remaining(order: number): number {
    const at = order * width
    return this.words[at + word.shares]! - this.words[at + word.filled]!
  }

  /** Takes note of a fill and says how many shares it now has. */
  fill(order: number, shares: number, value: number): number {
    const { reals, words } = this
    const filled = words[order * width + word.filled]! + shares
    words[order * width + word.filled] = filled
    reals[order * realWidth + real.cost]! += value
    return filled
  }

  player(order: number): number {
    return this.words[order * width + word.player]!
  }

  position(order: number): number {
    return this.words[order * width + word.position]!
  }

  setPosition(order: number, position: number): void {
    this.words[order * width + word.position] = position
  }

  book(order: number): number {
    return this.words[order * width + word.book]!
  }

  /** 0 for a MARKET order. */
  price(order: number): number {
    return this.words[order * width + word.price]!
  }

  isSell(order: number): boolean {
    return (this.words[order * width + word.flags]! & isSellFlag) !== 0
  }

  side(order: number): Side {
    return this.isSell(order) ? 'SELL' : 'BUY'
  }

  transactionId(order: number): string | null {
    return this.#transactionIds[order] ?? null
  }

  level(order: number): number {
    return this.words[order * width + word.level]!
  }

  /** The order behind it at its price, or -1. */
  next(order: number): number {
    return this.words[order * width + word.next]!
  }

  previous(order: number): number {
    return this.words[order * width + word.previous]!
  }

  /** Puts an order behind the last of a level; -1 where it is the first. */
  link(order: number, level: number, last: number): void {
    const { words } = this
    const at = order * width
    words[at + word.level] = level
    words[at + word.next] = -1
    words[at + word.previous] = last
    if (last >= 0) words[last * width + word.next] = order
  }

  /** Joins the orders before and behind it. */
  unlink(order: number): void {
    const { words } = this
    const next = words[order * width + word.next]!
    const previous = words[order * width + word.previous]!
    if (previous >= 0) words[previous * width + word.next] = next
    if (next >= 0) words[next * width + word.previous] = previous
  }
}
