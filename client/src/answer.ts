// Reads an answer of the service: its data, or its error.

import { type ErrorDetails, OutcryError, type OutcryErrorCode } from './errors.ts'

type Envelope =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: ServiceError }

type ServiceError = {
  readonly code: OutcryErrorCode
  readonly message: string
  readonly details?: ErrorDetails
}

/** Returns the data of an answer; throws its error. */
export async function dataOf(response: Response): Promise<unknown> {
  const text = await response.text()
  const envelope = parsed(text)
  const origin = { status: response.status, requestId: response.headers.get('x-request-id') }
  const retryAfter = secondsOf(response.headers.get('retry-after'))
  if (envelope === null) {
    const shown = text.slice(0, shownMax)
    const message = `Expected an answer of Outcry, got status ${response.status}: "${shown}"`
    throw new OutcryError({ ...origin, code: 'INVALID_ANSWER', message, retryAfter })
  }
  if (envelope.success) return envelope.data
  throw new OutcryError({ ...envelope.error, ...origin, retryAfter })
}

const shownMax = 200

function parsed(text: string): Envelope | null {
  try {
    const value: unknown = JSON.parse(text)
    return isEnvelope(value) ? value : null
  } catch {
    return null
  }
}

function isEnvelope(value: unknown): value is Envelope {
  if (typeof value !== 'object' || value === null || !('success' in value)) return false
  if (value.success === true) return 'data' in value
  if (!('error' in value) || typeof value.error !== 'object' || value.error === null) return false
  return 'code' in value.error && 'message' in value.error
}

/** The service sends whole seconds; any other value is ignored. */
function secondsOf(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : null
}
