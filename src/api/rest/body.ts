// Parses request bodies: uncompressed JSON or none. An empty body counts as none, whatever its
// content type and encoding.

import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidField, invalidFields, Refusal } from '../errors.ts'
import { InvalidRequest } from '../validate/validation.ts'

export const bodyBytesMax = 256 * 1_024

export const notJson = new Refusal(
  'UNSUPPORTED_MEDIA_TYPE',
  'The content type must be application/json.',
)
const compressed = new Refusal(
  'UNSUPPORTED_MEDIA_TYPE',
  'Content-Encoding must be identity or omitted; compressed bodies are not supported.',
)

/** Carries the refusal of a body to the error handler. */
export class RefusedBody extends Error {
  override readonly name = 'RefusedBody'
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

type ChargeBody = (request: FastifyRequest, bytes: number) => Refusal | null

/** `charge` counts a body, or refuses it, before it is parsed. */
export function readBodies(app: FastifyInstance, charge: ChargeBody): void {
  app.removeAllContentTypeParsers()
  const asBytes = { parseAs: 'buffer' } as const
  app.addContentTypeParser<Buffer>('application/json', asBytes, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    if (isCompressed(request)) return done(new RefusedBody(compressed), undefined)
    const limited = charge(request, body.length)
    if (limited !== null) return done(new RefusedBody(limited), undefined)
    // Invalid bytes would all be decoded to the same character.
    if (!isUtf8(body)) return done(invalidBody('must be valid UTF-8'), undefined)
    let value: unknown
    try {
      // A key such as __proto__ is plain data here; no schema knows it, and metadata refuses it.
      value = JSON.parse(body.toString())
    } catch {
      return done(invalidBody('must be valid JSON'), undefined)
    }
    done(null, value)
  })
  app.addContentTypeParser<Buffer>('*', asBytes, (_request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else done(new RefusedBody(notJson), undefined)
  })
}

// A header that is sent several times arrives as one list.
function isCompressed({ headers }: FastifyRequest): boolean {
  const codings = (headers['content-encoding'] ?? '').split(',')
  return codings.some((coding) => !['', 'identity'].includes(coding.trim().toLowerCase()))
}

/** The refusal of a body on a route that accepts none; null if it is absent or empty. */
export function refusalOfBody(body: unknown): Refusal | null {
  if (body === undefined || body === null) return null
  if (typeof body !== 'object' || Array.isArray(body)) {
    return invalidField('body', 'must be omitted or an empty object')
  }
  const fields = Object.keys(body)
  if (fields.length === 0) return null
  return invalidFields(fields.map((field) => ({ field, message: 'unknown field' })))
}

function invalidBody(message: string): InvalidRequest {
  return new InvalidRequest([{ field: 'body', message }])
}
