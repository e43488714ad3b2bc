// What the pages that the service itself serves may load and do in a browser.

import type { FastifyReply } from 'fastify'

// No inline script, no other host, no frame.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function setPagePolicy(reply: FastifyReply): void {
  reply.header('content-security-policy', policy)
  reply.header('referrer-policy', 'no-referrer')
  reply.header('cross-origin-opener-policy', 'same-origin')
}
