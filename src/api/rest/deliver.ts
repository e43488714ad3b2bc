// Writes answers: everything the API says leaves here, in its envelope.

import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorTable, type Refusal } from '../errors.ts'

export const json = 'application/json; charset=utf-8'
const retryAfterSeconds = 1

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

/** What every response carries. */
export function stamp(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
}

export function deliver(reply: FastifyReply, answer: Done | Streamed): FastifyReply {
  reply.header('content-type', json)
  reply.header('cache-control', 'no-store')
  if (answer instanceof Streamed) return reply.send(answer.pieces)
  if (answer.isReplay) reply.header('idempotent-replayed', 'true')
  reply.code(answer.status)
  return reply.send(`{"success":true,"data":${JSON.stringify(answer.data)}}`)
}

export function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status } = errorTable[refusal.code]
  reply.code(status)
  reply.header('content-type', json)
  reply.header('cache-control', 'no-store')
  const isLater = status === 503 || status === 429
  if (isLater && !reply.hasHeader('retry-after')) reply.header('retry-after', retryAfterSeconds)
  return reply.send(envelopeOf(refusal))
}

export function envelopeOf({ code, message, details }: Refusal): string {
  // JSON leaves out details where there are none.
  return JSON.stringify({ success: false, error: { code, message, details } })
}
