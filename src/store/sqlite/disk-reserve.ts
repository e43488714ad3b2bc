// A file that only takes up disk space. When the disk is full, it is emptied: what was committed
// can then still be derived, so that reads work. Until it is filled again, nothing is committed,
// because that would use the space.

import { randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync, statfsSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { needsSpace } from './failures.ts'

/** More than the log of the database grows while everything pending is derived. */
const bytesMax = 16 * 1024 * 1024
/** Of a small disk. */
const shareMax = 1 / 8
const bytesAtOnce = 64 * 1024

export class DiskReserve {
  readonly #folder: string
  readonly #file: string

  constructor(folder: string) {
    this.#folder = folder
    this.#file = join(folder, 'reserve')
  }

  /** Also after a restart. False if there never was a reserve. */
  get isReleased(): boolean {
    return this.#size === 0
  }

  /** Returns false if it stays released, because the disk has no space for it. */
  fill(): boolean {
    const before = this.#size
    try {
      const { blocks, bavail, bsize } = statfsSync(this.#folder)
      const bytes = Math.min(bytesMax, blocks * bsize * shareMax)
      // It is smaller if a process ended while it filled it, or if the disk has grown since.
      if (before !== null && before >= bytes) return true
      // Otherwise it would fail, and so would everything else that writes meanwhile.
      if (bavail * bsize < bytes) return before !== 0
      const file = openSync(this.#file, 'w', 0o600)
      try {
        const part = randomBytes(bytesAtOnce)
        for (let at = 0; at < bytes; at += part.length) writeSync(file, part)
      } finally {
        closeSync(file)
      }
      return true
    } catch {
      // The service works without a reserve that it never had.
      if (before === null) rmSync(this.#file, { force: true })
      else truncateSync(this.#file)
      return before === null
    }
  }

  /** Runs the work; if the disk is full, once more with the space of the reserve. */
  withSpace<Answer>(work: () => Answer): Answer {
    try {
      return work()
    } catch (error) {
      if (!needsSpace(error) || !this.release()) throw error
      return work()
    }
  }

  /** Returns false if there is none, or if it was released before. */
  release(): boolean {
    const size = this.#size
    if (size === null || size === 0) return false
    truncateSync(this.#file)
    return true
  }

  get #size(): number | null {
    return statSync(this.#file, { throwIfNoEntry: false })?.size ?? null
  }
}
