// The building blocks of schemas: ids, texts, times, decimals, choices. The formats named here are
// checked by functions of parse/.

import { type Static, type TSchema, Type } from 'typebox'
import { decimals } from '../../core/money.ts'

/** A well-formed UUID, whether or not anything has it. */
export const Id = Type.String({ format: 'uuid' })

/** A public id has 12 bits for it. */
export const ShardNumber = Type.Integer({ minimum: 0, maximum: 4_095 })

/** ISO 8601 with Z or an offset. */
export const Time = Type.String({ format: 'date-time' })

/** A title or a name: one line without control characters and bidirectional overrides. */
export function name(minLength: number, maxLength: number) {
  return Type.String({ format: 'name', minLength, maxLength })
}

/** One line that is not shown as a title, such as an id: no control characters. */
export function line(minLength: number, maxLength: number) {
  return Type.String({ format: 'line', minLength, maxLength })
}

/** As a name, but with tabs and line breaks. */
export function prose(minLength: number, maxLength: number) {
  return Type.String({ format: 'prose', minLength, maxLength })
}

/** One of a list. */
export function words<const Word extends string>(list: readonly Word[]) {
  return Type.Unsafe<Word>({ type: 'string', enum: [...list] })
}

export function nullable<Schema extends TSchema & { readonly type: string }>(schema: Schema) {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] })
}

/** A reference to a named schema, which is one component of the document. */
export function named<Schema extends TSchema>(schema: Schema & { readonly $id: string }) {
  return Type.Unsafe<Static<Schema>>({ $ref: `${schema.$id}#` })
}

/** Of an object in which the one field is required unless the other is given. */
export function requiredUnless(field: string, other: string) {
  return { if: { required: [other] }, else: { required: [field] } }
}

/** A named object that clients send; unknown fields are refused. */
export function request<Fields extends Record<string, TSchema>, const Name extends string>(
  $id: Name,
  fields: Fields,
  { example, ...rules }: { readonly example: object } & Record<string, object>,
) {
  const options = { additionalProperties: false, examples: [example], ...rules }
  return Object.assign(Type.Object(fields, options), { $id })
}

/** A named object of responses; later versions may add fields. */
export function record<Fields extends Record<string, TSchema>, const Name extends string>(
  $id: Name,
  fields: Fields,
) {
  return Object.assign(Type.Object(fields), { $id })
}

export const decimalPattern = '^-?\\d+(\\.\\d+)?$'

/** An exact decimal as text: no exponent, no trailing zeros. */
export function decimal(example: string, description?: string) {
  const about = description === undefined ? {} : { description }
  return Type.String({ pattern: decimalPattern, examples: [example], ...about })
}

export const sharesStep = 1 / 10 ** decimals.shares
export const priceStep = 1 / 10 ** decimals.price
export const amountStep = '0.000001'

/** Shares as a JSON number. Bounds and step are checked after the shape: they are settings. */
export const sharesRule = `A multiple of ${sharesStep}; 1 to 100000 unless configured otherwise.`
export const SharesNumber = Type.Number({
  description: sharesRule,
  examples: [25],
})

export const playerIdMax = 128
export const PlayerId = line(1, playerIdMax)
export const TransactionId = line(1, 255)
export const Title = name(1, 256)
export const Description = prose(0, 8_192)
export const Reason = prose(1, 1_024)
export const Url = line(1, 2_048)
export const ImageUrl = Type.String({ ...Url, format: 'https-url', description: 'An https URL.' })
export const Currency = Type.String({ pattern: '^[A-Z][A-Z0-9]{1,15}$', examples: ['USD'] })

export const pageMax = 1_000

export function limitOf(fallback: number) {
  return Type.Optional(Type.Integer({ minimum: 1, maximum: pageMax, default: fallback }))
}

export const Cursor = Type.Optional(
  Type.String({
    maxLength: 128,
    description: 'The nextCursor of the previous page of the same list.',
  }),
)

/** Several words, separated by commas; parse/ checks each. */
export function wordList(list: readonly string[]) {
  const description = `One or more of ${list.join(', ')}, separated by commas.`
  return Type.Optional(Type.String({ maxLength: 256, description, examples: [list[0]] }))
}
