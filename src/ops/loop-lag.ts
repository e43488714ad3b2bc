// How late the event loop runs: the longest delay of a timer in the last whole second.

import { monitorEventLoopDelay } from 'node:perf_hooks'

const sampleMs = 10
const windowMs = 1_000

/** Measures for as long as the process runs, and does not keep it running. */
export class LoopLag {
  readonly #delays = monitorEventLoopDelay({ resolution: sampleMs })
  #ms = 0

  constructor() {
    this.#delays.enable()
    setInterval(() => this.#next(), windowMs).unref()
  }

  get ms(): number {
    return this.#ms
  }

  #next(): void {
    // Each sample is the time between two timers, in nanoseconds; without samples it is 0.
    this.#ms = Math.max(0, Math.round(this.#delays.max / 1e6) - sampleMs)
    this.#delays.reset()
  }
}
