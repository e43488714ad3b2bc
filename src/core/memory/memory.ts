// One block of memory for the rows of all orders, levels, ladders and positions. A row is known by
// its place, counted in 32-bit words. Its fields are words or, two words wide, 64-bit reals.

import { assert } from '../assert.ts'
import type { Brand } from '../brand.ts'

/** A row by its place in memory: of an order, of a level, of a position. */
export type OrderRow = Brand<'order row'>
export type LevelRow = Brand<'level row'>
export type PositionRow = Brand<'position row'>

/** "No row", of whatever kind. */
export const none = -1 as Brand<'order row' | 'level row' | 'position row'>

const firstCapacity = 1 << 12
// A quarter at a time: at most a fifth of the memory is unused.
const growth = 1.25
/** The widest row: a ladder with a level at every price. */
const widthMax = 1 << 15
// A row is a place in an Int32Array. Seen as the upper half of a real it is never that of a NaN.
const capacityMax = 0x7ff00000
const noneFreed = -1

export class Memory {
  private words = new Int32Array(firstCapacity)
  private readonly tables: Table[] = []
  private end = 0
  /** By half their width: the first of the rows that were freed; each links to the next. */
  private readonly freed = new Int32Array(widthMax / 2 + 1).fill(noneFreed)

  /** Gives the table the block, now and whenever it moves. */
  attach(table: Table): void {
    this.tables.push(table)
    table.setBlock(this.words)
  }

  /** A row of that many words, an even number; its content is undefined. */
  allocate(width: number): number {
    const freed = this.freed[width >> 1]!
    if (freed !== noneFreed) {
      this.freed[width >> 1] = this.words[freed]!
      return freed
    }
    const row = this.end
    if (row + width > this.words.length) this.grow(width)
    this.end = row + width
    return row
  }

  free(row: number, width: number): void {
    this.words[row] = this.freed[width >> 1]!
    this.freed[width >> 1] = row
  }

  /** Copies words from one place to another; the two may overlap. */
  copy(from: number, to: number, width: number): void {
    this.words.copyWithin(to, from, from + width)
  }

  /** Forgets every row and keeps the block. */
  clear(): void {
    this.end = 0
    this.freed.fill(noneFreed)
  }

  get bytes(): number {
    return this.words.byteLength
  }

  private grow(width: number): void {
    const needed = this.end + width
    assert(needed <= capacityMax, 'the rows of one shard fit into 8 GiB')
    const wanted = Math.ceil((this.words.length * growth) / 2) * 2
    const words = new Int32Array(Math.min(Math.max(wanted, needed), capacityMax))
    words.set(this.words)
    this.words = words
    for (const table of this.tables) table.setBlock(words)
  }
}

/** The rows of one kind, which read and write the block directly. */
export class Table {
  protected readonly memory: Memory
  protected words!: Int32Array
  /** The same block as reals: the real at a word is reals[word >> 1]. */
  protected reals!: Float64Array

  constructor(memory: Memory) {
    this.memory = memory
    memory.attach(this)
  }

  /** Called with the current block when it has moved. */
  setBlock(words: Int32Array): void {
    this.words = words
    this.reals = new Float64Array(words.buffer)
  }
}
