// The path of the WebSocket stream. Any other upgrade request is answered as an ordinary request:
// some clients offer HTTP/2 that way.

import type { IncomingMessage } from 'node:http'

export const streamPath = '/ws'

export function isForStream({ url = '', headers }: IncomingMessage): boolean {
  const isPath = url === streamPath || url.startsWith(`${streamPath}?`)
  return isPath && headers.upgrade?.toLowerCase() === 'websocket'
}
