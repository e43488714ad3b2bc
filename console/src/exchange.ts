// The exchange, asked with the key of whoever is signed in, through the client that everybody uses.

import { computed } from '@preact/signals'
import { OutcryClient } from '../../client/src/outcry.ts'
import { type Session, session, signOut } from './session.ts'

/** Fewer than a program's: whoever waits for a page would rather be told, and can try again. */
const retriesMax = 3

const client = computed(() => clientOf(session.value))

/** Of whoever is signed in now. */
export function exchange(): OutcryClient {
  return client.peek()
}

/** With a key that nobody has signed in with yet, too. */
export function clientOf(as: Session | null): OutcryClient {
  const key = as === null ? {} : as.kind === 'admin' ? { adminKey: as.key } : { apiKey: as.key }
  return new OutcryClient({
    ...key,
    baseUrl: location.origin,
    retriesMax,
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      if (response.status === 401 && as !== null && session.peek() === as) endSession()
      return response
    },
  })
}

export function endSession(): void {
  signOut('This key is no longer accepted: it was revoked or has expired. Sign in again.')
}
