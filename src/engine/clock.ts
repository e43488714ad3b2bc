// The clock of the service. It follows the machine's clock but never jumps with it: a step of more
// than two seconds is ignored, because it would expire orders too early or too late. It never goes
// back either: while the machine's clock is behind it, time passes at half pace until they meet.

/** More than a time service slews between two reads of the clock. */
const stepMax = 2_000
/** The part of the machine's pace at which time passes while the machine's clock is behind. */
const catchUpPace = 1 / 2
/** If the machine's clock is further behind the stored time, one of the two is probably wrong. */
const behindMsMax = 5 * 60_000

export type ClockSources = {
  /** Unix milliseconds; may jump. */
  readonly wall: () => number
  /** Milliseconds since some start; never jumps and never runs backwards. */
  readonly steady: () => number
  /** Called when the wall clock has jumped by that many milliseconds, which are ignored. */
  readonly onJump: (ms: number) => void
}

export class Clock {
  readonly #sources: ClockSources
  /** When the sources were last read, by the steady clock. */
  #steadyAt: number
  #offset: number
  /** How far logical time is ahead of the machine's time. */
  #lead = 0
  #last = 0
  #hasJumped = false

  constructor(sources: ClockSources) {
    this.#sources = sources
    this.#steadyAt = sources.steady()
    this.#offset = sources.wall() - this.#steadyAt
  }

  /** Logical time in whole Unix milliseconds; it never goes back. */
  now(): number {
    const now = Math.floor(this.#readMachine() + this.#lead)
    if (now > this.#last) this.#last = now
    return this.#last
  }

  /**
   * The machine's time without its jumps, in whole Unix milliseconds: for rates, and for times that
   * others compare with their own clocks.
   */
  wall(): number {
    return Math.floor(this.#readMachine())
  }

  /** How far the machine's time is behind logical time. */
  get behindMs(): number {
    this.#readMachine()
    return Math.floor(this.#lead)
  }

  /** Continues logical time from a stored time, if the machine's clock is behind it. */
  continueFrom(storedTime: number): void {
    this.#lead = Math.max(this.#lead, storedTime - this.#readMachine())
  }

  /** Why a service must not continue from a stored time by default; null if it may. */
  problemWith(storedTime: number): string | null {
    const wall = this.wall()
    const behindMs = storedTime - wall
    if (behindMs <= behindMsMax) return null
    const [clock, stored] = [wall, storedTime].map((time) => new Date(time).toISOString())
    return (
      `The system clock (${clock}) is ${Math.round(behindMs / 1_000)} seconds behind the time of ` +
      `the stored records (${stored}), more than ${behindMsMax / 1_000}; correct the clock, or ` +
      'set ACCEPT_CLOCK_BEHIND=true to let time pass at half pace until the clock has caught up.'
    )
  }

  #readMachine(): number {
    const steady = this.#sources.steady()
    const drift = this.#sources.wall() - steady - this.#offset
    const passed = steady - this.#steadyAt
    this.#steadyAt = steady
    const followed = this.#followedOf(drift)
    this.#offset += followed
    const hasJumped = followed !== drift
    if (hasJumped && !this.#hasJumped) this.#sources.onJump(drift - followed)
    this.#hasJumped = hasJumped
    this.#lead = Math.max(0, this.#lead - followed - passed * (1 - catchUpPace))
    return steady + this.#offset
  }

  // Logical time is ahead by the lead, so that a step up to there does not move it: the two meet.
  #followedOf(drift: number): number {
    if (drift < -stepMax) return 0
    return drift > this.#lead + stepMax ? this.#lead : drift
  }
}
