// When a request may be sent again, and how long to wait before.

import { isOutcryError } from './errors.ts'

/**
 * ALWAYS: a second time changes nothing, as with reads and with a transactionId.
 * IF_NOT_DONE: only where it is certain that the first try was not carried out.
 */
export type Repeat = 'ALWAYS' | 'IF_NOT_DONE'

const firstWaitMs = 100
const waitMaxMs = 5_000
/** Who is asked to wait for longer is told so instead. */
const retryAfterMaxSeconds = 30

type Failed = {
  readonly error: unknown
  readonly repeat: Repeat
  /** How many there have been. */
  readonly tries: number
}

/** null where it must not be sent again. */
export function waitBefore({ error, repeat, tries }: Failed): number | null {
  if (!isOutcryError(error)) return null
  if (repeat === 'IF_NOT_DONE' ? !wasNotDone(error) : !isPassing(error)) return null
  const ownMs = backoff(tries)
  if (error.retryAfter === null) return ownMs
  if (error.retryAfter > retryAfterMaxSeconds) return null
  return Math.max(error.retryAfter * 1_000, ownMs)
}

/** Doubles each time, and is spread, so that many clients do not come back together. */
export function backoff(tries: number): number {
  const ms = Math.min(firstWaitMs * 2 ** (tries - 1), waitMaxMs)
  return ms / 2 + (Math.random() * ms) / 2
}

/** Waits; ends early, with the reason, where the signal does. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

function wasNotDone(error: unknown): boolean {
  if (isOutcryError(error, 'RATE_LIMITED', 'UNAVAILABLE')) return true
  return isOutcryError(error, 'NETWORK_ERROR') && isRefusedConnection(error.cause)
}

function isPassing(error: unknown): boolean {
  if (wasNotDone(error)) return true
  if (isOutcryError(error, 'COMMIT_UNKNOWN', 'NETWORK_ERROR', 'TIMEOUT')) return true
  // Of what stands between: it knows as little as a broken connection.
  return isOutcryError(error, 'INVALID_ANSWER') && gatewayStatuses.has(error.status)
}

const gatewayStatuses = new Set([502, 503, 504])

/** Nothing was sent: nobody listened. Only Node says so, in the cause of the cause. */
function isRefusedConnection(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}
