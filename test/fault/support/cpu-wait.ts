// How long a process was ready to run and had no processor. On a busy machine this time is the
// machine's and not the process's.

import { readFileSync } from 'node:fs'

export class CpuWait {
  readonly #path: string
  #ms = 0

  constructor(pid: number) {
    this.#path = `/proc/${pid}/schedstat`
  }

  /** Milliseconds of its main thread since its start; 0 on systems other than Linux. */
  get ms(): number {
    try {
      const [, waitedNs] = readFileSync(this.#path, 'utf8').split(' ')
      this.#ms = Number(waitedNs) / 1_000_000
    } catch {
      // The process has ended, and waits no longer.
    }
    return this.#ms
  }
}
