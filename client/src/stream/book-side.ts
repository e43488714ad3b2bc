// One side of a live book: its levels by price and in order.

import type { Level } from '../generated/wire.ts'

/** A snapshot has at most this many levels; those beyond are unknown. */
const snapshotLevels = 1_000

export class BookSide {
  readonly #isBetter: (price: number, other: number) => boolean
  readonly #byPrice = new Map<number, Level>()
  #sorted: readonly Level[] | null = []
  /** The worst known price; null if all levels are known. */
  #edge: number | null = null

  constructor(side: 'bids' | 'asks') {
    this.#isBetter = side === 'bids' ? (a, b) => a > b : (a, b) => a < b
  }

  /** Best first. */
  get levels(): readonly Level[] {
    this.#sorted ??= [...this.#byPrice.values()].sort((a, b) =>
      this.#isBetter(a.price, b.price) ? -1 : 1,
    )
    return this.#sorted
  }

  /** Whether so few known levels are left that the unknown ones matter. */
  get isThin(): boolean {
    return this.#edge !== null && this.#byPrice.size < snapshotLevels / 2
  }

  replace(levels: readonly Level[]): void {
    this.#byPrice.clear()
    for (const level of levels) this.#byPrice.set(level.price, level)
    this.#edge = levels.length < snapshotLevels ? null : (levels.at(-1)?.price ?? null)
    this.#sorted = null
  }

  update(levels: readonly Level[]): void {
    for (const level of levels) {
      if (this.#edge !== null && this.#isBetter(this.#edge, level.price)) continue
      if (level.shares === 0) this.#byPrice.delete(level.price)
      else this.#byPrice.set(level.price, level)
    }
    if (levels.length > 0) this.#sorted = null
  }
}
