// One connection to the stream: sends no faster than the service allows, and ends when nothing has
// been heard for too long, for a broken network says nothing.

import type { Heard, Said } from '../generated/wire.ts'

export type ConnectionOptions = {
  readonly url: string
  readonly WebSocket: typeof WebSocket
  readonly silenceMaxMs: number
  readonly onOpen: () => void
  readonly onMessage: (message: Said) => void
  /** Once, whoever ended it. */
  readonly onEnd: () => void
}

// The service takes 20 at once and 10 a second.
const burstMax = 15
const refillMs = 125

export class Connection {
  readonly #options: ConnectionOptions
  readonly #socket: WebSocket
  readonly #waiting: Heard[] = []
  #hasEnded = false
  #tokens = burstMax
  #refilledAt = performance.now()
  #sendTimer: ReturnType<typeof setTimeout> | undefined
  #silenceTimer: ReturnType<typeof setTimeout> | undefined
  #heardAt = performance.now()

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#socket = new options.WebSocket(options.url)
    this.#socket.onopen = () => options.onOpen()
    this.#socket.onmessage = ({ data }) => this.#hear(String(data))
    this.#socket.onclose = () => this.end()
    this.#socket.onerror = () => this.end()
    this.#watch(options.silenceMaxMs)
  }

  send(message: Heard): void {
    this.#waiting.push(message)
    this.#flush()
  }

  /** Does not wait for the other side: on a dead network it would never answer. */
  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#sendTimer)
    clearTimeout(this.#silenceTimer)
    const socket = this.#socket
    socket.onopen = null
    socket.onmessage = null
    socket.onclose = null
    // A socket that is closed while it connects reports an error; it has been dealt with.
    socket.onerror = () => undefined
    socket.close()
    this.#options.onEnd()
  }

  #hear(text: string): void {
    this.#heardAt = performance.now()
    const message: Said = JSON.parse(text)
    this.#options.onMessage(message)
  }

  #flush(): void {
    if (this.#hasEnded || this.#socket.readyState !== this.#socket.OPEN) return
    const now = performance.now()
    const refilled = this.#tokens + (now - this.#refilledAt) / refillMs
    this.#tokens = Math.min(burstMax, refilled)
    this.#refilledAt = now
    while (this.#tokens >= 1) {
      const message = this.#waiting.shift()
      if (message === undefined) return
      this.#tokens -= 1
      this.#socket.send(JSON.stringify(message))
    }
    clearTimeout(this.#sendTimer)
    this.#sendTimer = setTimeout(() => this.#flush(), refillMs)
  }

  #watch(waitMs: number): void {
    this.#silenceTimer = setTimeout(() => {
      const leftMs = this.#options.silenceMaxMs - (performance.now() - this.#heardAt)
      if (leftMs > 0) this.#watch(leftMs)
      else this.end()
    }, waitMs)
  }
}
