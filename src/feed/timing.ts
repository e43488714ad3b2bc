// The clock and the timers of the feed, passed in so that tests can control them.

import type { ReportFailure } from '../ops/edge-failures.ts'

export type Timing = {
  /** Logical time, as in the events. */
  readonly now: () => number
  /** The machine's time: for receivers, which compare it with their own clocks. */
  readonly wall: () => number
  /** Calls `run` once after that time, unless the timer is cancelled before. */
  readonly after: (ms: number, run: () => void) => CancelTimer
}
export type CancelTimer = () => void

/** Its timers do not keep the process alive. */
export function realTiming(
  clock: Pick<Timing, 'now' | 'wall'>,
  reportFailure: ReportFailure,
): Timing {
  return {
    ...clock,
    after: (ms, run) => {
      const timer = setTimeout(() => {
        try {
          run()
        } catch (error) {
          reportFailure('feed', 'timer failed', { error })
        }
      }, ms).unref()
      return () => clearTimeout(timer)
    },
  }
}
