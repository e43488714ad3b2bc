// A table of fixed-width rows in one block of memory, addressed by small integers (handles).
// A row is read as 32-bit words or as 64-bit reals; neighbours of one row share cache lines.

import { assert } from './assert.ts'

/** Stands for "no row". */
export const none = -1

const fewest = 64
// A quarter at a time: copying stays rare and at most a fifth of the memory lies idle.
const growth = 1.25

export class Rows {
  /** Words in a row; even, so that reals stay aligned. */
  readonly width: number
  words: Int32Array
  reals: Float64Array
  /** How many rows are in use. */
  size = 0
  #capacity = fewest
  /** Rows below this were handed out at least once. */
  #fresh = 0
  #firstFree = none

  constructor(width: number) {
    assert(width % 2 === 0, 'rows are a whole number of reals wide')
    this.width = width
    this.words = new Int32Array(fewest * width)
    this.reals = new Float64Array(this.words.buffer)
  }

  /** A row for use, its content undefined. */
  take(): number {
    this.size += 1
    if (this.#firstFree !== none) {
      const row = this.#firstFree
      this.#firstFree = this.words[row * this.width]!
      return row
    }
    if (this.#fresh === this.#capacity) this.#grow()
    this.#fresh += 1
    return this.#fresh - 1
  }

  /** Hands a row back; its first word then links the free rows. */
  free(row: number): void {
    this.size -= 1
    this.words[row * this.width] = this.#firstFree
    this.#firstFree = row
  }

  /** Forgets every row and keeps the memory. */
  freeAll(): void {
    this.size = 0
    this.#fresh = 0
    this.#firstFree = none
  }

  get bytes(): number {
    return this.words.byteLength
  }

  #grow(): void {
    this.#capacity = Math.ceil(this.#capacity * growth)
    const words = new Int32Array(this.#capacity * this.width)
    words.set(this.words)
    this.words = words
    this.reals = new Float64Array(words.buffer)
  }
}
