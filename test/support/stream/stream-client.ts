// A client of the stream as an operator or a trader would write one: a real connection that keeps
// every received message in order.

import { WebSocket } from 'ws'
import type { Json } from '../process/outcry-process.ts'

export type OpenOptions = {
  readonly key?: string
  /** false: does not answer pings. */
  readonly autoPong?: boolean
  /** Called with each message as it arrives. */
  readonly onMessage?: (message: Json) => void
  /** false: messages are given to onMessage only. */
  readonly isKept?: boolean
}

const waitMax = 15_000

export class StreamClient {
  readonly socket: WebSocket
  readonly messages: Json[] = []
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  #waiters: (() => void)[] = []
  #lastId = 0

  constructor(url: string, options: OpenOptions = {}) {
    const { key, onMessage, isKept = true, autoPong = true } = options
    const headers = key === undefined ? {} : { 'x-api-key': key }
    this.socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, { headers, autoPong })
    this.socket.on('message', (data) => {
      const message: Json = JSON.parse(String(data))
      if (isKept) this.messages.push(message)
      onMessage?.(message)
      this.#wake()
    })
    this.socket.on('error', () => undefined)
    this.closed = new Promise((resolve) => {
      this.socket.once('close', (code, reason) => {
        resolve({ code, reason: String(reason) })
        this.#wake()
      })
    })
  }

  static async open(url: string, options: OpenOptions = {}): Promise<StreamClient> {
    const client = new StreamClient(url, options)
    await new Promise((resolve, reject) => {
      client.socket.once('open', resolve)
      client.socket.once('error', reject)
    })
    return client
  }

  #wake(): void {
    for (const wake of this.#waiters.splice(0)) wake()
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  /** Sends a message with a new id; returns the message that answers it. */
  request(message: object): Promise<Json> {
    this.#lastId += 1
    const id = `request-${this.#lastId}`
    this.send({ id, ...message })
    return this.until((each) => each.id === id)
  }

  ofType(type: string): Json[] {
    return this.messages.filter((message) => message.type === type)
  }

  /** The first message for which `isRight` holds, received already or later. */
  async until(isRight: (message: Json) => boolean, forMs = waitMax): Promise<Json> {
    const deadline = Date.now() + forMs
    for (let at = 0; ; ) {
      for (; at < this.messages.length; at += 1) {
        if (isRight(this.messages[at])) return this.messages[at]
      }
      const left = deadline - Date.now()
      if (left <= 0 || this.socket.readyState === WebSocket.CLOSED) {
        throw new Error(`The expected message did not arrive; ${this.messages.length} others did.`)
      }
      await this.#next(left)
    }
  }

  #next(forMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, forMs)
      this.#waiters.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  /** The code and reason of the close; fails if the connection is not closed in time. */
  async ended(forMs = waitMax): Promise<{ readonly code: number; readonly reason: string }> {
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        this.socket.terminate()
        reject(new Error('The connection was not closed.'))
      }, forMs)
    })
    return Promise.race([this.closed, tooLate]).finally(() => clearTimeout(timer))
  }

  async close(): Promise<void> {
    this.socket.close()
    await this.closed
  }
}
