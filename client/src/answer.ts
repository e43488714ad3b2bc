// Reads an answer of the service: its data, or its error. Remembers for data what else the answer
// said.

import { type ErrorDetails, OutcryError, type OutcryErrorCode } from './errors.ts'

type Envelope =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: ServiceError }

type ServiceError = {
  readonly code: OutcryErrorCode
  readonly message: string
  readonly details?: ErrorDetails
}

/** What an answer said beside its data. */
export type Answer = {
  readonly status: number
  /** Identifies the request in the log of the service. */
  readonly requestId: string | null
  /** Whether the service had executed the request before, and gave its first answer again. */
  readonly isReplayed: boolean
  /** How often the request was sent. */
  readonly attempts: number
}

const answers = new WeakMap<object, Answer>()

/** The answer with which a method returned this object; null for an object of another origin. */
export function answerOf(data: object): Answer | null {
  return answers.get(data) ?? null
}

/** Returns the data of an answer; throws its error. */
export async function dataOf(response: Response, attempts: number): Promise<unknown> {
  const { status, headers } = response
  const text = await response.text()
  const envelope = parsed(text)
  const origin = { status, requestId: headers.get('x-request-id') }
  const retryAfter = secondsOf(headers.get('retry-after'))
  if (envelope === null) {
    const shown = text.slice(0, shownMax)
    const message = `Expected an answer of Outcry, got status ${status}: "${shown}"`
    throw new OutcryError({ ...origin, code: 'INVALID_ANSWER', message, retryAfter })
  }
  if (envelope.success) {
    const { data } = envelope
    const isReplayed = headers.get('idempotent-replayed') === 'true'
    if (typeof data === 'object' && data !== null) {
      answers.set(data, { ...origin, isReplayed, attempts })
    }
    return data
  }
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
