// The one clock of the service. It follows the machine's, but never jumps with it: a step of more
// than a moment is not believed, since it would expire orders that nobody meant to expire.

/** Larger than what a machine's time service slews within one look at the clock. */
const stepMax = 2_000

export type ClockSources = {
  /** Unix milliseconds; may jump. */
  readonly wall: () => number
  /** Milliseconds that only ever pass. */
  readonly steady: () => number
  /** The wall clock jumped by that much, and was not followed. */
  readonly onJump: (ms: number) => void
}

export class Clock {
  readonly #sources: ClockSources
  #offset: number
  #hasJumped = false

  constructor(sources: ClockSources) {
    this.#sources = sources
    this.#offset = sources.wall() - sources.steady()
  }

  /** Whole Unix milliseconds. */
  now(): number {
    const steady = this.#sources.steady()
    const drift = this.#sources.wall() - steady - this.#offset
    if (Math.abs(drift) <= stepMax) {
      this.#offset += drift
      this.#hasJumped = false
    } else if (!this.#hasJumped) {
      this.#hasJumped = true
      this.#sources.onJump(drift)
    }
    return Math.floor(steady + this.#offset)
  }
}
