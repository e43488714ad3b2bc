// The clock and the timers of the feed, passed in so that tests can control them.

export type Timing = {
  /** Unix milliseconds. */
  readonly now: () => number
  /** Calls `run` once after that time, unless the timer is cancelled before. */
  readonly after: (ms: number, run: () => void) => CancelTimer
}
export type CancelTimer = () => void

/** Its timers do not keep the process alive. */
export function realTiming(now: () => number): Timing {
  return {
    now,
    after: (ms, run) => {
      const timer = setTimeout(run, ms).unref()
      return () => clearTimeout(timer)
    },
  }
}
