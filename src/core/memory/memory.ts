// One block of memory for the rows of all orders, levels, ladders and positions. A row is known
// by its place, counted in 32-bit words, and is read as words or, in pairs of them, as 64-bit
// reals. One block for all means that a command loads two arrays, however many rows it visits.

import * as asserts from '../assert.ts'

// V8 folds what the module itself declares, but reads an import anew at each use.
const assert: typeof asserts.assert = asserts.assert
const { fail } = asserts

const noRow = -1
/** Stands for "no row". */
export const none = noRow

const firstCapacity = 1 << 12
// A quarter at a time: at most a fifth of the memory lies idle.
const growth = 1.25
/** The widest row: a ladder with a level at every price. */
const widthMax = 1 << 15
/** What one order may need behind its own row: a level, and a ladder that has it. */
const furtherMax = widthMax + 64
// A row is a place in an Int32Array. Seen as the upper half of a real it is never that of a NaN.
const capacityMax = 0x7ff00000

export class Memory {
  words = new Int32Array(firstCapacity)
  reals = new Float64Array(this.words.buffer)
  private end = 0
  /** By half their width: the first of the rows that were freed; each links to the next. */
  private readonly freed = new Int32Array(widthMax / 2 + 1).fill(noRow)

  /** A row of that many words, an even number; its content is whatever it was. */
  take(width: number): number {
    this.reserve(width)
    return this.allocateReserved(width)
  }

  /** Room for a row of that width, and for what one order may need behind it. */
  reserve(width: number): void {
    if (this.end + width + furtherMax > this.words.length) this.grow(width)
  }

  /** A row where room was made. It needs no new block, so the arrays at hand stay valid. */
  allocateReserved(width: number): number {
    const freed = this.freed[width >> 1]!
    if (freed !== noRow) {
      this.freed[width >> 1] = this.words[freed]!
      return freed
    }
    const row = this.end
    this.end = row + width
    if (row + width > this.words.length) fail('there is room for a further row')
    return row
  }

  free(row: number, width: number): void {
    this.words[row] = this.freed[width >> 1]!
    this.freed[width >> 1] = row
  }

  /** Forgets every row and keeps the block. */
  clear(): void {
    this.end = 0
    this.freed.fill(noRow)
  }

  get bytes(): number {
    return this.words.byteLength
  }

  private grow(width: number): void {
    const needed = this.end + width + furtherMax
    assert(needed <= capacityMax, 'the rows of one shard fit into 8 GiB')
    const wanted = Math.ceil((this.words.length * growth) / 2) * 2
    const words = new Int32Array(Math.min(Math.max(wanted, needed), capacityMax))
    words.set(this.words)
    this.words = words
    this.reals = new Float64Array(words.buffer)
  }
}
