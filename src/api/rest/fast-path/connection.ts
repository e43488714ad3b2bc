// One connection on the fast path: it answers plain requests to routes of the fast path, one after
// the other. With the first other request the connection is handed to the HTTP server, together
// with the bytes that have arrived, and stays there.

import type { Socket } from 'node:net'
import { responseHead } from '../../http/raw-response.ts'
import type { Encoded } from '../../http/response.ts'
import { unreadMsMax } from '../../http/unread.ts'
import { type PlainRequest, plainRequestOf } from './plain-request.ts'

/** A request that passed admission and validation, and is not carried out yet. */
export type Admitted = {
  readonly route: string
  /** The headers of the response, names and values alternating. */
  readonly headers: string[]
  readonly requestId: string
  readonly traceparent: string | undefined
  readonly startedAt: number
  /** The address of the client. */
  readonly address: () => string
  /** Never rejects; completes `headers`. */
  readonly run: () => Promise<Encoded>
}

export type ConnectionOwner = {
  /** null if the request does not belong on the fast path. */
  admit(request: PlainRequest, socket: Socket): Admitted | null
  /** Measures an answer. */
  onAnswer(admitted: Admitted, status: number): void
  handOver(socket: Socket, bytes: Buffer): void
  /** Reports a failure outside of a request; the connection is destroyed. */
  onFailure(error: unknown): void
  onEnd(connection: FastPathConnection): void
}

const nothing = Buffer.alloc(0)
/** A client that needs longer to begin, or to finish a request, is left to the HTTP server. */
const firstMsMax = 1_000
const restMsMax = 1_000

export class FastPathConnection {
  readonly #socket: Socket
  readonly #owner: ConnectionOwner
  readonly #idleMsMax: number
  #isBusy = false
  /** The client has not read the last answer. */
  #isUnread = false
  #hasAnswered = false
  #isClosing = false
  /** The client will send nothing more. */
  #isEnded = false
  /** Bytes that arrived while a request was being answered. */
  #held: Buffer | null = null
  /** The beginning of an unfinished request. */
  #begun: Buffer | null = null
  #restTimer: NodeJS.Timeout | undefined

  constructor(socket: Socket, owner: ConnectionOwner, idleMsMax: number) {
    this.#socket = socket
    this.#owner = owner
    this.#idleMsMax = idleMsMax
    socket.setTimeout(firstMsMax)
    socket.on('data', this.#onData)
    socket.on('end', this.#onEnd)
    socket.on('timeout', this.#onTimeout)
    socket.on('error', this.#onError)
    socket.on('close', this.#onClose)
  }

  /** Ends the connection after its pending answer. */
  close(): void {
    this.#isClosing = true
    if (this.#isBusy) return
    // A first request may be arriving; the HTTP server then answers why it is refused.
    if (this.#hasAnswered && this.#begun === null) this.#socket.end()
    else this.#leave(this.#withBegun(nothing))
  }

  readonly #onData = (bytes: Buffer): void => {
    if (!this.#isBusy) {
      this.#consume(this.#withBegun(bytes))
      return
    }
    this.#socket.pause()
    this.#held = this.#held === null ? bytes : Buffer.concat([this.#held, bytes])
  }

  // A pending answer is still sent; half a request has none.
  readonly #onEnd = (): void => {
    this.#isEnded = true
    if (this.#begun !== null) this.#socket.destroy()
    else if (!this.#isBusy) this.#socket.end()
  }

  readonly #onTimeout = (): void => {
    if (this.#isUnread) this.#socket.destroy()
    if (this.#isBusy) return
    if (this.#hasAnswered) this.#socket.destroy()
    else this.#leave(this.#withBegun(nothing))
  }

  readonly #onError = (): void => {
    this.#socket.destroy()
  }

  readonly #onClose = (): void => {
    clearTimeout(this.#restTimer)
    this.#owner.onEnd(this)
  }

  #consume(bytes: Buffer): void {
    const request = this.#isClosing ? null : plainRequestOf(bytes)
    if (request === 'unfinished') {
      this.#begun = bytes
      this.#restTimer ??= setTimeout(() => this.#leave(this.#withBegun(nothing)), restMsMax)
      return
    }
    clearTimeout(this.#restTimer)
    this.#restTimer = undefined
    const admitted = request === null ? null : this.#owner.admit(request, this.#socket)
    if (request === null || admitted === null) {
      this.#leave(bytes)
      return
    }
    this.#isBusy = true
    if (request.length < bytes.length) this.#held = bytes.subarray(request.length)
    admitted
      .run()
      .then((answer) => this.#answer(admitted, answer))
      .catch(this.#onFailure)
  }

  #withBegun(bytes: Buffer): Buffer {
    const begun = this.#begun
    this.#begun = null
    return begun === null ? bytes : Buffer.concat([begun, bytes])
  }

  readonly #onFailure = (error: unknown): void => {
    this.#owner.onFailure(error)
    this.#socket.destroy()
  }

  #answer(admitted: Admitted, { status, text, encoding }: Encoded): void {
    const { headers } = admitted
    this.#owner.onAnswer(admitted, status)
    const head = responseHead(status, headers, this.#isClosing ? null : this.#idleMsMax)
    const socket = this.#socket
    if (socket.destroyed) return
    const isRead = socket.write(head + text, encoding)
    if (!isRead) this.#waitUntilRead()
    else if (!this.#hasAnswered) socket.setTimeout(this.#idleMsMax)
    this.#hasAnswered = true
    if (this.#isClosing) socket.end()
    else if (isRead) this.#continue()
  }

  #waitUntilRead(): void {
    const socket = this.#socket
    this.#isUnread = true
    socket.setTimeout(unreadMsMax)
    socket.once('drain', () => {
      this.#isUnread = false
      socket.setTimeout(this.#idleMsMax)
      if (!this.#isClosing) this.#continue()
    })
  }

  #continue(): void {
    this.#isBusy = false
    const held = this.#held
    this.#held = null
    if (this.#socket.isPaused()) this.#socket.resume()
    if (held !== null) this.#consume(held)
    else if (this.#isEnded) this.#socket.end()
  }

  #leave(bytes: Buffer): void {
    const socket = this.#socket
    clearTimeout(this.#restTimer)
    socket.setTimeout(0)
    socket.off('data', this.#onData)
    socket.off('end', this.#onEnd)
    socket.off('timeout', this.#onTimeout)
    socket.off('error', this.#onError)
    socket.off('close', this.#onClose)
    this.#owner.onEnd(this)
    this.#owner.handOver(socket, bytes)
  }
}
