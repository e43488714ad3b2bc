// Who a request comes from: the operator that an API key belongs to, and whether that key has the
// scope which the request needs. Every interface refuses a key in the same words.

import type { Keys } from '../../registry/keys.ts'
import type { Operators } from '../../registry/operators.ts'
import type { KeyRow, OperatorRow } from '../../store/store.ts'
import { Refusal } from '../errors.ts'
import type { Scope } from '../schemas/operator.ts'

export type Caller = { readonly operator: OperatorRow; readonly key: KeyRow }

const missingKey = new Refusal('UNAUTHORIZED', 'The API key is missing; send it as X-Api-Key.')
const unknownKey = new Refusal('UNAUTHORIZED', 'The API key is unknown, revoked or expired.')
const inactive = new Refusal('FORBIDDEN', 'The operator of this API key is not active.')
export const outOfScope: Readonly<Record<Scope, Refusal>> = {
  read: lacksScope('read'),
  trade: lacksScope('trade'),
  manage: lacksScope('manage'),
}

function lacksScope(scope: Scope): Refusal {
  return new Refusal('FORBIDDEN', `The API key does not have the scope "${scope}".`)
}

/**
 * `apiKey` is undefined where none was sent; anything but a string is no key. A scope of null
 * accepts a key with any scope.
 */
export function callerOf(
  keys: Pick<Keys, 'authenticate'>,
  apiKey: unknown,
  scope: Scope | null,
): Caller | Refusal {
  if (apiKey === undefined) return missingKey
  const caller = typeof apiKey === 'string' ? keys.authenticate(apiKey) : null
  if (caller === null) return unknownKey
  if (!caller.operator.isActive) return inactive
  return scope === null || caller.key.scopes.includes(scope) ? caller : outOfScope[scope]
}

type Registry = {
  readonly keys: Pick<Keys, 'list'>
  readonly operators: Pick<Operators, 'get'>
}

/** Whether a caller that was accepted earlier would be accepted now. */
export function isStillValid(
  { keys, operators }: Registry,
  { operator, key }: Caller,
  now: number,
): boolean {
  if (operators.get(operator.id)?.isActive !== true) return false
  if (key.expiresAt !== null && key.expiresAt <= now) return false
  const list = keys.list(operator.id)
  return 'code' in list ? false : list.some(({ id }) => id === key.id)
}
