// For each side of each book its levels in order of price, worst first, so that the best is the
// last: small sorted blocks in one shared array. An empty side occupies nothing.

import type { Levels } from './levels.ts'
import { none } from './rows.ts'

/** One side of one book. A rank is a price seen from its side: the higher, the better. */
export class BookSide {
  readonly handle: number
  readonly book: number
  readonly isBids: boolean
  /** Where its block starts and how many levels fit; only Ladders writes these. */
  at = 0
  capacity = 0
  length = 0

  constructor(handle: number, book: number, isBids: boolean) {
    this.handle = handle
    this.book = book
    this.isBids = isBids
  }

  rankOf(price: number): number {
    return this.isBids ? price : -price
  }
}

export function priceOf(rank: number): number {
  return Math.abs(rank)
}

/** An entry is a rank and its level. */
const width = 2
const smallestBlock = 4
const blockSizes = 13

export class Ladders {
  readonly #levels: Levels
  #entries = new Int32Array(256)
  #end = 0
  /** First free block of each size; a free block's first word links to the next. */
  readonly #freeBlocks = new Int32Array(blockSizes).fill(none)

  constructor(levels: Levels) {
    this.#levels = levels
  }

  /** The best price, or 0. */
  bestPrice(side: BookSide): number {
    if (side.length === 0) return 0
    return Math.abs(this.#entries[side.at + side.length * width - 2]!)
  }

  /** The level with the best price, or -1. */
  best(side: BookSide): number {
    if (side.length === 0) return -1
    return this.#entries[side.at + side.length * width - 1]!
  }

  /** The level that is `depth` steps worse than the best, or -1. */
  levelAt(side: BookSide, depth: number): number {
    if (depth >= side.length) return none
    return this.#entries[side.at + (side.length - depth) * width - 1]!
  }

  /** The level of that rank; a new one where there is none. */
  levelFor(side: BookSide, rank: number): number {
    const index = this.#seek(side, rank)
    const at = side.at + index * width
    if (index < side.length && this.#entries[at] === rank) return this.#entries[at + 1]!
    const level = this.#levels.add(side.handle, rank)
    this.#insert(side, index, level)
    return level
  }

  /** Takes an empty level out of its side and forgets it. */
  remove(side: BookSide, level: number): void {
    const index = this.#seek(side, this.#levels.rank(level))
    const at = side.at + index * width
    const end = side.at + side.length * width
    for (let to = at; to + width < end; to += 1) this.#entries[to] = this.#entries[to + width]!
    side.length -= 1
    if (side.length === 0) this.#release(side)
    this.#levels.free(level)
  }

  clear(): void {
    this.#end = 0
    this.#freeBlocks.fill(none)
  }

  get bytes(): number {
    return this.#entries.byteLength
  }

  // How many levels of the side are worse than that rank.
  #seek(side: BookSide, rank: number): number {
    const entries = this.#entries
    let low = 0
    let high = side.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (entries[side.at + middle * width]! < rank) low = middle + 1
      else high = middle
    }
    return low
  }

  #insert(side: BookSide, index: number, level: number): void {
    if (side.length === side.capacity) this.#widen(side)
    const at = side.at + index * width
    const end = side.at + side.length * width
    for (let from = end - 1; from >= at; from -= 1) {
      this.#entries[from + width] = this.#entries[from]!
    }
    this.#entries[at] = this.#levels.rank(level)
    this.#entries[at + 1] = level
    side.length += 1
  }

  #widen(side: BookSide): void {
    const capacity = side.capacity === 0 ? smallestBlock : side.capacity * 2
    const at = this.#block(capacity)
    for (let index = 0; index < side.length * width; index += 1) {
      this.#entries[at + index] = this.#entries[side.at + index]!
    }
    if (side.capacity > 0) this.#free(side.at, side.capacity)
    side.at = at
    side.capacity = capacity
  }

  #release(side: BookSide): void {
    this.#free(side.at, side.capacity)
    side.at = 0
    side.capacity = 0
  }

  #block(capacity: number): number {
    const size = sizeOf(capacity)
    const reused = this.#freeBlocks[size]!
    if (reused !== none) {
      this.#freeBlocks[size] = this.#entries[reused]!
      return reused
    }
    const at = this.#end
    this.#end += capacity * width
    if (this.#end > this.#entries.length) {
      const entries = new Int32Array(Math.ceil(this.#end * 1.25))
      entries.set(this.#entries)
      this.#entries = entries
    }
    return at
  }

  #free(at: number, capacity: number): void {
    const size = sizeOf(capacity)
    this.#entries[at] = this.#freeBlocks[size]!
    this.#freeBlocks[size] = at
  }
}

function sizeOf(capacity: number): number {
  return 31 - Math.clz32(capacity / smallestBlock)
}
