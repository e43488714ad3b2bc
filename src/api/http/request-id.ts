// The id of a request: the client's own if it can be sent back, otherwise a new one.

import { randomFillSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export const requestIdMax = 255
const accepted = new RegExp(`^[\\x20-\\x7e]{1,${requestIdMax}}$`)
const idBytes = 8
/** Random bytes for the next ids: one call for many ids costs a fraction of a call for each. */
const supply = Buffer.alloc(512 * idBytes)
let used = supply.length

export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const own = headers['x-request-id']
  return typeof own === 'string' && accepted.test(own) ? own : newRequestId()
}

/** Random, so that an id tells a client nothing about the requests of others. */
export function newRequestId(): string {
  if (used === supply.length) {
    randomFillSync(supply)
    used = 0
  }
  used += idBytes
  return supply.toString('hex', used - idBytes, used)
}
