// The time as the feed sees it: handed in, so that tests can set it.

export type Timing = {
  /** Unix milliseconds. */
  readonly now: () => number
  /** Runs it once, so much later, unless it is called off before. */
  readonly after: (ms: number, run: () => void) => CallOff
}
export type CallOff = () => void

/** None of these waits keeps a process alive. */
export function realTiming(now: () => number): Timing {
  return {
    now,
    after: (ms, run) => {
      const timer = setTimeout(run, ms).unref()
      return () => clearTimeout(timer)
    },
  }
}
