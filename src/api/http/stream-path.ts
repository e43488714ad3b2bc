// Which requests are for the stream. All others are answered as if they had asked for no upgrade:
// some clients offer HTTP/2 that way.

import type { IncomingMessage } from 'node:http'

export const streamPath = '/ws'

export function isForStream({ url = '', headers }: IncomingMessage): boolean {
  const isPath = url === streamPath || url.startsWith(`${streamPath}?`)
  return isPath && headers.upgrade?.toLowerCase() === 'websocket'
}
