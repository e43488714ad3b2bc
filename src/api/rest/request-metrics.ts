// Measures every request, and logs slow ones.

import type { Context } from './context.ts'

export type RequestRecord = {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly requestId: string
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number
}
export type RecordRequest = (note: RequestRecord) => void

const slowRequestMs = 1_000

export function requestRecorder({ log, metrics }: Pick<Context, 'log' | 'metrics'>): RecordRequest {
  return ({ method, route, status, requestId, startedAt }) => {
    const elapsedMs = performance.now() - startedAt
    metrics.request({ method, route, status, seconds: elapsedMs / 1_000 })
    if (elapsedMs <= slowRequestMs) return
    log.warn('slow request', { requestId, method, route, status, elapsedMs })
  }
}
