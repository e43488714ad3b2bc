// For each side of each book its levels in order of price, worst first, so that the best is the
// last: small sorted rows of pairs (rank, level). An empty side occupies nothing. An index finds
// the level at a price.

import * as hashes from './hash-index.ts'
import { levelField, levelWidth } from './layout.ts'
import type { Memory } from './memory.ts'

// V8 folds what the module itself declares, but reads an import anew at each use.
const { hashOfSerial } = hashes
const field = levelField
const widthOfLevel = levelWidth

/** One side of one book. A rank is a price seen from its side: the higher, the better. */
export class BookSide {
  /** Twice the handle of its book, and one more for the asks. */
  readonly handle: number = 0
  /** Its row, how many levels fit and how many there are; only this file writes these. */
  at = 0
  capacity = 0
  length = 0
  /** 0 where nothing rests. */
  bestPrice = 0

  constructor(handle: number) {
    this.handle = handle
  }

  get book(): number {
    return this.handle >> 1
  }

  get isBids(): boolean {
    return (this.handle & 1) === 0
  }

  rankOf(price: number): number {
    return this.isBids ? price : -price
  }
}

export function priceOf(rank: number): number {
  return Math.abs(rank)
}

/** Where the rows are, and where each level is found by its side and price. */
export type Ladders = { readonly memory: Memory; readonly levels: hashes.HashIndex }

/** Words of a pair. One real holds both, and moves them together. */
const width = 2
const fewest = 4

/** The best price of a side, or 0, as its row has it. */
export function bestPrice({ words }: Memory, side: BookSide): number {
  return side.length === 0 ? 0 : Math.abs(words[side.at + side.length * width - 2]!)
}

/** The level at the best price of a side that is not empty. */
export function bestLevel({ words }: Memory, side: BookSide): number {
  return words[(side.at + side.length * width - 1) | 0]!
}

/** The level that is `depth` steps worse than the best, or -1. */
export function levelAt(memory: Memory, side: BookSide, depth: number): number {
  if (depth >= side.length) return -1
  return memory.words[side.at + (side.length - depth) * width - 1]!
}

/** The level of that rank, or -1. */
export function findLevel({ levels, memory }: Ladders, side: BookSide, rank: number): number {
  const { words } = memory
  const { handle } = side
  const hash = hashOfLevel(handle, rank)
  for (let slot = levels.first(hash); slot >= 0; slot = levels.after(slot, hash)) {
    const level = levels.handleAt(slot)
    if (words[(level + field.rank) | 0] !== rank) continue
    if (words[(level + field.side) | 0] === handle) return level
  }
  return -1
}

// A rank has at most 15 bits. Sides so many that they share a hash are told apart by the key.
const hashOfLevel = (side: number, rank: number): number => {
  return hashOfSerial((side << 15) + rank)
}

/** A new level, of a rank that the side does not have. */
export function addLevel({ levels, memory }: Ladders, side: BookSide, rank: number): number {
  const level = memory.allocateReserved(widthOfLevel)
  if (side.length === side.capacity) widen(memory, side)
  const { reals, words } = memory
  const end = side.at + side.length * width
  let at = end
  // The better ones move up. Most new levels are near the best, so the way is short.
  for (; at > side.at && words[(at - width) | 0]! > rank; at -= width) {
    reals[at >>> 1] = reals[(at - width) >>> 1]!
  }
  words[at] = rank
  words[(at + 1) | 0] = level
  side.length += 1
  if (at === end) side.bestPrice = Math.abs(rank)
  reals[(level + field.shares) >>> 1] = 0
  words[(level + field.first) | 0] = -1
  words[(level + field.last) | 0] = -1
  words[(level + field.orderCount) | 0] = 0
  words[(level + field.rank) | 0] = rank
  words[(level + field.side) | 0] = side.handle
  levels.add(hashOfLevel(side.handle, rank), level)
  return level
}

/** Takes an empty level out of its side and forgets it. */
export function removeLevel({ levels, memory }: Ladders, side: BookSide, level: number): void {
  const { reals, words } = memory
  const last = side.at + (side.length - 1) * width
  let at = last
  while (at > side.at && words[(at + 1) | 0] !== level) at -= width
  const isBest = at === last
  for (; at < last; at += width) reals[at >>> 1] = reals[(at + width) >>> 1]!
  side.length -= 1
  levels.remove(hashOfLevel(side.handle, words[(level + field.rank) | 0]!), level)
  memory.free(level, widthOfLevel)
  if (side.length === 0) dropRow(memory, side)
  else if (isBest) side.bestPrice = Math.abs(words[(last - width) | 0]!)
}

function widen(memory: Memory, side: BookSide): void {
  const capacity = side.capacity === 0 ? fewest : side.capacity * 2
  const at = memory.allocateReserved(capacity * width)
  const { words } = memory
  for (let word = 0; word < side.length * width; word += 1)
    words[at + word] = words[side.at + word]!
  if (side.capacity > 0) memory.free(side.at, side.capacity * width)
  side.at = at
  side.capacity = capacity
}

function dropRow(memory: Memory, side: BookSide): void {
  memory.free(side.at, side.capacity * width)
  side.capacity = 0
  side.bestPrice = 0
}
