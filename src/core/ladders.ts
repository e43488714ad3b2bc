// For each side of each book its levels in order of price, worst first, so that the best is the
// last: small sorted rows of pairs (rank, level). An empty side occupies nothing.

import { levelField, levelWidth } from './layout.ts'
import type { Memory } from './memory.ts'

// V8 folds a constant of the module itself, but reads an imported one anew at each use.
const field = levelField
const widthOfLevel = levelWidth

/** One side of one book. A rank is a price seen from its side: the higher, the better. */
export class BookSide {
  readonly handle: number
  readonly book: number
  readonly isBids: boolean
  /** Its row and how many levels fit; only this file writes these. */
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

/** Words of a pair. */
const width = 2
const fewest = 4

/** The best price of a side, or 0. */
export function bestPrice(memory: Memory, side: BookSide): number {
  if (side.length === 0) return 0
  return Math.abs(memory.words[side.at + side.length * width - 2]!)
}

/** The level that is `depth` steps worse than the best, or -1. */
export function levelAt(memory: Memory, side: BookSide, depth: number): number {
  if (depth >= side.length) return -1
  return memory.words[side.at + (side.length - depth) * width - 1]!
}

/** The level of that rank; a new one where there is none. */
export function levelFor(memory: Memory, side: BookSide, rank: number): number {
  const index = seek(memory, side, rank)
  const at = side.at + index * width
  if (index < side.length && memory.words[at] === rank) return memory.words[at + 1]!
  return insertLevel(memory, side, index, rank)
}

/** Takes an empty level out of its side and forgets it. */
export function removeLevel(memory: Memory, side: BookSide, level: number): void {
  const { words } = memory
  const index = seek(memory, side, words[level + field.rank]!)
  const end = side.at + (side.length - 1) * width
  for (let at = side.at + index * width; at < end; at += 1) words[at] = words[at + width]!
  side.length -= 1
  memory.free(level, widthOfLevel)
  if (side.length > 0) return
  memory.free(side.at, side.capacity * width)
  side.capacity = 0
}

// How many levels of the side are worse than that rank.
function seek({ words }: Memory, side: BookSide, rank: number): number {
  const start = side.at
  let low = 0
  let high = side.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (words[start + middle * width]! < rank) low = middle + 1
    else high = middle
  }
  return low
}

function insertLevel(memory: Memory, side: BookSide, index: number, rank: number): number {
  const level = memory.take(widthOfLevel)
  if (side.length === side.capacity) widen(memory, side)
  const { words } = memory
  const place = side.at + index * width
  for (let at = side.at + side.length * width - 1; at >= place; at -= 1) {
    words[at + width] = words[at]!
  }
  words[place] = rank
  words[place + 1] = level
  side.length += 1
  memory.reals[(level + field.shares) >> 1] = 0
  words[level + field.first] = -1
  words[level + field.last] = -1
  words[level + field.orderCount] = 0
  words[level + field.rank] = rank
  words[level + field.side] = side.handle
  return level
}

function widen(memory: Memory, side: BookSide): void {
  const capacity = side.capacity === 0 ? fewest : side.capacity * 2
  const at = memory.take(capacity * width)
  const { words } = memory
  for (let word = 0; word < side.length * width; word += 1)
    words[at + word] = words[side.at + word]!
  if (side.capacity > 0) memory.free(side.at, side.capacity * width)
  side.at = at
  side.capacity = capacity
}
