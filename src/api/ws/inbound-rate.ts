// The rate limit of one client's messages. A client that exceeds it for long is disconnected.

export type Verdict = 'accepted' | 'refused' | 'disconnect'

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

  consume(now: number): Verdict {
    const elapsedMs = Math.max(0, now - this.#filledAt)
    this.#tokens = Math.min(this.#burst, this.#tokens + elapsedMs * this.#perMs)
    this.#filledAt = now
    // A full bucket: the client has slowed down.
    if (this.#tokens === this.#burst) this.#refused = 0
    if (this.#tokens >= 1) {
      this.#tokens -= 1
      return 'accepted'
    }
    this.#refused += 1
    return this.#refused > this.#burst ? 'disconnect' : 'refused'
  }
}
