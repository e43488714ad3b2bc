// The envelope of every response, { success, data } or { success, error }, and the form of a page.

import { type TSchema, Type } from 'typebox'
import { countedMax } from '../../store/store.ts'
import { nullable, record } from './fields.ts'

const Details = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      'What a program may need. With VALIDATION_ERROR: `faults`, an array of ' +
      '`{ field, message }`.',
  },
)

export function success<Data extends TSchema>(data: Data) {
  return Type.Object({ success: Type.Literal(true), data })
}

/** An error in the form of RFC 9457, for clients that prefer it. */
export const Problem = record('Problem', {
  type: Type.String({ description: '`urn:outcry:error:` and the code.' }),
  title: Type.String({ description: 'The code in words.' }),
  status: Type.Integer(),
  detail: Type.String({ description: 'The message of the error.' }),
  instance: Type.String({ description: '`urn:outcry:request:` and the X-Request-Id.' }),
  code: Type.String(),
  details: Type.Optional(Details),
  success: Type.Literal(false),
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    details: Type.Optional(Details),
  }),
})

export function failure(codes: readonly string[]) {
  return Type.Object({
    success: Type.Literal(false),
    error: Type.Object({
      code: Type.Unsafe<string>({ type: 'string', enum: [...codes] }),
      message: Type.String(),
      details: Type.Optional(Details),
    }),
  })
}

const counted = `A filtered list is counted up to ${countedMax}.`

export function page<Name extends string>(name: Name, item: TSchema) {
  return Type.Object({
    [name]: Type.Array(item),
    total: Type.Integer({ description: `The number of items on all pages. ${counted}` }),
    totalIsExact: Type.Boolean({ description: 'false if there are more items than total.' }),
    hasMore: Type.Boolean(),
    nextCursor: nullable(Type.String()),
  })
}

export const Message = Type.Object({ message: Type.String() })
