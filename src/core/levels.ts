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
  const last = words[(level + field.last) | 0]!
  words[(added + order.level) | 0] = level
  words[(added + order.next) | 0] = -1
  words[(added + order.previous) | 0] = last
  if (last < 0) words[(level + field.first) | 0] = added
  else words[(last + order.next) | 0] = added
  words[(level + field.last) | 0] = added
  const orderCount = words[(level + field.orderCount) | 0]! + 1
  words[(level + field.orderCount) | 0] = orderCount
  const shares = reals[(level + field.shares) >>> 1]! + change.shares
  reals[(level + field.shares) >>> 1] = shares
  const rank = words[(level + field.rank) | 0]!
  writeFact(journal, { side: change.side, rank, shares, orderCount })
}

/** Takes an order out, wherever it stands, and writes the level down; says how many are left. */
export function remove(memory: Memory, journal: Journal, change: LevelChange): number {
  const { reals, words } = memory
  const { level, order: removed } = change
  const next = words[(removed + order.next) | 0]!
  const previous = words[(removed + order.previous) | 0]!
  if (previous < 0) words[(level + field.first) | 0] = next
  else words[(previous + order.next) | 0] = next
  if (next < 0) words[(level + field.last) | 0] = previous
  else words[(next + order.previous) | 0] = previous
  const orderCount = words[(level + field.orderCount) | 0]! - 1
  words[(level + field.orderCount) | 0] = orderCount
  const shares = reals[(level + field.shares) >>> 1]! - change.shares
  reals[(level + field.shares) >>> 1] = shares
  const rank = words[(level + field.rank) | 0]!
  writeFact(journal, { side: change.side, rank, shares, orderCount })
  return orderCount
}

/** Puts an order where another one stood, with that many shares fewer, and writes it down. */
export function replace(memory: Memory, journal: Journal, change: LevelChange, was: number): void {
  const { reals, words } = memory
  const { level, order: added } = change
  const next = words[(was + order.next) | 0]!
  const previous = words[(was + order.previous) | 0]!
  words[(added + order.level) | 0] = level
  words[(added + order.next) | 0] = next
  words[(added + order.previous) | 0] = previous
  if (previous < 0) words[(level + field.first) | 0] = added
  else words[(previous + order.next) | 0] = added
  if (next < 0) words[(level + field.last) | 0] = added
  else words[(next + order.previous) | 0] = added
  if (change.shares === 0) return
  reals[(level + field.shares) >>> 1]! -= change.shares
  write(memory, journal, change.side, level)
}

/** Takes the first order out, of which nothing is left; says how many are left. */
export function removeFirst({ words }: Memory, level: number): number {
  const next = words[words[(level + field.first) | 0]! + order.next]!
  words[(level + field.first) | 0] = next
  if (next < 0) words[(level + field.last) | 0] = -1
  else words[(next + order.previous) | 0] = -1
  const left = words[(level + field.orderCount) | 0]! - 1
  words[(level + field.orderCount) | 0] = left
  return left
}

/** Writes down how a level of that side stands. */
export function write(memory: Memory, journal: Journal, side: number, level: number): void {
  const rank = rankOf(memory, level)
  const shares = sharesOf(memory, level)
  writeFact(journal, { side, rank, shares, orderCount: orderCountOf(memory, level) })
}

type Standing = { side: number; rank: number; shares: number; orderCount: number }

const writeFact = (journal: Journal, { side, rank, shares, orderCount }: Standing): void => {
  const at = journal.addReady(kind, size)
  const { facts } = journal
  facts[at + fact.side] = side
  facts[at + fact.rank] = rank
  facts[at + fact.shares] = shares
  facts[at + fact.orderCount] = orderCount
}

export function firstOrder({ words }: Memory, level: number): number {
  return words[(level + field.first) | 0]!
}

export function rankOf({ words }: Memory, level: number): number {
  return words[(level + field.rank) | 0]!
}

export function orderCountOf({ words }: Memory, level: number): number {
  return words[(level + field.orderCount) | 0]!
}

export function sharesOf({ reals }: Memory, level: number): number {
  return reals[(level + field.shares) >>> 1]!
}
