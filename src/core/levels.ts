// The price levels of all books: the orders that rest at one price, first come first, as a list
// linked through their rows. A level counts its shares and orders; it never stands empty in a book.

import { type Journal, LEVEL, levelFact } from './journal.ts'
import type { Orders } from './orders.ts'
import { Rows } from './rows.ts'

// A local name, because V8 folds no imported constants.
const fact = levelFact

const width = 8
const realWidth = width / 2
const sharesReal = 0
const word = { first: 2, last: 3, orderCount: 4, rank: 5, side: 6 } as const

export class Levels extends Rows {
  readonly #orders: Orders

  constructor(orders: Orders) {
    super(width)
    this.#orders = orders
  }

  /** A new level of the side with that handle; a rank is a price seen from its side. */
  add(side: number, rank: number): number {
    const level = this.take()
    const { words } = this
    const at = level * width
    this.reals[level * realWidth + sharesReal] = 0
    words[at + word.first] = -1
    words[at + word.last] = -1
    words[at + word.orderCount] = 0
    words[at + word.rank] = rank
    words[at + word.side] = side
    return level
  }

  /** Puts an order at the end of the queue. */
  append(level: number, order: number): void {
    const { reals, words } = this
    const at = level * width
    const last = words[at + word.last]!
    this.#orders.link(order, level, last)
    if (last < 0) words[at + word.first] = order
    words[at + word.last] = order
    words[at + word.orderCount]! += 1
    reals[level * realWidth + sharesReal]! += this.#orders.remaining(order)
  }

  /** Takes an order out, wherever it stands; says how many are left. */
  remove(level: number, order: number): number {
    const orders = this.#orders
    const { reals, words } = this
    const at = level * width
    if (words[at + word.first] === order) words[at + word.first] = orders.next(order)
    if (words[at + word.last] === order) words[at + word.last] = orders.previous(order)
    orders.unlink(order)
    const left = words[at + word.orderCount]! - 1
    words[at + word.orderCount] = left
    reals[level * realWidth + sharesReal]! -= orders.remaining(order)
    return left
  }

  /** Takes off shares that were matched. */
  reduce(level: number, shares: number): void {
    this.reals[level * realWidth + sharesReal]! -= shares
  }

  /** Writes down how it stands. */
  write(level: number, journal: Journal): void {
    const { reals, words } = this
    const wordAt = level * width
    const at = journal.add(LEVEL)
    const { facts } = journal
    facts[at + fact.side] = words[wordAt + word.side]!
    facts[at + fact.rank] = words[wordAt + word.rank]!
    facts[at + fact.shares] = reals[level * realWidth + sharesReal]!
    facts[at + fact.orderCount] = words[wordAt + word.orderCount]!
  }

  shares(level: number): number {
    return this.reals[level * realWidth + sharesReal]!
  }

  first(level: number): number {
    return this.words[level * width + word.first]!
  }

  orderCount(level: number): number {
    return this.words[level * width + word.orderCount]!
  }

  rank(level: number): number {
    return this.words[level * width + word.rank]!
  }

  side(level: number): number {
    return this.words[level * width + word.side]!
  }
}
