// The orders in memory, one row each: those that rest in a book, and until the turn ends those
// that it has closed. Earlier ones are not here; the store has them.

import { HashIndex, hashOfSerial } from './hash-index.ts'
import { orderField, orderWidth } from './layout.ts'
import type { Memory } from './memory.ts'
import { Texts } from './texts.ts'
import type { Side } from './words.ts'

// V8 folds a constant of the module itself, but reads an imported one anew at each use.
const field = orderField
const width = orderWidth

/** Expiry of an order that has none. */
export const never = Infinity

export class Orders {
  readonly #memory: Memory
  readonly #bySerial = new HashIndex()
  readonly #transactionIds = new Texts()
  #closed = new Int32Array(64)
  #closedCount = 0
  /** How many rest. */
  openCount = 0

  constructor(memory: Memory) {
    this.#memory = memory
  }

  /** The open order with that serial, or -1. */
  find(serial: number): number {
    const index = this.#bySerial
    const hash = hashOfSerial(serial)
    for (let slot = index.first(hash); slot >= 0; slot = index.after(slot, hash)) {
      const order = index.handleAt(slot)
      if (this.serial(order) === serial) return order
    }
    return -1
  }

  /** A row for a new order; whoever takes it fills it in. */
  take(transactionId: string | null): number {
    const order = this.#memory.take(width)
    this.#memory.words[order + field.transactionId] = this.#transactionIds.keep(transactionId)
    return order
  }

  /** From now on it can be found: it rests. */
  list(order: number, serial: number): void {
    this.openCount += 1
    this.#bySerial.add(hashOfSerial(serial), order)
  }

  /** It rests no longer. */
  unlist(order: number, serial: number): void {
    this.openCount -= 1
    this.#bySerial.remove(hashOfSerial(serial), order)
    this.close(order)
  }

  /** An order that never rested, or does so no longer: its row goes when the turn ends. */
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
      this.#transactionIds.free(this.#memory.words[order + field.transactionId]!)
      this.#memory.free(order, width)
    }
    this.#closedCount = 0
  }

  clear(): void {
    this.#bySerial.clear()
    this.#transactionIds.clear()
    this.#closedCount = 0
    this.openCount = 0
  }

  get indexBytes(): number {
    return this.#bySerial.bytes
  }

  serial(order: number): number {
    return this.#memory.reals[(order + field.serial) >> 1]!
  }

  createdAt(order: number): number {
    return this.#memory.reals[(order + field.createdAt) >> 1]!
  }

  expiresAt(order: number): number {
    return this.#memory.reals[(order + field.expiresAt) >> 1]!
  }

  /** Its place in the queue: the later serial stands behind. */
  queueSerial(order: number): number {
    return this.#memory.reals[(order + field.queueSerial) >> 1]!
  }

  /** What its fills came to, in micro-units. */
  cost(order: number): number {
    return this.#memory.reals[(order + field.cost) >> 1]!
  }

  shares(order: number): number {
    return this.#memory.words[order + field.shares]!
  }

  filled(order: number): number {
    return this.#memory.words[order + field.filled]!
  }

  remaining(order: number): number {
    return this.shares(order) - this.filled(order)
  }

  player(order: number): number {
    return this.#memory.words[order + field.player]!
  }

  /** Its player's position in that outcome, or -1 while it has none. */
  position(order: number): number {
    return this.#memory.words[order + field.position]!
  }

  book(order: number): number {
    return this.#memory.words[order + field.book]!
  }

  /** 0 for a MARKET order. */
  price(order: number): number {
    return this.#memory.words[order + field.price]!
  }

  isSell(order: number): boolean {
    return this.#memory.words[order + field.isSell] === 1
  }

  side(order: number): Side {
    return this.isSell(order) ? 'SELL' : 'BUY'
  }

  transactionId(order: number): string | null {
    return this.#transactionIds.at(this.#memory.words[order + field.transactionId]!)
  }

  /** The order behind it at its price, or -1. */
  next(order: number): number {
    return this.#memory.words[order + field.next]!
  }
}
