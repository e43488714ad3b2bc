// Continues logical time from that of the stored records, which may be ahead of this machine.

import type { Clock } from '../engine/clock.ts'
import type { Log } from '../ops/log.ts'

type StoredTimeParts = {
  readonly clock: Pick<Clock, 'continueFrom' | 'behindMs'>
  readonly log: Pick<Log, 'error'>
  /** By how much clocks may differ: the records may be of another node. */
  readonly behindMsUsual: number
}

export function continueFrom(storedTime: number, parts: StoredTimeParts): void {
  const { behindMsUsual, clock, log } = parts
  clock.continueFrom(storedTime)
  const { behindMs } = clock
  if (behindMs <= behindMsUsual) return
  log.error('system clock is behind the stored time, time passes at half pace', {
    behindMs,
    storedTime: new Date(storedTime).toISOString(),
  })
}
