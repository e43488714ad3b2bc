// The chain of turns: the hash of a turn covers its rows and the hash of the turn before it, so
// that a changed or missing turn is detected.

import { createHash } from 'node:crypto'
import type { PackedRows } from './rows.ts'

export const chainStart: Uint8Array = new Uint8Array(32)

export function chainHash(
  previous: Uint8Array,
  turn: { epoch: number; from: number; to: number; rows: PackedRows },
): Uint8Array {
  const { epoch, from, to, rows } = turn
  const { buffer, byteOffset } = rows.numbers
  return createHash('sha256')
    .update(previous)
    .update(`${epoch} ${from} ${to} `)
    .update(new Uint8Array(buffer, byteOffset, rows.length * 8))
    .update(JSON.stringify(rows.texts))
    .digest()
}
