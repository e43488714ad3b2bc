// One side of a live book: its levels by price, and in order.

import type { Level } from '../generated/wire.ts'

/** A snapshot shows so many levels at most; what lies beyond is not known. */
const snapshotLevels = 1_000

export class BookSide {
  readonly #isBetter: (price: number, other: number) => boolean
  readonly #byPrice = new Map<number, Level>()
  #sorted: readonly Level[] | null = []
  /** The worst price that is known of; null where all are. */
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

  /** Whether so few of the known levels are left that the unknown ones matter. */
  get isThin(): boolean {
    return this.#edge !== null && this.#byPrice.size < snapshotLevels / 2
  }

  take(levels: readonly Level[]): void {
    this.#byPrice.clear()
    for (const level of levels) this.#byPrice.set(level.price, level)
    this.#edge = levels.length < snapshotLevels ? null : (levels.at(-1)?.price ?? null)
    this.#sorted = null
  }

  change(levels: readonly Level[]): void {
    for (const level of levels) {
      if (this.#edge !== null && this.#isBetter(this.#edge, level.price)) continue
      if (level.shares === 0) this.#byPrice.delete(level.price)
      else this.#byPrice.set(level.price, level)
    }
    if (levels.length > 0) this.#sorted = null
  }
}
