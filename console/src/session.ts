// The session of the signed-in user. The key is stored for the lifetime of the tab only.

import { signal } from '@preact/signals'

export type Session = { readonly kind: 'operator' | 'admin'; readonly key: string }

const storageKey = 'outcry.session'

export const session = signal<Session | null>(readStored())
/** Why the console signed the user out; null if the user did. */
export const signedOutBecause = signal<string | null>(null)

export function signIn(next: Session): void {
  sessionStorage.setItem(storageKey, JSON.stringify(next))
  signedOutBecause.value = null
  session.value = next
}

export function signOut(because: string | null = null): void {
  sessionStorage.removeItem(storageKey)
  signedOutBecause.value = because
  session.value = null
}

function readStored(): Session | null {
  try {
    const stored: Partial<Session> | null = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
    if (typeof stored?.key !== 'string') return null
    return { kind: stored.kind === 'admin' ? 'admin' : 'operator', key: stored.key }
  } catch {
    // An invalid value counts as no session.
    return null
  }
}
