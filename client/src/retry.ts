// Decides whether a request may be repeated, and after which delay.

import { isOutcryError } from './errors.ts'

/**
 * ALWAYS: repeating is safe, as for reads and for requests with a transactionId.
 * IF_NOT_EXECUTED: only if the service certainly did not execute the previous attempt.
 */
export type RetryPolicy = 'ALWAYS' | 'IF_NOT_EXECUTED'

const firstWaitMs = 100
const waitMaxMs = 5_000
/** If the service requires a longer wait, the error is thrown instead. */
const retryAfterMaxSeconds = 30

type FailedAttempt = {
  readonly error: unknown
  readonly policy: RetryPolicy
  /** Attempts so far. */
  readonly attempts: number
}

/** Milliseconds to wait before the next attempt; null if there must be none. */
export function waitBefore({ error, policy, attempts }: FailedAttempt): number | null {
  if (!isOutcryError(error)) return null
  if (policy === 'IF_NOT_EXECUTED' ? !wasNotExecuted(error) : !isTemporary(error)) return null
  const ownMs = backoff(attempts)
  if (error.retryAfter === null) return ownMs
  if (error.retryAfter > retryAfterMaxSeconds) return null
  return Math.max(error.retryAfter * 1_000, ownMs)
}

/** Doubles each time, with jitter, so that many clients do not return at the same time. */
export function backoff(attempts: number): number {
  const ms = Math.min(firstWaitMs * 2 ** (attempts - 1), waitMaxMs)
  return ms / 2 + (Math.random() * ms) / 2
}

/** Waits; rejects with the reason of the signal if that is aborted. */
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

function wasNotExecuted(error: unknown): boolean {
  if (isOutcryError(error, 'RATE_LIMITED', 'UNAVAILABLE')) return true
  return isOutcryError(error, 'NETWORK_ERROR') && isRefusedConnection(error.cause)
}

function isTemporary(error: unknown): boolean {
  if (wasNotExecuted(error)) return true
  if (isOutcryError(error, 'COMMIT_UNKNOWN', 'NETWORK_ERROR', 'TIMEOUT')) return true
  // From a proxy, which does not know whether the service executed the request.
  return isOutcryError(error, 'INVALID_ANSWER') && gatewayStatuses.has(error.status)
}

const gatewayStatuses = new Set([502, 503, 504])

/** The request was not sent. Only Node reports this, in the cause of the cause. */
function isRefusedConnection(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED'
}
