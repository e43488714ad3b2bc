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
  if (envelope === null) throw notExpected(response, text)
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

export type CsvPage = {
  readonly text: string
  /** The query of the next page; null after the last. */
  readonly next: string | null
}

/** Returns an answer that is CSV; throws its error. */
export async function csvOf(response: Response, attempts: number): Promise<CsvPage> {
  const { headers } = response
  if (headers.get('content-type')?.startsWith('text/csv') !== true) {
    await dataOf(response.clone(), attempts)
    // A service of an earlier version, which answers with JSON.
    throw notExpected(response, await response.text())
  }
  const [, next = null] = /^<(\?[^>]*)>; rel="next"$/.exec(headers.get('link') ?? '') ?? []
  return { text: await response.text(), next }
}

function notExpected({ status, headers }: Response, text: string): OutcryError {
  const shown = text.slice(0, shownMax)
  const message = `Expected an answer of Outcry, got status ${status}: "${shown}"`
  const retryAfter = secondsOf(headers.get('retry-after'))
  const requestId = headers.get('x-request-id')
  return new OutcryError({ status, requestId, code: 'INVALID_ANSWER', message, retryAfter })
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
