// What the pages that the service itself serves may load and do in a browser.

import type { FastifyReply } from 'fastify'

// No inline script, no other host.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Which other pages may show it in a frame; none unless it is said. */
export function setPagePolicy(
  reply: FastifyReply,
  frameAncestors: "'none'" | '*' = "'none'",
): void {
  reply.header('content-security-policy', `${policy}; frame-ancestors ${frameAncestors}`)
  reply.header('referrer-policy', 'no-referrer')
  reply.header('cross-origin-opener-policy', 'same-origin')
}
