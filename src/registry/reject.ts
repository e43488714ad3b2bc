// The rejections of the registry: a value with a code and a message for the caller.

export type RegistryRejectCode =
  | 'CATEGORY_NOT_FOUND'
  | 'CATEGORY_DUPLICATE_SLUG'
  | 'WEBHOOK_NOT_FOUND'
  | 'WEBHOOK_LIMIT'
  | 'OPERATOR_NOT_FOUND'
  | 'KEY_NOT_FOUND'
  | 'FORBIDDEN'
  | 'VALIDATION_ERROR'

export type RegistryReject = {
  readonly code: RegistryRejectCode
  readonly message: string
  /** The field that is invalid, and what is wrong with it. */
  readonly fault?: { readonly field: string; readonly message: string }
}

/** Tells a rejection from a record: no record has a field `code`. */
export function isReject(value: unknown): value is RegistryReject {
  return typeof value === 'object' && value !== null && 'code' in value
}

export function invalid(field: string, message: string): RegistryReject {
  return { code: 'VALIDATION_ERROR', message: `${field}: ${message}`, fault: { field, message } }
}

// Also for records of other operators: a caller must not learn that they exist.
export const operatorNotFound = notFound('OPERATOR_NOT_FOUND', 'operator')
export const keyNotFound = notFound('KEY_NOT_FOUND', 'key')
export const categoryNotFound = notFound('CATEGORY_NOT_FOUND', 'category')
export const webhookNotFound = notFound('WEBHOOK_NOT_FOUND', 'webhook')

function notFound(code: RegistryRejectCode, word: string): RegistryReject {
  return { code, message: `No ${word} has this id.` }
}

const quotedMax = 64

/** A value for a message: quoted, on one line, and shortened. */
export function quoted(value: string): string {
  return JSON.stringify(value.length > quotedMax ? `${value.slice(0, quotedMax)}...` : value)
}
