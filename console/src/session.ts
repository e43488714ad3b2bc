// Who is signed in. The key lives as long as the tab: it is never written to disk by us.

import { signal } from '@preact/signals'

export type Session = { readonly kind: 'operator' | 'admin'; readonly key: string }

const place = 'outcry.session'

export const session = signal<Session | null>(readKept())
/** Why somebody finds the sign-in page who did not ask for it. */
export const signedOutBecause = signal<string | null>(null)

export function signIn(next: Session): void {
  sessionStorage.setItem(place, JSON.stringify(next))
  signedOutBecause.value = null
  session.value = next
}

export function signOut(because: string | null = null): void {
  sessionStorage.removeItem(place)
  signedOutBecause.value = because
  session.value = null
}

function readKept(): Session | null {
  try {
    const kept: Partial<Session> | null = JSON.parse(sessionStorage.getItem(place) ?? 'null')
    if (typeof kept?.key !== 'string') return null
    return { kind: kept.kind === 'admin' ? 'admin' : 'operator', key: kept.key }
  } catch {
    // Somebody else's text in our place is as good as none.
    return null
  }
}
