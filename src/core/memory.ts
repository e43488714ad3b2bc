// One block of memory for the rows of all orders, levels, ladders and positions. A row is known
// by its place, counted in 32-bit words, and is read as words or, in pairs of them, as 64-bit
// reals. One block for all means that a command loads two arrays, however many rows it visits.

import { assert } from './assert.ts'

/** Stands for "no row". */
export const none = -1

const firstCapacity = 1 << 12
// A quarter at a time: at most a fifth of the memory lies idle.
const growth = 1.25
/** The widest row: a ladder with a level at every price. */
const widthMax = 1 << 15
// A row is a place in an Int32Array.
const capacityMax = 2 ** 31 - 2

export class Memory {
  words = new Int32Array(firstCapacity)
  reals = new Float64Array(this.words.buffer)
  #end = 0
  /** By half their width: the first of the rows that were freed; each links to the next. */
  readonly #free = new Int32Array(widthMax / 2 + 1).fill(none)

  /** A row of that many words, an even number; its content is whatever it was. */
  take(width: number): number {
    const freed = this.#free[width >> 1]!
    if (freed !== none) {
      this.#free[width >> 1] = this.words[freed]!
      return freed
    }
    const row = this.#end
    this.#end += width
    if (this.#end > this.words.length) this.#grow()
    return row
  }

  free(row: number, width: number): void {
    this.words[row] = this.#free[width >> 1]!
    this.#free[width >> 1] = row
  }

  /** Forgets every row and keeps the block. */
  clear(): void {
    this.#end = 0
    this.#free.fill(none)
  }

  get bytes(): number {
    return this.words.byteLength
  }

  #grow(): void {
    assert(this.#end <= capacityMax, 'the rows of one shard fit into 8 GiB')
    const wanted = Math.ceil((this.words.length * growth) / 2) * 2
    const words = new Int32Array(Math.min(Math.max(wanted, this.#end), capacityMax))
    words.set(this.words)
    this.words = words
    this.reals = new Float64Array(words.buffer)
  }
}
