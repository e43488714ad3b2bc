// The responses of HTTP: data or a refusal in its envelope, with the headers that every response
// has. Headers are arrays that alternate names and values, as Node accepts them.

import type { Readable } from 'node:stream'
import { errorTable, type Refusal } from '../errors.ts'
import { AnswerFailed, presentStored } from '../faults.ts'

export const json = 'application/json; charset=utf-8'
const retryAfterSeconds = '1'

/** Data that is sent as one text. */
export class Done {
  readonly status: 200 | 201
  readonly data: unknown
  readonly isReplay: boolean
  /** Whether the request was a command, which is stored. */
  readonly isStored: boolean

  constructor(
    data: unknown,
    { status = 200, isReplay = false, isStored = false }: DoneOptions = {},
  ) {
    this.data = data
    this.status = status
    this.isReplay = isReplay
    this.isStored = isStored
  }

  /** The answer to a command that is stored; throws AnswerFailed if it cannot be made. */
  static ofStored(present: () => unknown, options: DoneOptions = {}): Done {
    return new Done(presentStored(present), { ...options, isStored: true })
  }
}

type DoneOptions = {
  readonly status?: 200 | 201
  readonly isReplay?: boolean
  readonly isStored?: boolean
}

/** A JSON document that is too long to be built at once, envelope included. */
export class Streamed {
  readonly pieces: Readable

  constructor(pieces: Readable) {
    this.pieces = pieces
  }
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
 */
export function encodeAnswer(answer: Done | Refusal, headers: string[]): Encoded {
  const text = answer instanceof Done ? textOf(answer) : envelopeOf(answer)
  const isDone = answer instanceof Done
  const status = isDone ? answer.status : errorTable[answer.code].status
  if (answer.isReplay) headers.push('idempotent-replayed', 'true')
  const isRetryable = status === 503 || status === 429
  if (isRetryable && !headers.includes('retry-after')) {
    headers.push('retry-after', retryAfterSeconds)
  }
  const bytes = Buffer.byteLength(text)
  headers.push('content-type', json, 'cache-control', 'no-store', 'content-length', String(bytes))
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
