// Who the key of the signed-in operator is. What the key may not do is not offered.

import { signal } from '@preact/signals'
import { exchange } from './exchange.ts'
import { session } from './session.ts'
import type { Market, Me } from './wire.ts'

export type Scope = Me['scopes'][number]

/** null until it is loaded, and for the administrator. */
export const identity = signal<Me | null>(null)
/** Why it could not be loaded. */
export const identityError = signal<unknown>(null)

export function loadIdentity(): void {
  const who = session.peek()
  identity.value = null
  identityError.value = null
  if (who?.kind !== 'operator') return
  const isLatest = () => session.peek() === who
  exchange()
    .me()
    .then(
      (me) => {
        if (isLatest()) identity.value = me
      },
      (error) => {
        if (isLatest()) identityError.value = error
      },
    )
}

/** Whether the key of the operator has the scope. */
export function can(scope: Scope): boolean {
  return identity.value?.scopes.includes(scope) ?? false
}

/** Whether the operator owns the market; others trade in it as guests. */
export function owns(market: Pick<Market, 'operatorId'>): boolean {
  return identity.value?.operatorId === market.operatorId
}
