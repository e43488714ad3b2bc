// Reads bodies: JSON, or nothing at all. An empty body is no body, whatever its type claims.

import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../errors.ts'
import { InvalidRequest } from '../validate/validation.ts'

export const bodyBytesMax = 256 * 1_024

/** How a body that is not JSON travels to the error handler. */
export class UnsupportedBody extends Error {
  override readonly name = 'UnsupportedBody'
  readonly refusal = new Refusal(
    'UNSUPPORTED_MEDIA_TYPE',
    'The content type must be application/json.',
  )
}

export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const asBytes = { parseAs: 'buffer' } as const
  app.addContentTypeParser<Buffer>('application/json', asBytes, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    // Bytes that are no UTF-8 would all be read as one and the same character.
    if (!isUtf8(body)) return done(new InvalidRequest('body: must be valid UTF-8'), undefined)
    let value: unknown
    try {
      // A key such as __proto__ is plain data here; no schema knows it, and metadata refuses it.
      value = JSON.parse(body.toString())
    } catch {
      return done(new InvalidRequest('body: must be valid JSON'), undefined)
    }
    done(null, value)
  })
  app.addContentTypeParser<Buffer>('*', asBytes, (_request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else done(new UnsupportedBody(), undefined)
  })
}

/** What is wrong with the body of an action that takes none. */
export function complaintAboutBody(body: unknown): Refusal | null {
  if (body === undefined || body === null) return null
  if (typeof body !== 'object' || Array.isArray(body)) {
    return new Refusal('VALIDATION_ERROR', 'body: must be omitted or an empty object')
  }
  const [field] = Object.keys(body)
  if (field === undefined) return null
  return new Refusal('VALIDATION_ERROR', `${field}: unknown field`)
}
