// Whether the store has disk space. While it has none, the store is probed every two seconds.

import type { Log } from '../ops/log.ts'

const probeMs = 2_000

export type DiskSpaceOptions = {
  readonly probe: () => Promise<boolean>
  readonly onAvailable: () => void
  readonly log: Pick<Log, 'warn' | 'error'>
}

export class DiskSpace {
  isAvailable = true
  readonly #options: DiskSpaceOptions

  constructor(options: DiskSpaceOptions) {
    this.#options = options
  }

  markFull(): void {
    if (!this.isAvailable) return
    this.isAvailable = false
    const { log, onAvailable } = this.#options
    log.error('disk full')
    const timer = setInterval(async () => {
      if (!(await this.#probe())) return
      clearInterval(timer)
      this.isAvailable = true
      log.warn('disk space available again')
      onAvailable()
    }, probeMs)
    timer.unref()
  }

  // A store that fails during the probe reports the failure itself.
  #probe(): Promise<boolean> {
    return this.#options.probe().catch(() => false)
  }
}
