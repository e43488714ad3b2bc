// The error class of the client; its code says what went wrong.

import type { ErrorCode } from './generated/wire.ts'

/** Codes of the client, for failures without an error of the service. */
export type ClientCode =
  /** There was no answer; the request may have been executed. */
  | 'NETWORK_ERROR'
  /** There was no answer in time; the request may have been executed. */
  | 'TIMEOUT'
  /** The answer did not come from the service, but perhaps from a proxy. */
  | 'INVALID_ANSWER'
  /** Some requested events are no longer kept; details name the first one that is. */
  | 'EVENTS_EXPIRED'
  /** The program reads the stream more slowly than messages arrive. */
  | 'TOO_SLOW'

export type OutcryErrorCode = ErrorCode | ClientCode

export type ErrorDetails = { readonly [name: string]: unknown }

type ErrorFields = {
  readonly code: OutcryErrorCode
  readonly message: string
  /** 0 if there was no answer. */
  readonly status?: number
  readonly requestId?: string | null
  readonly details?: ErrorDetails | undefined
  readonly retryAfter?: number | null
  readonly cause?: unknown
}

export class OutcryError extends Error {
  override readonly name = 'OutcryError'
  readonly code: OutcryErrorCode
  /** HTTP status of the answer; 0 if there was none. */
  readonly status: number
  /** Identifies the request in the log of the service. */
  readonly requestId: string | null
  readonly details: ErrorDetails
  /** Seconds to wait as required by the service; null if it requires none. */
  readonly retryAfter: number | null

  constructor(fields: ErrorFields) {
    super(fields.message, fields.cause === undefined ? {} : { cause: fields.cause })
    this.code = fields.code
    this.status = fields.status ?? 0
    this.requestId = fields.requestId ?? null
    this.details = fields.details ?? {}
    this.retryAfter = fields.retryAfter ?? null
  }
}

/** Whether this is an OutcryError with one of these codes; without codes, any OutcryError. */
export function isOutcryError<Code extends OutcryErrorCode = OutcryErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is OutcryError & { readonly code: Code } {
  if (!isOfAnyCopy(error)) return false
  return codes.length === 0 || codes.some((code) => code === error.code)
}

/** A program that both imports and requires the package has two copies of the class. */
function isOfAnyCopy(error: unknown): error is OutcryError {
  if (error instanceof OutcryError) return true
  return error instanceof Error && error.name === 'OutcryError' && 'requestId' in error
}
