// How far the tables are, in memory that the threads share: a thread that reads waits for them by
// itself. Through the event loop, which is busiest under load, it would wait longer.

import { StoreUnavailable } from '../store.ts'

const derivedTo = 0
const failures = 1
const closed = 2
const cellCount = 3

/** How often a thread that waits looks whether its read is abandoned. */
const checkMs = 50

/** As it is given to a thread. */
export type ProgressCells = BigInt64Array<SharedArrayBuffer>

export class DerivedProgress {
  readonly cells: ProgressCells

  constructor(cells?: ProgressCells) {
    const bytes = cellCount * BigInt64Array.BYTES_PER_ELEMENT
    this.cells = cells ?? new BigInt64Array(new SharedArrayBuffer(bytes))
  }

  /** The tables have everything up to that command. */
  setDerived(to: number): void {
    Atomics.store(this.cells, derivedTo, BigInt(to))
    Atomics.notify(this.cells, derivedTo)
  }

  /** Reads that wait now fail: the tables could not be derived. */
  setFailed(): void {
    Atomics.add(this.cells, failures, 1n)
    Atomics.notify(this.cells, derivedTo)
  }

  /** Nothing is derived any more: a read that waits fails, now and later. */
  setClosed(): void {
    Atomics.store(this.cells, closed, 1n)
    Atomics.notify(this.cells, derivedTo)
  }

  /**
   * Blocks the thread until the tables have that command, or the read is abandoned. Throws
   * StoreUnavailable.
   */
  wait(to: number, isAbandoned: () => boolean): void {
    const failuresBefore = Atomics.load(this.cells, failures)
    while (!isAbandoned()) {
      const derived = Atomics.load(this.cells, derivedTo)
      if (derived >= BigInt(to)) return
      const isClosed = Atomics.load(this.cells, closed) === 1n
      if (isClosed || Atomics.load(this.cells, failures) !== failuresBefore) {
        throw new StoreUnavailable('The tables do not have everything that is committed.')
      }
      Atomics.wait(this.cells, derivedTo, derived, checkMs)
    }
  }
}
