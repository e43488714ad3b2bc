// Starts work at a fixed rate, whether or not earlier work has ended.

import { ArrivalSchedule } from '../../../../bench/http/arrival-schedule.ts'

const checkEveryMs = 2

export type FixedRate = {
  readonly perSecond: number
  /** No end: until the signal. */
  readonly ms?: number
  readonly signal?: AbortSignal
}

/** `start` gets the number of the piece of work and when it was due. Resolves after the last. */
export function atFixedRate(
  { perSecond, ms = Number.POSITIVE_INFINITY, signal }: FixedRate,
  start: (number: number, dueAt: number) => void,
): Promise<void> {
  const startAt = performance.now()
  const schedule = new ArrivalSchedule({ perSecond, startAt, endAt: startAt + ms })
  let number = 0
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      for (;;) {
        const isOver = signal?.aborted === true || schedule.nextAt === null
        if (isOver) {
          clearInterval(timer)
          resolve()
          return
        }
        const dueAt = schedule.startDue(performance.now())
        if (dueAt === null) return
        start(number, dueAt)
        number += 1
      }
    }, checkEveryMs)
  })
}
