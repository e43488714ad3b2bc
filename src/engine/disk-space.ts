// Whether the store has room. When it has none, it is asked every two seconds until it has again.

import type { Log } from '../ops/log.ts'

const probeMs = 2_000

export type DiskSpaceOptions = {
  readonly probe: () => Promise<boolean>
  /** There is room again. */
  readonly onBack: () => void
  readonly log: Pick<Log, 'warn' | 'error'>
}

export class DiskSpace {
  isAvailable = true
  readonly #options: DiskSpaceOptions

  constructor(options: DiskSpaceOptions) {
    this.#options = options
  }

  /** The disk is full. */
  lose(): void {
    if (!this.isAvailable) return
    this.isAvailable = false
    const { log, onBack } = this.#options
    log.error('disk full')
    const timer = setInterval(async () => {
      if (!(await this.#probe())) return
      clearInterval(timer)
      this.isAvailable = true
      log.warn('disk has room again')
      onBack()
    }, probeMs)
    timer.unref()
  }

  // A store that is lost meanwhile says so itself: the process must not end here.
  #probe(): Promise<boolean> {
    return this.#options.probe().catch(() => false)
  }
}
