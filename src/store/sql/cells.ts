// Converts the cells of a row to the types that they must have.

import { assert } from '../../core/assert.ts'
import type { Serial } from '../../core/ids.ts'

export type StoredCell = number | string | bigint | Uint8Array | null
export type Cell = StoredCell | undefined
export type Cells = Readonly<Record<string, StoredCell>>

export function numberOf(cell: Cell): number {
  assert(typeof cell === 'number', 'a stored cell is a number')
  return cell
}

export function serialOf(cell: Cell): Serial {
  return numberOf(cell) as Serial
}

export function textOf(cell: Cell): string {
  assert(typeof cell === 'string', 'a stored cell is a text')
  return cell
}

export function textOrNull(cell: Cell): string | null {
  return cell === null ? null : textOf(cell)
}

/** 0 stands for none. */
export function numberOrNull(cell: Cell): number | null {
  const number = numberOf(cell)
  return number === 0 ? null : number
}

/** A sum: a number, or a decimal text past 2^53. */
export function exactOf(cell: Cell): bigint {
  assert(typeof cell === 'number' || typeof cell === 'string', 'a stored cell is a sum')
  return BigInt(cell)
}

/** The word with that index in its list. */
export function wordOf<Word extends string>(words: readonly Word[], cell: Cell): Word {
  const word = words[numberOf(cell)]
  assert(word !== undefined, 'a stored word is in its list')
  return word
}
