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

export type RouteAnswer = Done | Streamed | Refusal

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
  request.answerHeaders = firstHeaders(request.id)
}

/** Names and values by turns. */
export function firstHeaders(requestId: string): string[] {
  return ['x-request-id', requestId, 'x-content-type-options', 'nosniff']
}

export function deliver(reply: FastifyReply, answer: Done | Streamed): FastifyReply {
  if (answer instanceof Streamed) {
    reply.header('content-type', json)
    reply.header('cache-control', 'no-store')
    return reply.send(answer.pieces)
  }
  return write(reply, answer)
}

export function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  return write(reply, refusal)
}

// Past the framework, which would look at each header and at the text again.
function write(reply: FastifyReply, answer: Done | Refusal): FastifyReply {
  const { raw, request, server } = reply
  const { status, text, encoding } = written(answer, request.answerHeaders)
  reply.hijack()
  server.onAnswer(request, status)
  raw.writeHead(status, request.answerHeaders)
  raw.end(text, encoding)
  return reply
}

type Written = {
  readonly status: number
  readonly text: string
  readonly encoding: 'latin1' | 'utf8'
}

/** An answer as it goes out; its headers are added to those that are there. */
export function written(answer: Done | Refusal, headers: string[]): Written {
  const isDone = answer instanceof Done
  const status = isDone ? answer.status : errorTable[answer.code].status
  if (answer.isReplay) headers.push('idempotent-replayed', 'true')
  const isLater = status === 503 || status === 429
  if (isLater && !headers.includes('retry-after')) headers.push('retry-after', retryAfterSeconds)
  const text = isDone
    ? `{"success":true,"data":${JSON.stringify(answer.data)}}`
    : envelopeOf(answer)
  const bytes = Buffer.byteLength(text)
  headers.push('content-type', json, 'cache-control', 'no-store', 'content-length', String(bytes))
  // With as many bytes as characters it is plain ASCII, which is copied faster than it is encoded.
  return { status, text, encoding: bytes === text.length ? 'latin1' : 'utf8' }
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
