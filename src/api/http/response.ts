// The responses of HTTP: data or a refusal in its envelope, with the headers that every response
// has. Headers are arrays that alternate names and values, as Node accepts them.

import type { Readable } from 'node:stream'
import { type ErrorCode, errorTable, type Refusal } from '../errors.ts'
import { AnswerFailed, presentStored } from '../faults.ts'
import { problemType } from './accept.ts'

export const json = 'application/json; charset=utf-8'
const retryAfterSeconds = '1'

/** Data that is sent as one text. */
export class Done {
  readonly status: 200 | 201 | 202
  readonly data: unknown
  readonly isReplay: boolean
  /** Whether the request was a command, which is stored. */
  readonly isStored: boolean
  /** What a repetition with the same Idempotency-Key shows: the data by default. */
  readonly kept: unknown

  constructor(
    data: unknown,
    { status = 200, isReplay = false, isStored = false, kept = data }: DoneOptions = {},
  ) {
    this.data = data
    this.status = status
    this.isReplay = isReplay
    this.isStored = isStored
    this.kept = kept
  }

  /** The answer to a command that is stored; throws AnswerFailed if it cannot be made. */
  static ofStored(present: () => unknown, options: DoneOptions = {}): Done {
    return new Done(presentStored(present), { ...options, isStored: true })
  }
}

type DoneOptions = {
  readonly status?: 200 | 201 | 202
  readonly isReplay?: boolean
  readonly isStored?: boolean
  readonly kept?: unknown
}

/** A document that is too long to be built at once: JSON with its envelope, or of another type. */
export class Streamed {
  readonly pieces: Readable
  readonly type: string
  /** The rows of an array, to be read instead of the pieces; null if it is no array. */
  readonly rows: AsyncIterable<readonly object[]> | null
  /** From which the answer can be made again; see the option `again` of a route. */
  readonly kept: unknown
  readonly isReplay: boolean

  constructor(
    pieces: Readable,
    { type = json, rows = null, kept = null, isReplay = false }: StreamedOptions = {},
  ) {
    this.pieces = pieces
    this.type = type
    this.rows = rows
    this.kept = kept
    this.isReplay = isReplay
  }
}

type StreamedOptions = {
  readonly type?: string
  readonly rows?: AsyncIterable<readonly object[]> | null
  readonly kept?: unknown
  readonly isReplay?: boolean
}

/** What a route answers with. */
export type RouteAnswer = Done | Streamed | Refusal

/** The headers of every response. */
export function firstHeaders(requestId: string): string[] {
  return ['x-request-id', requestId, 'x-content-type-options', 'nosniff']
}

export type Encoded = {
  readonly status: number
  readonly text: string
  readonly encoding: 'latin1' | 'utf8'
}

/**
 * The body and status of a response; its remaining headers are added to `headers`. Throws if the
 * data cannot be encoded, because they are too long; `headers` are then as they were.
 * `problemId` is the id of a request whose client prefers problem details.
 */
export function encodeAnswer(
  answer: Done | Refusal,
  headers: string[],
  problemId: string | null = null,
): Encoded {
  const isDone = answer instanceof Done
  const isProblem = !isDone && problemId !== null
  const text = isDone
    ? textOf(answer)
    : isProblem
      ? problemOf(answer, problemId)
      : envelopeOf(answer)
  const status = isDone ? answer.status : errorTable[answer.code].status
  if (answer.isReplay) headers.push('idempotent-replayed', 'true')
  const isRetryable = status === 503 || status === 429
  if (isRetryable && !headers.includes('retry-after')) {
    headers.push('retry-after', retryAfterSeconds)
  }
  const bytes = Buffer.byteLength(text)
  const type = isProblem ? problemType : json
  headers.push('content-type', type, 'cache-control', 'no-store', 'content-length', String(bytes))
  // As many bytes as characters: plain ASCII, which latin1 copies without encoding it.
  return { status, text, encoding: bytes === text.length ? 'latin1' : 'utf8' }
}

function textOf({ data, isStored }: Done): string {
  try {
    return `{"success":true,"data":${JSON.stringify(data)}}`
  } catch (error) {
    throw isStored ? new AnswerFailed(error) : error
  }
}

export function envelopeOf({ code, message, details }: Refusal): string {
  // JSON.stringify leaves out details that are undefined.
  return JSON.stringify({ success: false, error: { code, message, details } })
}

/** As RFC 9457 describes it, with the members of the envelope. */
export function problemOf({ code, message, details }: Refusal, requestId: string): string {
  return JSON.stringify({
    type: `urn:outcry:error:${code}`,
    title: titleOf(code),
    status: errorTable[code].status,
    detail: message,
    instance: `urn:outcry:request:${encodeURIComponent(requestId)}`,
    code,
    details,
    success: false,
    error: { code, message, details },
  })
}

/** ORDER_NOT_FOUND becomes "Order not found". */
function titleOf(code: ErrorCode): string {
  return code.slice(0, 1) + code.slice(1).toLowerCase().replaceAll('_', ' ')
}
