// How often one client may speak. Who goes on after being told to slow down is sent away.

export type Verdict = 'taken' | 'refused' | 'enough'

export class InboundRate {
  readonly #burst: number
  readonly #perMs: number
  #tokens: number
  #filledAt: number
  #refused = 0

  constructor({ perSecond, burst, now }: { perSecond: number; burst: number; now: number }) {
    this.#burst = burst
    this.#perMs = perSecond / 1_000
    this.#tokens = burst
    this.#filledAt = now
  }

  take(now: number): Verdict {
    const elapsedMs = Math.max(0, now - this.#filledAt)
    this.#tokens = Math.min(this.#burst, this.#tokens + elapsedMs * this.#perMs)
    this.#filledAt = now
    // A full bucket: it has listened.
    if (this.#tokens === this.#burst) this.#refused = 0
    if (this.#tokens >= 1) {
      this.#tokens -= 1
      return 'taken'
    }
    this.#refused += 1
    return this.#refused > this.#burst ? 'enough' : 'refused'
  }
}
