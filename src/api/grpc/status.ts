// Refusals as gRPC failures: a status code, and the error code of REST in the trailer `error-code`.

import { Metadata, type StatusObject, status } from '@grpc/grpc-js'
import { type ErrorCode, errorTable, type Refusal } from '../errors.ts'

/** By the HTTP status of a code, so that a new code needs no row in this table. */
const byHttpStatus: Readonly<Record<number, status>> = {
  400: status.INVALID_ARGUMENT,
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  404: status.NOT_FOUND,
  405: status.UNIMPLEMENTED,
  408: status.DEADLINE_EXCEEDED,
  409: status.FAILED_PRECONDITION,
  413: status.RESOURCE_EXHAUSTED,
  415: status.INVALID_ARGUMENT,
  422: status.FAILED_PRECONDITION,
  429: status.RESOURCE_EXHAUSTED,
  431: status.RESOURCE_EXHAUSTED,
  500: status.INTERNAL,
  503: status.UNAVAILABLE,
}

const duplicates: ReadonlySet<ErrorCode> = new Set([
  'ORDER_DUPLICATE_TRANSACTION',
  'CATEGORY_DUPLICATE_SLUG',
])

export function statusOf(code: ErrorCode): status {
  if (duplicates.has(code)) return status.ALREADY_EXISTS
  return byHttpStatus[errorTable[code].status] ?? status.UNKNOWN
}

/** Sent with failures that a later attempt may not meet. */
const retryAfterSeconds = 1

export function failureOf({ code, message, details, isReplay }: Refusal): StatusObject {
  const metadata = new Metadata()
  metadata.set('error-code', code)
  if (details !== undefined) metadata.set('error-details', asciiJson(details))
  if (isReplay) metadata.set('idempotent-replayed', 'true')
  const isRetryable = errorTable[code].status === 429 || errorTable[code].status === 503
  if (isRetryable) metadata.set('retry-after', String(retryAfterSeconds))
  return { code: statusOf(code), details: message, metadata }
}

/** Metadata can only hold printable ASCII, and a detail may quote what a client has sent. */
function asciiJson(value: object): string {
  return JSON.stringify(value).replace(/[^\x20-\x7e]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
