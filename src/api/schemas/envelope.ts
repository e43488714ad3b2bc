// The envelope of every response, { success, data } or { success, error }, and the form of a page.

import { type TSchema, Type } from 'typebox'
import { countedMax } from '../../store/store.ts'
import { nullable } from './fields.ts'

export function success<Data extends TSchema>(data: Data) {
  return Type.Object({ success: Type.Literal(true), data })
}

export function failure(codes: readonly string[]) {
  return Type.Object({
    success: Type.Literal(false),
    error: Type.Object({
      code: Type.Unsafe<string>({ type: 'string', enum: [...codes] }),
      message: Type.String(),
      details: Type.Optional(Type.Object({}, { additionalProperties: true })),
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
