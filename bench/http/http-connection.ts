// One keep-alive connection of a load. It reuses its read buffer, so it keeps nothing of an answer
// but the status and the length.

import { connect, type Socket } from 'node:net'

const readBufferBytes = 64 * 1024
const headEnd = '\r\n\r\n'

export type ConnectionListener = {
  /** The HTTP statuses of successful requests. */
  readonly expectedStatuses: readonly number[]
  /** The answer is complete. */
  done(connection: HttpConnection, bodyBytes: number): void
  fail(fault: Error): void
}

export class HttpConnection {
  readonly opened: Promise<void>
  sentAt = 0
  readonly #listener: ConnectionListener
  readonly #socket: Socket
  /** Size of the body being read, and how many of its bytes are still missing. */
  #bodyBytes = 0
  #missing = 0
  /** The start of a head that arrived in several pieces, which is rare. */
  #headStart = ''
  #isClosing = false

  constructor(port: number, listener: ConnectionListener) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.opened = promise
    this.#listener = listener
    const buffer = Buffer.allocUnsafe(readBufferBytes)
    const callback = (length: number) => this.#read(buffer, length)
    this.#socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback } }, resolve)
    this.#socket.setNoDelay(true)
    this.#socket.on('error', (fault) => listener.fail(fault))
    this.#socket.on('close', () => {
      if (!this.#isClosing) listener.fail(new Error('The server closed the connection.'))
    })
  }

  send(request: Buffer, now: number): void {
    this.sentAt = now
    this.#socket.write(request)
  }

  close(): void {
    this.#isClosing = true
    this.#socket.destroy()
  }

  #read(buffer: Buffer, length: number): boolean {
    if (this.#missing > 0) this.#missing -= length
    else this.#readHead(buffer, length)
    if (this.#missing === 0 && this.#headStart === '') this.#listener.done(this, this.#bodyBytes)
    return !this.#isClosing
  }

  #readHead(buffer: Buffer, length: number): void {
    const text = this.#headStart + buffer.toString('latin1', 0, length)
    const end = text.indexOf(headEnd)
    if (end < 0) {
      this.#headStart = text
      return
    }
    this.#headStart = ''
    const head = text.slice(0, end)
    const bodyBytes = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? Number.NaN)
    const { expectedStatuses } = this.#listener
    if (!expectedStatuses.includes(Number(head.slice(9, 12))) || Number.isNaN(bodyBytes)) {
      const expected = `status ${expectedStatuses.join(' or ')} with a content-length`
      this.#listener.fail(new Error(`Expected ${expected}, got: ${text.slice(0, 1000)}`))
      return
    }
    this.#bodyBytes = bodyBytes
    this.#missing = bodyBytes - (text.length - end - headEnd.length)
  }
}
