// Errors outside the handlers of routes: unknown paths and methods, requests that the framework or
// the HTTP parser refuses, faults of the store, bugs. All are answered in the envelope.

import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalidField, Refusal } from '../errors.ts'
import { internal, isOwnFault, refusalOfFault } from '../faults.ts'
import { prefersProblem, problemType } from '../http/accept.ts'
import type { OpenRequests } from '../http/open-requests.ts'
import { discardInput, endSocketWith } from '../http/raw-response.ts'
import { requestIdOf } from '../http/request-id.ts'
import { envelopeOf, json, problemOf } from '../http/response.ts'
import { InvalidRequest } from '../validate/validation.ts'
import { notJson, RefusedBody } from './body.ts'
import type { Context } from './context.ts'
import { refuse, refusePaced, stamp } from './reply.ts'
import { logged } from './request-metrics.ts'

const notFound = new Refusal('NOT_FOUND', 'No route has this path.')
const unknownExpect = invalidField('expect', 'must be 100-continue')
const tooLarge = new Refusal('PAYLOAD_TOO_LARGE', 'The body must be at most 256 KiB.')

export function answerFaults(app: FastifyInstance, { reportFailure }: Context): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOfError(error)
    if (isOwnFault(error, refusal)) {
      reportFailure('rest', 'request failed', { ...logged(request), error })
    }
    refuse(reply, refusal)
  })
  const methodsOf = routeTable(app)
  const refuseRoute = (request: FastifyRequest, reply: FastifyReply) => {
    const allowed = methodsOf(pathOf(request.url))
    if (allowed.length === 0) return refusePaced(reply, request.clientAddress, notFound)
    const list = allowed.join(', ')
    request.answerHeaders.push('allow', list)
    const refusal = new Refusal('METHOD_NOT_ALLOWED', `This route supports only ${list}.`)
    return refusePaced(reply, request.clientAddress, refusal)
  }
  app.setNotFoundHandler(refuseRoute)
  // Before the body is read: its errors do not matter on a route that does not exist.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) refuseRoute(request, reply)
    else done()
  })
  app.server.on('checkExpectation', (request, response) => {
    const requestId = requestIdOf(request)
    const isProblem = prefersProblem(request.headers.accept)
    response.statusCode = 417
    response.setHeader('content-type', isProblem ? problemType : json)
    response.setHeader('x-request-id', requestId)
    response.end(isProblem ? problemOf(unknownExpect, requestId) : envelopeOf(unknownExpect))
  })
}

/** A path that cannot be decoded, or that has a part which is too long, matches no route. */
export function onFrameworkError(_error: Error, request: FastifyRequest, reply: FastifyReply) {
  stamp(request)
  refuse(reply, notFound)
}

export function refusalOfError(error: unknown): Refusal {
  if (error instanceof InvalidRequest || error instanceof RefusedBody) return error.refusal
  const fault = refusalOfFault(error)
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : 500
  if (status === 413) return tooLarge
  if (status === 415) return notJson
  if (fault !== internal || typeof status !== 'number' || status >= 500) return fault
  return new Refusal('VALIDATION_ERROR', 'The request is malformed.')
}

// The methods of every registered path, plugins included.
function routeTable(app: FastifyInstance): (path: string) => readonly string[] {
  const table = new Map<string, { readonly form: RegExp; readonly methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const entry = table.get(url) ?? { form: formOf(url), methods: new Set<string>() }
    table.set(url, entry)
    for (const name of [method].flat()) entry.methods.add(name)
  })
  return (path) => {
    const methods = [...table.values()].filter(({ form }) => form.test(path))
    return [...new Set(methods.flatMap((entry) => [...entry.methods]))].sort()
  }
}

function formOf(url: string): RegExp {
  const parts = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)))
  return new RegExp(`^${parts.join('/')}$`)
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '')
}

type ParserError = Error & {
  readonly code?: string
  readonly reason?: string
  /** What the parser was given last. */
  readonly rawPacket?: unknown
}

const refusalsOfParser: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: new Refusal(
    'HEADERS_TOO_LARGE',
    'The URL and the headers must be at most 16 KiB together.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new Refusal(
    'REQUEST_TIMEOUT',
    'The request did not arrive in time; send it again.',
  ),
}

/** Answers bytes that are not a request, after the requests that arrived before them. */
export function clientErrorHandler(
  openRequests: OpenRequests,
): (error: ParserError, socket: Socket) => void {
  return (error, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroySoon()
      return
    }
    discardInput(socket)
    openRequests.whenAnswered(socket, () => {
      if (!socket.writable) socket.destroySoon()
      else {
        const refusal = refusalsOfParser[error.code ?? ''] ?? notHttp(error)
        endSocketWith(socket, refusal, { accept: acceptIn(error) })
      }
    })
  }
}

function notHttp({ reason }: ParserError): Refusal {
  const why = reason === undefined ? '' : ` (${reason})`
  const advice = 'check the request line, the headers and the length of the body'
  return new Refusal('VALIDATION_ERROR', `Not a valid HTTP/1.1 request${why}; ${advice}.`)
}

/** The parser does not report the headers, so they are read from the bytes that it received. */
function acceptIn({ rawPacket }: ParserError): string | undefined {
  if (!(rawPacket instanceof Buffer)) return undefined
  const lines = rawPacket.toString('latin1').matchAll(/^accept:[ \t]*([^\r\n]*)\r$/gim)
  return lines.toArray().at(-1)?.[1]
}
