// Stands in for the registry's own file until it lands.

export type RegistryReject = {
  readonly code:
    | 'CATEGORY_NOT_FOUND'
    | 'CATEGORY_DUPLICATE_SLUG'
    | 'WEBHOOK_NOT_FOUND'
    | 'WEBHOOK_LIMIT'
    | 'OPERATOR_NOT_FOUND'
    | 'KEY_NOT_FOUND'
    | 'FORBIDDEN'
    | 'VALIDATION_ERROR'
  readonly message: string
}

export function isReject(value: unknown): value is RegistryReject {
  return typeof value === 'object' && value !== null && 'code' in value && 'message' in value
}
