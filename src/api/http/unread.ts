// Answers that their clients do not read. An answer may have megabytes and waits in memory until it
// is read, so a client that requests many and reads none is disconnected.

import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** How long a client may read nothing while an answer is waiting; as on the stream. */
export const unreadMsMax = 10_000

/**
 * Disconnects the client if it stops reading the response, which is written already. Node notices
 * what a client reads within the time, and destroys a connection whose response makes no progress.
 */
export function limitUnread(response: ServerResponse): void {
  const { socket } = response
  // The response waits for those before it.
  if (socket === null) response.once('socket', (assigned) => limit(response, assigned))
  else if (socket.writableLength > 0) limit(response, socket)
}

function limit(response: ServerResponse, socket: unknown): void {
  // A request that the framework was given without a connection has none to close.
  if (!(socket instanceof Socket)) return
  socket.setTimeout(unreadMsMax)
  // Before Node's own listener, which sets the time that the connection may then be idle.
  response.prependOnceListener('finish', () => socket.setTimeout(0))
}
