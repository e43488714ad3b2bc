// How the registry says no: a value with a code and the sentence for the caller.

export type RegistryRejectCode =
  | 'CATEGORY_NOT_FOUND'
  | 'CATEGORY_DUPLICATE_SLUG'
  | 'WEBHOOK_NOT_FOUND'
  | 'WEBHOOK_LIMIT'
  | 'OPERATOR_NOT_FOUND'
  | 'KEY_NOT_FOUND'
  | 'FORBIDDEN'
  | 'VALIDATION_ERROR'

export type RegistryReject = { readonly code: RegistryRejectCode; readonly message: string }

/** No record of the registry has a code. */
export function isReject(value: unknown): value is RegistryReject {
  return typeof value === 'object' && value !== null && 'code' in value
}

export function invalid(field: string, message: string): RegistryReject {
  return { code: 'VALIDATION_ERROR', message: `${field}: ${message}` }
}

// Whoever asks for what is not theirs hears the same as for what does not exist.
export const operatorNotFound = absent('OPERATOR_NOT_FOUND', 'operator')
export const keyNotFound = absent('KEY_NOT_FOUND', 'key')
export const categoryNotFound = absent('CATEGORY_NOT_FOUND', 'category')
export const webhookNotFound = absent('WEBHOOK_NOT_FOUND', 'webhook')

function absent(code: RegistryRejectCode, word: string): RegistryReject {
  return { code, message: `No ${word} has that id.` }
}

const quotedMax = 64

/** A value as a message shows it: on one line, and cut. */
export function quoted(value: string): string {
  return JSON.stringify(value.length > quotedMax ? `${value.slice(0, quotedMax)}...` : value)
}
