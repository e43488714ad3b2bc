// The signature with which a receiver checks that a delivery is authentic and complete.

import { createHmac } from 'node:crypto'

/** HMAC-SHA256 of the sent bytes; the key is the text of the secret as shown to the operator. */
export function signatureOf(body: Uint8Array, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}
