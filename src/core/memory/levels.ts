// The price levels of all books: the orders that rest at one price, first come first, as a list
// linked through their rows. A level counts its shares and orders; it never stands empty in a book.

import { factSizes, type Journal, LEVEL, levelFact } from '../state/journal.ts'
import { levelField, orderField } from './layout.ts'
import type { Memory } from './memory.ts'

// V8 folds a constant of the module itself, but reads an imported one anew at each use.
const field = levelField
const order = orderField
const kind = LEVEL
const size = factSizes[LEVEL]!
const fact = levelFact

/** Where the rows are, and where changes are written down. */
type Rows = { readonly memory: Memory; readonly journal: Journal }

/** Puts an order with that many shares left at the end of the queue, and writes the level down. */
export function append(rows: Rows, level: number, added: number, shares: number): void {
  const { reals, words } = rows.memory
  const last = words[(level + field.last) | 0]!
  words[(added + order.level) | 0] = level
  words[(added + order.next) | 0] = -1
  words[(added + order.previous) | 0] = last
  if (last < 0) words[(level + field.first) | 0] = added
  else words[(last + order.next) | 0] = added
  words[(level + field.last) | 0] = added
  words[(level + field.orderCount) | 0]! += 1
  reals[(level + field.shares) >>> 1]! += shares
  writeFact(rows, level)
}

/**
 * Takes an order with that many shares left out, wherever it stands, and writes the level down;
 * says how many are left.
 */
export function remove(rows: Rows, level: number, removed: number, shares: number): number {
  const { reals, words } = rows.memory
  const next = words[(removed + order.next) | 0]!
  const previous = words[(removed + order.previous) | 0]!
  if (previous < 0) words[(level + field.first) | 0] = next
  else words[(previous + order.next) | 0] = next
  if (next < 0) words[(level + field.last) | 0] = previous
  else words[(next + order.previous) | 0] = previous
  const left = words[(level + field.orderCount) | 0]! - 1
  words[(level + field.orderCount) | 0] = left
  reals[(level + field.shares) >>> 1]! -= shares
  writeFact(rows, level)
  return left
}

/** Puts an order where another one stood, with that many shares fewer, and writes it down. */
export function replace(rows: Rows, was: number, added: number, fewer: number): void {
  const { reals, words } = rows.memory
  const level = words[(was + order.level) | 0]!
  const next = words[(was + order.next) | 0]!
  const previous = words[(was + order.previous) | 0]!
  words[(added + order.level) | 0] = level
  words[(added + order.next) | 0] = next
  words[(added + order.previous) | 0] = previous
  if (previous < 0) words[(level + field.first) | 0] = added
  else words[(previous + order.next) | 0] = added
  if (next < 0) words[(level + field.last) | 0] = added
  else words[(next + order.previous) | 0] = added
  if (fewer === 0) return
  reals[(level + field.shares) >>> 1]! -= fewer
  writeFact(rows, level)
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

/** Writes down how a level stands. */
export const write = (rows: Rows, level: number): void => writeFact(rows, level)

const writeFact = ({ journal, memory }: Rows, level: number): void => {
  const { reals, words } = memory
  const at = journal.addReady(kind, size)
  const { facts } = journal
  facts[at + fact.side] = words[(level + field.side) | 0]!
  facts[at + fact.rank] = words[(level + field.rank) | 0]!
  facts[at + fact.shares] = reals[(level + field.shares) >>> 1]!
  facts[at + fact.orderCount] = words[(level + field.orderCount) | 0]!
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
