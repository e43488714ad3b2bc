// The client of the exchange, with the key of the signed-in user.

import { computed } from '@preact/signals'
import { OutcryClient } from '../../client/src/outcry.ts'
import { learnServiceTime } from './now.ts'
import { type Session, session, signOut } from './session.ts'

/** Fewer than the client's default: a user would rather see an error and try again. */
const retriesMax = 3

const client = computed(() => clientOf(session.value))

/** The client of the current session. */
export function exchange(): OutcryClient {
  return client.peek()
}

/** A client for any session, also before sign-in. */
export function clientOf(as: Session | null): OutcryClient {
  const key = as === null ? {} : as.kind === 'admin' ? { adminKey: as.key } : { apiKey: as.key }
  return new OutcryClient({
    ...key,
    baseUrl: location.origin,
    retriesMax,
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      learnServiceTime(response.headers.get('date'))
      if (response.status === 401 && as !== null && session.peek() === as) endSession()
      return response
    },
  })
}

export function endSession(): void {
  signOut('This key is no longer accepted: it was revoked or has expired. Sign in again.')
}
