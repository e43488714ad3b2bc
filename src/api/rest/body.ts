// Reads bodies: JSON, or nothing at all. An empty body is no body, whatever its type claims.

import type { FastifyInstance } from 'fastify'
import { Refusal } from '../errors.ts'
import { InvalidRequest } from './validation.ts'

export const bodyBytesMax = 256 * 1_024

/** How a body that is not JSON travels to the error handler. */
export class UnsupportedBody extends Error {
  override readonly name = 'UnsupportedBody'
  readonly refusal = new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json.')
}

export function readBodies(app: FastifyInstance): void {
  // Refuses keys that would reach into prototypes.
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      if (body === '') return done(null, undefined)
      parse(request, body, (error, value) => {
        if (error === null) done(null, value)
        else done(new InvalidRequest('body: is not valid JSON, or has a forbidden key'), undefined)
      })
    },
  )
  app.addContentTypeParser<string>('*', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') done(null, undefined)
    else done(new UnsupportedBody(), undefined)
  })
}

/** What is wrong with the body of an action that takes none. */
export function complaintAboutBody(body: unknown): Refusal | null {
  if (body === undefined || body === null) return null
  if (typeof body !== 'object' || Array.isArray(body)) {
    return new Refusal('VALIDATION_ERROR', 'body: must be an object, or left out')
  }
  const [field] = Object.keys(body)
  if (field === undefined) return null
  return new Refusal('VALIDATION_ERROR', `${field}: is not known here`)
}
