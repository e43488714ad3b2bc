// Plain requests: a POST with a few ordinary headers and a JSON body, as most orders are sent. They
// cost a fraction of a full HTTP parser here. Anything unusual is left to that parser, so that no
// request has two meanings.

import type { ForwardingHeaders } from '../../admission/client-address.ts'

export type PlainRequest = {
  readonly path: string
  readonly apiKey: string | undefined
  readonly requestId: string | undefined
  /** The headers that may name the client behind a proxy. */
  readonly forwarding: ForwardingHeaders
  readonly traceparent: string | undefined
  readonly idempotencyKey: string | undefined
  readonly body: string
  /** In bytes; the bytes after it belong to the next request. */
  readonly length: number
}

const headBytesMax = 4_096
const headEnd = '\r\n\r\n'
const form = /^POST \/[\w/]+ HTTP\/1\.1\r\n(?:[!#$%&'*+\-.^_`|~\dA-Za-z]+:[\t\x20-\x7e]*\r\n)+\r\n$/
const pathStart = 'POST '.length
const jsonType = /^application\/json(?:; ?charset=utf-8)?$/i
/** Far below the largest accepted body. */
const lengthForm = /^\d{1,5}$/

/** The headers that decide what a request means; each may occur once. */
const read = new Set([
  'host',
  'content-type',
  'content-length',
  'x-api-key',
  'x-request-id',
  'x-forwarded-for',
  'forwarded',
  'traceparent',
  'idempotency-key',
])
/** Headers that change the meaning or the framing of a request. */
const unusual = new Set([
  'transfer-encoding',
  'content-encoding',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
  'expect',
  'proxy-connection',
])

/** null if the request is not plain; `unfinished` if a part of its body has not arrived. */
export function plainRequestOf(bytes: Buffer): PlainRequest | 'unfinished' | null {
  const start = bytes.toString('latin1', 0, headBytesMax)
  const end = start.indexOf(headEnd) + headEnd.length
  const head = start.slice(0, end)
  if (!form.test(head)) return null
  const headers = headersOf(head)
  if (headers === null || !headers.has('host')) return null
  if (!jsonType.test(headers.get('content-type') ?? '')) return null
  const lengthText = headers.get('content-length') ?? ''
  const length = end + Number(lengthText)
  if (!lengthForm.test(lengthText)) return null
  if (bytes.length < length) return 'unfinished'
  const body = bytes.toString('utf8', end, length)
  // Invalid UTF-8 is decoded to this character, too.
  if (body.includes('\ufffd')) return null
  return {
    path: head.slice(pathStart, head.indexOf(' ', pathStart)),
    apiKey: headers.get('x-api-key'),
    requestId: headers.get('x-request-id'),
    forwarding: {
      forwarded: headers.get('forwarded'),
      'x-forwarded-for': headers.get('x-forwarded-for'),
    },
    traceparent: headers.get('traceparent'),
    idempotencyKey: headers.get('idempotency-key'),
    body,
    length,
  }
}

function headersOf(head: string): ReadonlyMap<string, string> | null {
  const headers = new Map<string, string>()
  let at = head.indexOf('\r\n') + 2
  while (at < head.length - 2) {
    const colon = head.indexOf(':', at)
    const end = head.indexOf('\r\n', colon)
    const name = head.slice(at, colon).toLowerCase()
    const value = head.slice(colon + 1, end).trim()
    if (unusual.has(name) || headers.has(name)) return null
    // The answer to an error may have another form.
    if (name === 'accept' && /problem/i.test(value)) return null
    if (name === 'connection' && value.toLowerCase() !== 'keep-alive') return null
    if (read.has(name)) headers.set(name, value)
    at = end + 2
  }
  return headers
}
