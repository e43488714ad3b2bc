// The orders in memory, one row each: those that rest in a book, and until the turn ends those
// that it has closed. Earlier ones are not here; the store has them.

import type { Side } from '../words.ts'
import { orderField, orderWidth } from './layout.ts'
import type { Memory } from './memory.ts'
import { SerialIndex } from './serial-index.ts'
import { Terms } from './terms.ts'

export { never } from './terms.ts'

// V8 folds what the module itself declares, but reads an import anew at each use.
const field = orderField
const width = orderWidth
const none = -1

export class Orders {
  private readonly memory: Memory
  private readonly bySerial = new SerialIndex()
  private readonly terms = new Terms()
  /** The last order that the turn has closed; each links to the one before it. */
  private lastClosed = none
  /** How many rest. */
  openCount = 0

  private readonly serialOf = (order: number): number => this.serial(order)

  constructor(memory: Memory) {
    this.memory = memory
  }

  /** The open order with that serial, or -1. */
  find(serial: number): number {
    return this.bySerial.find(serial, this.serialOf)
  }

  /** Room for one more order. */
  reserve(): void {
    this.memory.reserve(width)
  }

  /** A row for a new order, where room was made; whoever takes it fills in the rest. */
  take(
    transactionId: string | null,
    expiresAt: number | null,
    options: number,
    queueSerial: number | null,
  ): number {
    const number = this.terms.keep(transactionId, expiresAt, options, queueSerial)
    const order = this.memory.allocateReserved(width)
    this.memory.words[(order + field.terms) | 0] = number
    return order
  }

  /** From now on it can be found: it rests. */
  list(order: number, serial: number): void {
    this.openCount += 1
    this.bySerial.add(serial, order)
  }

  /** It rests no longer and is found no more; its links still hold. */
  unlist(order: number): void {
    this.openCount -= 1
    this.bySerial.remove(this.serial(order), order)
  }

  /** An order that never rested, or does so no longer: its row goes when the turn ends. */
  close(order: number): void {
    this.memory.words[(order + field.closedBefore) | 0] = this.lastClosed
    this.lastClosed = order
  }

  /** Nobody asks for what the turn has closed any more. */
  freeClosed(): void {
    const { words } = this.memory
    for (let order = this.lastClosed; order !== none; ) {
      const before = words[(order + field.closedBefore) | 0]!
      this.terms.free(words[(order + field.terms) | 0]!)
      this.memory.free(order, width)
      order = before
    }
    this.lastClosed = none
  }

  clear(): void {
    this.bySerial.clear()
    this.terms.clear()
    this.lastClosed = none
    this.openCount = 0
  }

  get indexBytes(): number {
    return this.bySerial.bytes
  }

  serial(order: number): number {
    return this.memory.reals[(order + field.serial) >>> 1]!
  }

  createdAt(order: number): number {
    return this.memory.reals[(order + field.createdAt) >>> 1]!
  }

  expiresAt(order: number): number {
    return this.terms.expiresAt(this.memory.words[(order + field.terms) | 0]!)
  }

  hasExpiry(order: number): boolean {
    return this.terms.hasExpiry(this.memory.words[(order + field.terms) | 0]!)
  }

  /** As options.ts packs them. */
  options(order: number): number {
    return this.terms.options(this.memory.words[(order + field.terms) | 0]!)
  }

  /** Its place in the queue: the later serial stands behind. */
  queueSerial(order: number): number {
    return (
      this.terms.queueSerial(this.memory.words[(order + field.terms) | 0]!) ?? this.serial(order)
    )
  }

  /** What its fills came to, in micro-units. */
  cost(order: number): number {
    return this.memory.reals[(order + field.cost) >>> 1]!
  }

  shares(order: number): number {
    return this.memory.words[(order + field.shares) | 0]!
  }

  filled(order: number): number {
    return this.memory.words[(order + field.filled) | 0]!
  }

  remaining(order: number): number {
    return this.shares(order) - this.filled(order)
  }

  player(order: number): number {
    return this.memory.words[(order + field.player) | 0]!
  }

  /** Its player's position in that outcome, or -1 while it has none. */
  position(order: number): number {
    return this.memory.words[(order + field.position) | 0]!
  }

  book(order: number): number {
    return this.memory.words[(order + field.side) | 0]! >> 1
  }

  /** 0 for a MARKET order. */
  price(order: number): number {
    return this.memory.words[(order + field.price) | 0]!
  }

  isSell(order: number): boolean {
    return (this.memory.words[(order + field.side) | 0]! & 1) === 1
  }

  side(order: number): Side {
    return this.isSell(order) ? 'SELL' : 'BUY'
  }

  transactionId(order: number): string | null {
    return this.terms.transactionId(this.memory.words[(order + field.terms) | 0]!)
  }

  /** Where it rests. */
  level(order: number): number {
    return this.memory.words[(order + field.level) | 0]!
  }

  /** The order behind it at its price, or -1. */
  next(order: number): number {
    return this.memory.words[(order + field.next) | 0]!
  }
}
