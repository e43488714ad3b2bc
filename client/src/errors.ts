// What goes wrong: one class of error, told apart by its code.

import type { ErrorCode } from './generated/wire.ts'

/** Codes of this side, where the service said nothing that could be used. */
export type ClientCode =
  /** No answer came: it cannot be said whether the request was carried out. */
  | 'NETWORK_ERROR'
  /** No answer came in time: it cannot be said whether the request was carried out. */
  | 'TIMEOUT'
  /** An answer came that is not the service's; a proxy's, perhaps. */
  | 'INVALID_ANSWER'
  /** Events that were asked for are no longer kept; details name the first that is. */
  | 'EVENTS_EXPIRED'
  /** More came than was taken off the stream. */
  | 'TOO_SLOW'

export type OutcryErrorCode = ErrorCode | ClientCode

export type ErrorDetails = { readonly [name: string]: unknown }

type Told = {
  readonly code: OutcryErrorCode
  readonly message: string
  /** 0 where no answer came. */
  readonly status?: number
  readonly requestId?: string | null
  readonly details?: ErrorDetails
  readonly retryAfter?: number | null
  readonly cause?: unknown
}

export class OutcryError extends Error {
  override readonly name = 'OutcryError'
  readonly code: OutcryErrorCode
  /** Of the answer; 0 where none came. */
  readonly status: number
  /** Helps whoever runs the service to find the request. */
  readonly requestId: string | null
  readonly details: ErrorDetails
  /** Seconds that the service asks to wait; null where it does not. */
  readonly retryAfter: number | null

  constructor(told: Told) {
    super(told.message, told.cause === undefined ? {} : { cause: told.cause })
    this.code = told.code
    this.status = told.status ?? 0
    this.requestId = told.requestId ?? null
    this.details = told.details ?? {}
    this.retryAfter = told.retryAfter ?? null
  }
}

/** Whether it is one of these codes; without codes, whether it is ours at all. */
export function isOutcryError<Code extends OutcryErrorCode = OutcryErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is OutcryError & { readonly code: Code } {
  if (!(error instanceof OutcryError)) return false
  return codes.length === 0 || codes.some((code) => code === error.code)
}
