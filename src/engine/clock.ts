// The clock of the service. It follows the machine's clock but never jumps with it: a step of more
// than two seconds is ignored, because it would expire orders too early or too late.

/** More than a time service slews between two reads of the clock. */
const stepMax = 2_000

export type ClockSources = {
  /** Unix milliseconds; may jump. */
  readonly wall: () => number
  /** Milliseconds since some start; never jumps and never runs backwards. */
  readonly steady: () => number
  /** Called when the wall clock has jumped by that many milliseconds. */
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
