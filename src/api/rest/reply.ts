// Sends what a route answers with as the framework's reply.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import { prefersProblem } from '../http/accept.ts'
import { type Done, encodeAnswer, firstHeaders, Streamed } from '../http/response.ts'
import { limitUnread } from '../http/unread.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The headers of the response, names and values alternating. */
    answerHeaders: string[]
    /** Milliseconds of the monotonic clock. */
    startedAt: number
  }
  interface FastifyInstance {
    /** Measures a response that is about to be sent, and completes its headers. */
    onAnswer(request: FastifyRequest, status: number): void
    /** Reports that a streamed response ended before it was complete. */
    onStreamFailed(request: FastifyRequest, error: Error): void
  }
}

/** Sets what every request carries from its start. */
export function stamp(request: FastifyRequest): void {
  request.startedAt = performance.now()
  request.answerHeaders = firstHeaders(request.id)
}

export function sendAnswer(reply: FastifyReply, answer: Done | Streamed): FastifyReply {
  if (answer instanceof Streamed) {
    reply.header('content-type', answer.type)
    reply.header('cache-control', 'no-store')
    if (answer.isReplay) reply.header('idempotent-replayed', 'true')
    const { request, server } = reply
    answer.pieces.once('error', (error) => server.onStreamFailed(request, error))
    return reply.send(answer.pieces)
  }
  return write(reply, answer)
}

export function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  return write(reply, refusal)
}

/** Refuses a request that costs its caller nothing: late, if there are too many of them. */
export function refusePaced(reply: FastifyReply, who: string, refusal: Refusal): void {
  const { request, server } = reply
  server.refusalPace.answer(who, request.raw.socket, () => refuse(reply, refusal))
}

// Written without the framework, which would process each header and the text once more.
function write(reply: FastifyReply, answer: Done | Refusal): FastifyReply {
  const { raw, request, server } = reply
  const { status, text, encoding } = encodeAnswer(
    answer,
    request.answerHeaders,
    answer instanceof Refusal && prefersProblem(request.headers.accept) ? request.id : null,
  )
  reply.hijack()
  server.onAnswer(request, status)
  raw.writeHead(status, request.answerHeaders)
  raw.end(text, encoding)
  limitUnread(raw)
  return reply
}

/** For what the framework sends itself: pages, streams, metrics. */
export function copyHeaders({ answerHeaders }: FastifyRequest, reply: FastifyReply): void {
  for (let at = 0; at < answerHeaders.length; at += 2) {
    reply.header(answerHeaders[at]!, answerHeaders[at + 1]!)
  }
}
