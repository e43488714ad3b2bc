// The signatures with which a receiver checks that a delivery is authentic and complete.

import { createHmac } from 'node:crypto'

/** HMAC-SHA256 of the sent bytes; the key is the text of the secret as shown to the operator. */
export function signatureOf(body: Uint8Array, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

export type SignedAttempt = {
  readonly id: string
  /** Unix seconds. */
  readonly timestamp: string
  readonly body: Uint8Array
}

/**
 * As Standard Webhooks 1.0 defines it: a signature for each secret, separated by spaces, over the
 * id and the time as well. The key is the text of the secret, too.
 */
export function standardSignatureOf(
  { id, timestamp, body }: SignedAttempt,
  secrets: readonly string[],
): string {
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body)
    return `v1,${hmac.digest('base64')}`
  })
  return signatures.join(' ')
}
