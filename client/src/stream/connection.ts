// One connection to the stream. It sends no faster than the service allows, and ends if it receives
// nothing for too long, because a broken network does not report itself.

import type { ClientMessage, ServerMessage } from '../generated/wire.ts'

/** The part of a WebSocket that the stream uses, so that the types need no library of the DOM. */
export type WebSocketLike = {
  readonly readyState: number
  readonly OPEN: number
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
  send(text: string): void
  close(): void
}

/** The global class, or that of the package ws. */
export type WebSocketClass = new (url: string) => WebSocketLike

export type ConnectionOptions = {
  readonly url: string
  readonly WebSocket: WebSocketClass
  readonly silenceMaxMs: number
  readonly onOpen: () => void
  readonly onMessage: (message: ServerMessage) => void
  /** Called once, whichever side ended the connection. */
  readonly onEnd: () => void
}

// The service allows bursts of 20 messages and 10 per second.
const burstMax = 15
const refillMs = 125

export class Connection {
  readonly #options: ConnectionOptions
  readonly #socket: WebSocketLike
  readonly #unsent: ClientMessage[] = []
  #hasEnded = false
  #tokens = burstMax
  #refilledAt = performance.now()
  #sendTimer: ReturnType<typeof setTimeout> | undefined
  #silenceTimer: ReturnType<typeof setTimeout> | undefined
  #receivedAt = performance.now()

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#socket = new options.WebSocket(options.url)
    this.#socket.onopen = () => options.onOpen()
    this.#socket.onmessage = ({ data }: { readonly data: unknown }) => this.#receive(String(data))
    this.#socket.onclose = () => this.end()
    this.#socket.onerror = () => this.end()
    this.#watch(options.silenceMaxMs)
  }

  send(message: ClientMessage): void {
    this.#unsent.push(message)
    this.#flush()
  }

  /** Does not wait for the other side, which never answers on a dead network. */
  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#sendTimer)
    clearTimeout(this.#silenceTimer)
    const socket = this.#socket
    socket.onopen = null
    socket.onmessage = null
    socket.onclose = null
    // A socket that is closed while it connects reports an error, which is expected here.
    socket.onerror = () => undefined
    socket.close()
    this.#options.onEnd()
  }

  #receive(text: string): void {
    this.#receivedAt = performance.now()
    const message: ServerMessage = JSON.parse(text)
    this.#options.onMessage(message)
  }

  #flush(): void {
    if (this.#hasEnded || this.#socket.readyState !== this.#socket.OPEN) return
    const now = performance.now()
    const refilled = this.#tokens + (now - this.#refilledAt) / refillMs
    this.#tokens = Math.min(burstMax, refilled)
    this.#refilledAt = now
    while (this.#tokens >= 1) {
      const message = this.#unsent.shift()
      if (message === undefined) return
      this.#tokens -= 1
      this.#socket.send(JSON.stringify(message))
    }
    clearTimeout(this.#sendTimer)
    this.#sendTimer = setTimeout(() => this.#flush(), refillMs)
  }

  #watch(waitMs: number): void {
    this.#silenceTimer = setTimeout(() => {
      const leftMs = this.#options.silenceMaxMs - (performance.now() - this.#receivedAt)
      if (leftMs > 0) this.#watch(leftMs)
      else this.end()
    }, waitMs)
  }
}
