// The time of the browser and of the exchange, for what changes without an event.

import { useCallback, useState } from 'preact/hooks'
import { usePolling } from './loaded.ts'

/** Unix milliseconds, renewed every `periodMs`. */
export function useNow(periodMs: number): number {
  const [now, setNow] = useState(Date.now)
  usePolling(
    useCallback(() => setNow(Date.now()), []),
    periodMs,
  )
  return now
}

/** The header has whole seconds, and answers take time. */
const driftMaxMs = 2_000
let aheadMs = 0

/** From the header of an answer; a clock that is about right counts as right. */
export function learnServiceTime(date: string | null): void {
  const ahead = Date.parse(date ?? '') + 500 - Date.now()
  if (!Number.isNaN(ahead)) aheadMs = Math.abs(ahead) > driftMaxMs ? ahead : 0
}

/** The time of the exchange, also where the clock of the browser is wrong. */
export function useServiceNow(periodMs: number): number {
  return useNow(periodMs) + aheadMs
}
