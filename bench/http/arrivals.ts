// When requests are meant to start: evenly spaced, whatever becomes of those before. Who sends late
// because the server stalls still counts from here, so a stall is felt by all that arrive in it.

export type ArrivalPlan = {
  readonly perSecond: number
  /** Milliseconds of one clock; the last arrival is before the end. */
  readonly startAt: number
  readonly endAt: number
}

export class Arrivals {
  readonly #plan: ArrivalPlan
  #taken = 0

  constructor(plan: ArrivalPlan) {
    this.#plan = plan
  }

  /** When the next is meant to start; null when there is none left. */
  get nextAt(): number | null {
    const { perSecond, startAt, endAt } = this.#plan
    const at = startAt + (this.#taken * 1000) / perSecond
    return at < endAt ? at : null
  }

  /** Takes the next if it is due: when it was meant to start, or null. */
  take(now: number): number | null {
    const at = this.nextAt
    if (at === null || at > now) return null
    this.#taken += 1
    return at
  }
}
