// Writes answers: everything the API says leaves here, in its envelope.

import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorTable, type Refusal } from '../errors.ts'

export const json = 'application/json; charset=utf-8'
const retryAfterSeconds = '1'

/** Plain data, answered whole. */
export class Done {
  readonly status: 200 | 201
  readonly data: unknown
  readonly isReplay: boolean

  constructor(data: unknown, { status = 200, isReplay = false }: DoneOptions = {}) {
    this.data = data
    this.status = status
    this.isReplay = isReplay
  }
}

type DoneOptions = { readonly status?: 200 | 201; readonly isReplay?: boolean }

/** A JSON document that is too long to be built at once, envelope included. */
export class Streamed {
  readonly pieces: Readable

  constructor(pieces: Readable) {
    this.pieces = pieces
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Names and values by turns: what its answer will carry. */
    answerHeaders: string[]
    /** By the clock that only ever passes. */
    startedAt: number
  }
  interface FastifyInstance {
    /** Counts and times an answer that is about to be sent, and completes its headers. */
    onAnswer(request: FastifyRequest, status: number): void
  }
}

/** What every response carries. */
export function stamp(request: FastifyRequest): void {
  request.startedAt = performance.now()
  request.answerHeaders = ['x-request-id', request.id, 'x-content-type-options', 'nosniff']
}

export function deliver(reply: FastifyReply, answer: Done | Streamed): FastifyReply {
  if (answer instanceof Streamed) {
    reply.header('content-type', json)
    reply.header('cache-control', 'no-store')
    return reply.send(answer.pieces)
  }
  if (answer.isReplay) reply.request.answerHeaders.push('idempotent-replayed', 'true')
  return write(reply, answer.status, `{"success":true,"data":${JSON.stringify(answer.data)}}`)
}

export function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status } = errorTable[refusal.code]
  const { answerHeaders } = reply.request
  const isLater = status === 503 || status === 429
  if (isLater && !answerHeaders.includes('retry-after')) {
    answerHeaders.push('retry-after', retryAfterSeconds)
  }
  return write(reply, status, envelopeOf(refusal))
}

// Past the framework, which would look at each header and at the text again.
function write(reply: FastifyReply, status: number, text: string): FastifyReply {
  const { raw, request, server } = reply
  const headers = request.answerHeaders
  headers.push('content-type', json, 'cache-control', 'no-store')
  const bytes = Buffer.byteLength(text)
  headers.push('content-length', String(bytes))
  reply.hijack()
  server.onAnswer(request, status)
  raw.writeHead(status, headers)
  // With as many bytes as characters it is plain ASCII, which is copied faster than it is encoded.
  raw.end(text, bytes === text.length ? 'latin1' : 'utf8')
  return reply
}

/** For what the framework sends by itself: pages, streams, metrics. */
export function copyHeaders({ answerHeaders }: FastifyRequest, reply: FastifyReply): void {
  for (let at = 0; at < answerHeaders.length; at += 2) {
    reply.header(answerHeaders[at]!, answerHeaders[at + 1]!)
  }
}

export function envelopeOf({ code, message, details }: Refusal): string {
  // JSON leaves out details where there are none.
  return JSON.stringify({ success: false, error: { code, message, details } })
}
