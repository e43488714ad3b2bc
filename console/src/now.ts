// The time of the browser, for what changes without an event.

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
