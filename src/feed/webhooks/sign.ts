// What tells a receiver that a delivery is ours and whole.

import { createHmac } from 'node:crypto'

/** Over the bytes as they are sent; the key is the text of the secret as it was shown. */
export function signatureOf(body: Uint8Array, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}
