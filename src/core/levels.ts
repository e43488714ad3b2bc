// The price levels of all books: the orders that rest at one price, first come first, as a list
// linked through their rows. A level counts its shares and orders; it never stands empty in a book.

import { factSizes, type Journal, LEVEL, levelFact } from './journal.ts'
import { levelField, orderField } from './layout.ts'
import type { Memory } from './memory.ts'

// V8 folds a constant of the module itself, but reads an imported one anew at each use.
const field = levelField
const order = orderField
const kind = LEVEL
const size = factSizes[LEVEL]!
const fact = levelFact

/** Puts an order at the end of the queue, and writes the level down. */
export function append(memory: Memory, journal: Journal, level: number, added: number): void {
  const { reals, words } = memory
  const last = words[level + field.last]!
  words[added + order.level] = level
  words[added + order.next] = -1
  words[added + order.previous] = last
  if (last < 0) words[level + field.first] = added
  else words[last + order.next] = added
  words[level + field.last] = added
  words[level + field.orderCount]! += 1
  reals[(level + field.shares) >> 1]! += words[added + order.shares]! - words[added + order.filled]!
  write(memory, journal, level)
}

/** Takes an order out, wherever it stands, and writes the level down; says how many are left. */
export function remove(memory: Memory, journal: Journal, level: number, removed: number): number {
  const { reals, words } = memory
  const next = words[removed + order.next]!
  const previous = words[removed + order.previous]!
  if (previous < 0) words[level + field.first] = next
  else words[previous + order.next] = next
  if (next < 0) words[level + field.last] = previous
  else words[next + order.previous] = previous
  const left = words[level + field.orderCount]! - 1
  words[level + field.orderCount] = left
  reals[(level + field.shares) >> 1]! -=
    words[removed + order.shares]! - words[removed + order.filled]!
  write(memory, journal, level)
  return left
}

/** Writes down how a level stands. */
export function write({ reals, words }: Memory, journal: Journal, level: number): void {
  const at = journal.add(kind, size)
  const { facts } = journal
  facts[at + fact.side] = words[level + field.side]!
  facts[at + fact.rank] = words[level + field.rank]!
  facts[at + fact.shares] = reals[(level + field.shares) >> 1]!
  facts[at + fact.orderCount] = words[level + field.orderCount]!
}

export function firstOrder({ words }: Memory, level: number): number {
  return words[level + field.first]!
}

export function rankOf({ words }: Memory, level: number): number {
  return words[level + field.rank]!
}

export function orderCountOf({ words }: Memory, level: number): number {
  return words[level + field.orderCount]!
}

export function sharesOf({ reals }: Memory, level: number): number {
  return reals[(level + field.shares) >> 1]!
}
