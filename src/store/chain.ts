// The chain of turns: the hash of a turn covers its rows and the hash of the turn before it, so
// that a changed or missing turn is detected.

import { createHash } from 'node:crypto'

export const chainStart: Uint8Array = new Uint8Array(32)

export type HashedTurn = {
  readonly epoch: number
  readonly from: number
  readonly to: number
}

export function chainHash(previous: Uint8Array, turn: HashedTurn, rows: Uint8Array): Uint8Array {
  const { epoch, from, to } = turn
  return createHash('sha256')
    .update(previous)
    .update(`${epoch} ${from} ${to} `)
    .update(rows)
    .digest()
}
