// When a delivery that failed is attempted again.

import type { RetrySchedule } from '../../store/store.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** Counted from the end of the previous attempt. */
const delaysMs: Readonly<Record<RetrySchedule, readonly number[]>> = {
  STANDARD: [5 * secondMs, 30 * secondMs],
  LONG: [...[5 * secondMs, 5 * minuteMs, 30 * minuteMs], ...[2 * hourMs, 5 * hourMs, 10 * hourMs]],
}
/** Of LONG: deliveries that failed together are not attempted together again and again. */
const jitter = 0.1
/** A receiver may ask for a longer wait than that of the schedule, but not for more than this. */
export const retryAfterMaxMs = 10 * hourMs

export type FailedAttempt = {
  readonly schedule: RetrySchedule
  /** How many were made. */
  readonly attempts: number
  /** What the receiver asked for; null if it did not. */
  readonly retryAfterMs: number | null
  readonly now: number
  /** When the event is deleted. */
  readonly expiresAt: number
  /** 0 to 1. */
  readonly random: number
}

/** null if no attempt follows. */
export function retryDelay(failed: FailedAttempt): number | null {
  const { schedule, attempts, retryAfterMs, now, expiresAt, random } = failed
  const delay = delaysMs[schedule][attempts - 1]
  if (delay === undefined) return null
  if (schedule === 'STANDARD') return delay
  const jittered = Math.round(delay * (1 - jitter + 2 * jitter * random))
  const waitMs = Math.max(jittered, Math.min(retryAfterMs ?? 0, retryAfterMaxMs))
  return now + waitMs < expiresAt ? waitMs : null
}

/** A delivery waits no longer for its next attempt, also if it waited under another schedule. */
export function longestWait(schedule: RetrySchedule): number {
  const longest = Math.max(...delaysMs[schedule])
  return schedule === 'STANDARD' ? longest : Math.round(longest * (1 + jitter))
}

/** Retry-After: seconds, or a date of HTTP. */
export function retryAfterOf(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  const text = header.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * secondMs
  const at = /^[A-Z][a-z]{2}, \d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
