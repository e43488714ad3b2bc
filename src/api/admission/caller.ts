// Whose key a connection has shown, and whether it still counts.

import type { KeyRow, OperatorRow } from '../../store/store.ts'
import { Refusal } from '../errors.ts'
import type { StreamContext } from '../ws/context.ts'

/** The key itself is not kept. */
export type Caller = { readonly operator: OperatorRow; readonly key: KeyRow }

type Registry = StreamContext['registry']

const scope = 'read'
const unknownKey = new Refusal('UNAUTHORIZED', 'The key is not valid.')
const inactive = new Refusal('FORBIDDEN', 'The operator is not active.')
const outOfScope = new Refusal('FORBIDDEN', `The key does not have the scope "${scope}".`)

export function callerOf({ keys }: Registry, apiKey: string): Caller | Refusal {
  const caller = keys.authenticate(apiKey)
  if (caller === null) return unknownKey
  if (!caller.operator.isActive) return inactive
  return caller.key.scopes.includes(scope) ? caller : outOfScope
}

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
