// The header Idempotency-Key, and the transactionId that it stands for on orders and sets.

import { invalidField, type Refusal } from '../errors.ts'

const idempotencyKeyMax = 255
const field = 'Idempotency-Key'

const plainForm = /^[\x21\x23-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/
const quotedForm = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/
const invalidKey = invalidField(
  field,
  `must be 1 to ${idempotencyKeyMax} printable ASCII characters, which may be in double quotes`,
)
const sentTwice = invalidField(field, 'must be sent once')
const differs = invalidField(field, 'must be the transactionId of the body, if both are sent')
export const keyNotAllowed = invalidField(
  field,
  'is not allowed on this route: give each order a transactionId of its own',
)

/** null if the header was not sent. A value in quotes is the text inside. */
export function idempotencyKeyOf(values: readonly string[] | undefined): string | null | Refusal {
  const [value, ...others] = values ?? []
  if (value === undefined) return null
  if (others.length > 0) return sentTwice
  const text = value.trim()
  const key = text.startsWith('"')
    ? quotedForm.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1')
    : plainForm.exec(text)?.[0]
  if (key === undefined || key === '' || key.length > idempotencyKeyMax) return invalidKey
  return key
}

/** The body with the key as its transactionId. What is no object is left to validation. */
export function withTransactionId(body: unknown, key: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const sent = 'transactionId' in body ? body.transactionId : null
  if (sent === null || sent === undefined) return { ...body, transactionId: key }
  return sent === key || typeof sent !== 'string' ? body : differs
}
