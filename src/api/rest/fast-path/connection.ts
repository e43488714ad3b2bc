// One connection on the short way: as long as plain requests to busy routes come, one after the
// other, it answers them past the framework. With the first of any other kind the connection is
// handed to the HTTP server, bytes and all, and stays there.

import type { Socket } from 'node:net'
import type { Refusal } from '../../errors.ts'
import { responseHead } from '../../http/raw-response.ts'
import { type Done, encodeAnswer } from '../../http/response.ts'
import { type PlainRequest, plainRequestOf } from './plain-request.ts'

/** A request that was found to be in order, before anything was done about it. */
export type Admitted = {
  readonly route: string
  /** Names and values by turns: what its answer carries. */
  readonly headers: string[]
  readonly requestId: string
  readonly startedAt: number
  readonly run: () => Promise<Done | Refusal>
}

export type ConnectionOwner = {
  /** null where the short way is not for this request. */
  admit(request: PlainRequest): Admitted | null
  /** Counts and times an answer. */
  onAnswer(admitted: Admitted, status: number): void
  handOver(socket: Socket, bytes: Buffer): void
  onEnd(connection: FastPathConnection): void
}

const nothing = Buffer.alloc(0)
/** Whoever takes so long to begin, or to send the rest, is the HTTP server's affair. */
const firstMsMax = 1_000
const restMsMax = 1_000

export class FastPathConnection {
  readonly #socket: Socket
  readonly #owner: ConnectionOwner
  readonly #idleMsMax: number
  #isBusy = false
  #hasAnswered = false
  #isClosing = false
  /** The other side will send nothing more. */
  #isEnded = false
  /** Came while a request was under way. */
  #held: Buffer | null = null
  /** The beginning of a request. */
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

  /** Ends the connection, after the answer that is under way. */
  close(): void {
    this.#isClosing = true
    if (this.#isBusy) return
    // A first request may be on its way, and then deserves to be told why it is not taken.
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

  // Its answer still goes out. Half a request has none.
  readonly #onEnd = (): void => {
    this.#isEnded = true
    if (this.#begun !== null) this.#socket.destroy()
    else if (!this.#isBusy) this.#socket.end()
  }

  readonly #onTimeout = (): void => {
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
    const admitted = request === null ? null : this.#owner.admit(request)
    if (request === null || admitted === null) {
      this.#leave(bytes)
      return
    }
    this.#isBusy = true
    if (request.length < bytes.length) this.#held = bytes.subarray(request.length)
    void admitted.run().then((answer) => this.#answer(admitted, answer))
  }

  #withBegun(bytes: Buffer): Buffer {
    const begun = this.#begun
    this.#begun = null
    return begun === null ? bytes : Buffer.concat([begun, bytes])
  }

  #answer(admitted: Admitted, answer: Done | Refusal): void {
    const { headers } = admitted
    const { status, text, encoding } = encodeAnswer(answer, headers)
    this.#owner.onAnswer(admitted, status)
    const head = responseHead(status, headers, this.#isClosing ? null : this.#idleMsMax)
    const socket = this.#socket
    if (socket.destroyed) return
    const hasRoom = socket.write(head + text, encoding)
    if (!this.#hasAnswered) socket.setTimeout(this.#idleMsMax)
    this.#hasAnswered = true
    if (this.#isClosing) socket.end()
    else if (hasRoom) this.#goOn()
    else socket.once('drain', () => this.#goOn())
  }

  #goOn(): void {
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
