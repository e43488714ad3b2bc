// Sends a file of a page: compressed if the client accepts that, and not at all if it has it.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Page } from './page-files.ts'

export function sendPage(file: Page, request: FastifyRequest, reply: FastifyReply) {
  reply.header('vary', 'accept-encoding')
  reply.header('etag', file.etag)
  reply.header('cache-control', file.isForever ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  reply.header('content-type', file.type)
  if (!acceptsGzip(request)) return reply.send(file.bytes)
  return reply.header('content-encoding', 'gzip').send(file.zipped)
}

function acceptsGzip({ headers }: FastifyRequest): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(String(headers['accept-encoding'] ?? ''))
}
