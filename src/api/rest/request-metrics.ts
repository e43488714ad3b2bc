// What is noted of every answer: how long it took, and a line in the log where that was long.

import type { Context } from './context.ts'

export type RequestRecord = {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly requestId: string
  /** By the clock that only ever passes. */
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
