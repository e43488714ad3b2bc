// The levels of each side of each book in order of price, worst first, so that the best is the
// last: a sorted row of pairs (rank, level). An empty side takes no memory. An index finds the
// level at a price.

import { noPrice } from '../money.ts'
import { HashIndex, hashOfSerial } from './hash-index.ts'
import type { Levels } from './levels.ts'
import { type LevelRow, type Memory, none, Table } from './memory.ts'
import type { BookHandle, SideHandle } from './slots.ts'

/** One side of one book. Only this file changes it. */
export class BookSide {
  readonly handle: SideHandle
  readonly isBids: boolean
  /** Its row, how many levels fit and how many there are. */
  row = 0
  capacity = 0
  length = 0
  /** noPrice where nothing rests. */
  bestPrice: number = noPrice
  /** How many of its orders are in an order group. */
  groupedOrders = 0

  constructor(book: BookHandle, isBids: boolean) {
    this.handle = (book * 2 + (isBids ? 0 : 1)) as SideHandle
    this.isBids = isBids
  }

  get isEmpty(): boolean {
    return this.length === 0
  }

  /** A price as this side ranks it: the higher, the better. */
  rankOf(price: number): number {
    return this.isBids ? price : -price
  }
}

/** Words of a pair. One real holds both. */
const pairWidth = 2
const fewestPairs = 4

export class Ladders extends Table {
  private readonly levels: Levels
  private readonly byPrice = new HashIndex<LevelRow>()

  constructor(memory: Memory, levels: Levels) {
    super(memory)
    this.levels = levels
  }

  /** The level at the best price, or none. */
  best(side: BookSide): LevelRow {
    return this.at(side, 0)
  }

  /** The level that is so many levels worse than the best, or none. */
  at(side: BookSide, depth: number): LevelRow {
    if (depth >= side.length) return none
    return this.levelAt(pairAt(side, side.length - 1 - depth))
  }

  /** The level at that price, or none. */
  find(side: BookSide, price: number): LevelRow {
    const rank = side.rankOf(price)
    const hash = hashOfLevel(side.handle, rank)
    for (let slot = this.byPrice.first(hash); slot >= 0; slot = this.byPrice.after(slot, hash)) {
      const level = this.byPrice.rowAt(slot)
      const isSame = this.levels.rank(level) === rank && this.levels.side(level) === side.handle
      if (isSame) return level
    }
    return none
  }

  /** A new level, at a price at which the side has none. */
  add(side: BookSide, price: number): LevelRow {
    if (side.length === side.capacity) this.widen(side)
    const rank = side.rankOf(price)
    const level = this.levels.add(side.handle, rank)
    let index = side.length
    // Better levels move up by one. Most new levels are near the best, so they are few.
    for (; index > 0 && this.rankAt(pairAt(side, index - 1)) > rank; index -= 1) {
      this.reals[pairAt(side, index) >> 1] = this.reals[pairAt(side, index - 1) >> 1]!
    }
    this.words[pairAt(side, index)] = rank
    this.words[pairAt(side, index) + 1] = level
    side.length += 1
    this.noteBest(side)
    this.byPrice.add(hashOfLevel(side.handle, rank), level)
    return level
  }

  /** Takes a level without orders out of its side and frees it. */
  remove(side: BookSide, level: LevelRow): void {
    let index = side.length - 1
    while (index > 0 && this.levelAt(pairAt(side, index)) !== level) index -= 1
    for (; index < side.length - 1; index += 1) {
      this.reals[pairAt(side, index) >> 1] = this.reals[pairAt(side, index + 1) >> 1]!
    }
    side.length -= 1
    this.noteBest(side)
    this.byPrice.remove(hashOfLevel(side.handle, this.levels.rank(level)), level)
    this.levels.free(level)
    if (side.isEmpty) this.dropRow(side)
  }

  clear(): void {
    this.byPrice.clear()
  }

  get indexBytes(): number {
    return this.byPrice.bytes
  }

  private rankAt(pair: number): number {
    return this.words[pair]!
  }

  private levelAt(pair: number): LevelRow {
    return this.words[pair + 1] as LevelRow
  }

  private noteBest(side: BookSide): void {
    side.bestPrice = side.isEmpty ? noPrice : Math.abs(this.rankAt(pairAt(side, side.length - 1)))
  }

  private widen(side: BookSide): void {
    const capacity = side.capacity === 0 ? fewestPairs : side.capacity * 2
    const row = this.memory.allocate(capacity * pairWidth)
    this.memory.copy(side.row, row, side.length * pairWidth)
    if (side.capacity > 0) this.dropRow(side)
    side.row = row
    side.capacity = capacity
  }

  private dropRow(side: BookSide): void {
    this.memory.free(side.row, side.capacity * pairWidth)
    side.capacity = 0
  }
}

function pairAt(side: BookSide, index: number): number {
  return side.row + index * pairWidth
}

// A rank has at most 15 bits. Levels that share a hash differ in rank or side.
function hashOfLevel(side: SideHandle, rank: number): number {
  return hashOfSerial((side << 15) + rank)
}
