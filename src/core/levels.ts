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

/** An order that comes to a level or goes from it, with what remains of it. */
export type LevelChange = {
  /** The handle of the level's side. */
  readonly side: number
  readonly level: number
  readonly order: number
  readonly shares: number
}

/** Puts an order at the end of the queue, and writes the level down. */
export function append(memory: Memory, journal: Journal, change: LevelChange): void {
  const { reals, words } = memory
  const { level, order: added } = change
  const last = words[level + field.last]!
  words[added + order.level] = level
  words[added + order.next] = -1
  words[added + order.previous] = last
  if (last < 0) words[level + field.first] = added
  else words[last + order.next] = added
  words[level + field.last] = added
  const orderCount = words[level + field.orderCount]! + 1
  words[level + field.orderCount] = orderCount
  const shares = reals[(level + field.shares) >>> 1]! + change.shares
  reals[(level + field.shares) >>> 1] = shares
  const rank = words[level + field.rank]!
  writeFact(journal, { side: change.side, rank, shares, orderCount })
}

/** Takes an order out, wherever it stands, and writes the level down; says how many are left. */
export function remove(memory: Memory, journal: Journal, change: LevelChange): number {
  const { reals, words } = memory
  const { level, order: removed } = change
  const next = words[removed + order.next]!
  const previous = words[removed + order.previous]!
  if (previous < 0) words[level + field.first] = next
  else words[previous + order.next] = next
  if (next < 0) words[level + field.last] = previous
  else words[next + order.previous] = previous
  const orderCount = words[level + field.orderCount]! - 1
  words[level + field.orderCount] = orderCount
  const shares = reals[(level + field.shares) >>> 1]! - change.shares
  reals[(level + field.shares) >>> 1] = shares
  const rank = words[level + field.rank]!
  writeFact(journal, { side: change.side, rank, shares, orderCount })
  return orderCount
}

/** Takes the first order out, of which nothing is left; says how many are left. */
export function removeFirst({ words }: Memory, level: number): number {
  const next = words[words[level + field.first]! + order.next]!
  words[level + field.first] = next
  if (next < 0) words[level + field.last] = -1
  else words[next + order.previous] = -1
  const left = words[level + field.orderCount]! - 1
  words[level + field.orderCount] = left
  return left
}

/** Writes down how a level of that side stands. */
export function write(memory: Memory, journal: Journal, side: number, level: number): void {
  const rank = rankOf(memory, level)
  const shares = sharesOf(memory, level)
  writeFact(journal, { side, rank, shares, orderCount: orderCountOf(memory, level) })
}

type Standing = { side: number; rank: number; shares: number; orderCount: number }

function writeFact(journal: Journal, { side, rank, shares, orderCount }: Standing): void {
  const at = journal.addReady(kind, size)
  const { facts } = journal
  facts[at + fact.side] = side
  facts[at + fact.rank] = rank
  facts[at + fact.shares] = shares
  facts[at + fact.orderCount] = orderCount
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
  return reals[(level + field.shares) >>> 1]!
}
