// Responses written to a socket without Node's HTTP server: on the fast path, and where bytes never
// became a request that the server could answer.

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Refusal } from '../errors.ts'
import { prefersProblem } from './accept.ts'
import { detachInput } from './paced-input.ts'
import { newRequestId } from './request-id.ts'
import { encodeAnswer, firstHeaders } from './response.ts'

/** The head as Node writes it; with idleMsMax null it announces that the connection closes. */
export function responseHead(
  status: number,
  headers: readonly string[],
  idleMsMax: number | null,
): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`
  const connection =
    idleMsMax === null
      ? 'Connection: close'
      : `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(idleMsMax / 1_000)}`
  return `${head}Date: ${dateText()}\r\n${connection}\r\n\r\n`
}

/** How long a client may take to read the last response before its connection is destroyed. */
const lingerMs = 1_000

export type Refused = {
  /** Of the request, or a new one. */
  readonly requestId?: string
  /** Names and values alternating. */
  readonly headers?: readonly string[]
  /** The Accept header of the request, if it is known. */
  readonly accept?: string | undefined
}

/** Sends a refusal and closes the connection; nothing that arrives later is processed. */
export function endSocketWith(
  socket: Socket,
  refusal: Refusal,
  { requestId = newRequestId(), headers: own = [], accept }: Refused = {},
): void {
  discardInput(socket)
  const headers = [...firstHeaders(requestId), ...own]
  const { status, text } = encodeAnswer(refusal, headers, prefersProblem(accept) ? requestId : null)
  socket.end(responseHead(status, headers, null) + text)
  socket.once('end', () => socket.destroySoon())
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(timer))
}

/**
 * Detaches the HTTP parser from a connection, and drops what the client still sends. Leaving it
 * unread would reset the connection, and the client might lose the response.
 */
export function discardInput(socket: Socket): void {
  detachInput(socket)
  socket.removeAllListeners('data')
  // Node's parser reads from the connection directly until there is a listener of this event.
  socket.on('data', () => undefined)
  socket.resume()
}

let dateSecond = 0
let dateNow = ''

// Made once a second: every response of the fast path carries it.
function dateText(): string {
  const second = Math.floor(Date.now() / 1_000)
  if (second !== dateSecond) {
    dateSecond = second
    dateNow = new Date(second * 1_000).toUTCString()
  }
  return dateNow
}
