// A clock and timers that a test controls.

import type { Timing } from '../../../src/feed/timing.ts'

type Timer = { readonly at: number; readonly run: () => void }

export class TestTiming implements Timing {
  #now: number
  #timers: Timer[] = []

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now
  }

  readonly now = () => this.#now
  /** How far logical time is ahead of the machine's. */
  leadMs = 0
  readonly wall = () => this.#now - this.leadMs

  readonly after = (ms: number, run: () => void) => {
    const timer = { at: this.#now + ms, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  /** The number of timers that have not run. */
  get waiting(): number {
    return this.#timers.length
  }

  /** Advances the time and runs the timers that are due, each at its time. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms
    await settled()
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (next === undefined) break
      this.#timers = this.#timers.filter((other) => other !== next)
      this.#now = Math.max(this.#now, next.at)
      next.run()
      await settled()
    }
    this.#now = end
  }
}

/** Resolves when all work that needs no timer is done. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
