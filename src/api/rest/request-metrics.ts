// Measures every request, and logs slow ones; with LOG_LEVEL=debug, all.

import type { FastifyRequest } from 'fastify'
import { traceOf } from '../http/trace.ts'
import type { Context } from './context.ts'

export type RequestRecord = {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly requestId: string
  /** The header, which may be invalid. */
  readonly traceparent: string | string[] | undefined
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number
  /** The address of the client. */
  readonly address: () => string
}
export type RecordRequest = (note: RequestRecord) => void

const slowRequestMs = 1_000

export function requestRecorder({ log, metrics }: Pick<Context, 'log' | 'metrics'>): RecordRequest {
  return ({ method, route, status, requestId, traceparent, startedAt, address }) => {
    const elapsedMs = performance.now() - startedAt
    metrics.request({ method, route, status, seconds: elapsedMs / 1_000 })
    const isSlow = elapsedMs > slowRequestMs
    if (!isSlow && !log.isDebug) return
    const about = { requestId, ...traceOf(traceparent), method, route, status }
    const line = { ...about, address: address(), elapsedMs }
    if (isSlow) log.warn('slow request', line)
    else log.debug('request', line)
  }
}

/** The fields of a log line about a request. */
export function logged(request: FastifyRequest) {
  const { id: requestId, headers, method, routeOptions, clientAddress: address } = request
  return { requestId, ...traceOf(headers.traceparent), method, route: routeOptions.url, address }
}
