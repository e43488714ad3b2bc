// Decides whether a request may be repeated, and after which delay.

import { onAbort } from './abort.ts'
import { isOutcryError } from './errors.ts'

/**
 * ALWAYS: repeating is safe, as for reads and for requests with a transactionId.
 * IF_NOT_EXECUTED: only if the service certainly did not execute the previous attempt.
 */
export type RetryPolicy = 'ALWAYS' | 'IF_NOT_EXECUTED'

const firstWaitMs = 100
const waitMaxMs = 5_000

type FailedAttempt = {
  readonly error: unknown
  readonly policy: RetryPolicy
  /** Attempts so far. */
  readonly attempts: number
  /** Milliseconds since the first attempt failed. */
  readonly elapsedMs: number
  /** The last attempt starts no later than this after the first has failed. */
  readonly retryMs: number
}

/** Milliseconds to wait before the next attempt; null if there must be none. */
export function waitBefore(failed: FailedAttempt): number | null {
  const { error, policy, attempts } = failed
  if (!isOutcryError(error)) return null
  if (policy === 'IF_NOT_EXECUTED' ? !wasNotExecuted(error) : !isTemporary(error)) return null
  const leftMs = failed.retryMs - failed.elapsedMs
  const requiredMs = (error.retryAfter ?? 0) * 1_000
  if (leftMs <= 0 || requiredMs > leftMs) return null
  // Clients with the same Retry-After do not return at the same time either.
  return Math.min(requiredMs + backoff(attempts), leftMs)
}

/** Doubles each time, with jitter, so that many clients do not return at the same time. */
export function backoff(attempts: number): number {
  const ms = Math.min(firstWaitMs * 2 ** (attempts - 1), waitMaxMs)
  return ms / 2 + (Math.random() * ms) / 2
}

/** Waits; rejects with the reason of the signal if that is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const forget = onAbort(signal, (reason) => {
      clearTimeout(timer)
      reject(reason)
    })
    const timer = setTimeout(() => {
      forget()
      resolve()
    }, ms)
  })
}

/** Whether the service certainly did not execute the request. */
export function wasNotExecuted(error: unknown): boolean {
  if (isOutcryError(error, 'RATE_LIMITED', 'UNAVAILABLE')) return true
  return isOutcryError(error, 'NETWORK_ERROR') && isRefusedConnection(error.cause)
}

export function isTemporary(error: unknown): boolean {
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
