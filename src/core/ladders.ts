// For each side of each book its levels in order of price, worst first, so that the best is the
// last: small sorted rows of pairs (rank, level). An empty side occupies nothing.

import { levelField, levelWidth } from './layout.ts'
import type { Memory } from './memory.ts'

// V8 folds a constant of the module itself, but reads an imported one anew at each use.
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

/** Words of a pair. One real holds both, and moves them together. */
const width = 2
const fewest = 4

/** The best price of a side, or 0, as its row has it. */
export function bestPrice({ words }: Memory, side: BookSide): number {
  return side.length === 0 ? 0 : Math.abs(words[side.at + side.length * width - 2]!)
}

/** The level at the best price of a side that is not empty. */
export function bestLevel({ words }: Memory, side: BookSide): number {
  return words[side.at + side.length * width - 1]!
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
  const { reals, words } = memory
  const index = seek(memory, side, words[level + field.rank]!)
  const length = side.length - 1
  const start = side.at >> 1
  for (let at = start + index; at < start + length; at += 1) reals[at] = reals[at + 1]!
  side.length = length
  memory.free(level, widthOfLevel)
  if (length === 0) dropRow(memory, side)
  else if (index === length) side.bestPrice = Math.abs(words[side.at + (length - 1) * width]!)
}

// How many levels of the side are worse than that rank. No branch depends on what it finds: the
// turns of a search cannot be foreseen, and each wrong guess would cost more than a step.
function seek({ words }: Memory, side: BookSide, rank: number): number {
  const start = side.at
  let at = start
  let left = side.length
  if (left === 0) return 0
  while (left > 1) {
    const half = left >> 1
    const step = half << 1
    // All ones where that level is worse, else 0. "| 0" tells V8 that nothing overflows.
    const isWorse = (words[(at + step - 2) | 0]! - rank) >> 31
    at = (at + (step & isWorse)) | 0
    left = (left - half) | 0
  }
  return ((at - start) >> 1) - ((words[at]! - rank) >> 31)
}

function insertLevel(memory: Memory, side: BookSide, index: number, rank: number): number {
  const level = memory.takeFurther(widthOfLevel)
  const { length } = side
  if (length === side.capacity) widen(memory, side)
  const { reals, words } = memory
  const start = side.at >> 1
  for (let at = start + length; at > start + index; at -= 1) reals[at] = reals[at - 1]!
  words[side.at + index * width] = rank
  words[side.at + index * width + 1] = level
  side.length = length + 1
  if (index === length) side.bestPrice = Math.abs(rank)
  reals[(level + field.shares) >>> 1] = 0
  words[level + field.first] = -1
  words[level + field.last] = -1
  words[level + field.orderCount] = 0
  words[level + field.rank] = rank
  return level
}

function widen(memory: Memory, side: BookSide): void {
  const capacity = side.capacity === 0 ? fewest : side.capacity * 2
  const at = memory.takeFurther(capacity * width)
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
