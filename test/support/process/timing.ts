// A time that the test moves, for what waits.

import type { Timing } from '../../../src/feed/timing.ts'

type QueuedCommand = { readonly at: number; readonly run: () => void }

export class TestTiming implements Timing {
  #now: number
  #waiting: QueuedCommand[] = []

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now
  }

  readonly now = () => this.#now

  readonly after = (ms: number, run: () => void) => {
    const waiting = { at: this.#now + ms, run }
    this.#waiting.push(waiting)
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== waiting)
    }
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Lets the time pass, and what is due happen, each at its time. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms
    await settled()
    for (;;) {
      const [next] = this.#waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (next === undefined) break
      this.#waiting = this.#waiting.filter((other) => other !== next)
      this.#now = Math.max(this.#now, next.at)
      next.run()
      await settled()
    }
    this.#now = end
  }
}

/** Everything that waits for no time has happened. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
