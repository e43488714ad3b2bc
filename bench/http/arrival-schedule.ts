// When the requests of an open-loop load are due: evenly spaced, whether or not earlier ones were
// answered. A request that is sent late because the server stalls is timed from when it was due.

export type ArrivalPlan = {
  readonly perSecond: number
  /** Milliseconds of one clock; the last arrival is before the end. */
  readonly startAt: number
  readonly endAt: number
}

export class ArrivalSchedule {
  readonly #plan: ArrivalPlan
  #started = 0

  constructor(plan: ArrivalPlan) {
    this.#plan = plan
  }

  /** When the next request is due; null when none is left. */
  get nextAt(): number | null {
    const { perSecond, startAt, endAt } = this.#plan
    const at = startAt + (this.#started * 1000) / perSecond
    return at < endAt ? at : null
  }

  /** Starts the next request if it is due. Returns when it was due, or null. */
  startDue(now: number): number | null {
    const at = this.nextAt
    if (at === null || at > now) return null
    this.#started += 1
    return at
  }
}
