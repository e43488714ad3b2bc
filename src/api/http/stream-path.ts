// The path of the WebSocket stream. Any other request that asks for an upgrade is answered without
// one: some clients offer HTTP/2 that way.

import type { IncomingMessage } from 'node:http'

export const streamPath = '/ws'

export function isForStream({ url = '', headers }: IncomingMessage): boolean {
  const isPath = url === streamPath || url.startsWith(`${streamPath}?`)
  return isPath && headers.upgrade?.toLowerCase() === 'websocket'
}
