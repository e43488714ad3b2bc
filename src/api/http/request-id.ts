// The id of a request: the client's own if it can be sent back, otherwise a new one.

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export const requestIdMax = 255
const accepted = new RegExp(`^[\\x20-\\x7e]{1,${requestIdMax}}$`)
const prefix = randomBytes(6).toString('hex')
let count = 0

export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const own = headers['x-request-id']
  return typeof own === 'string' && accepted.test(own) ? own : newRequestId()
}

export function newRequestId(): string {
  count += 1
  return `${prefix}-${count.toString(36)}`
}
