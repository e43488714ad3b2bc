// The data that one client has not read yet, and its bounds. A slow client gets no book updates
// until it has caught up; a client that is far behind, or stops reading, is disconnected.

import type { Socket } from 'node:net'
import { WebSocket } from 'ws'

export type Bounds = {
  /** A client with more unread bytes is slow. */
  readonly softBytesMax: number
  /** A slow client that would have more unread bytes is disconnected. */
  readonly hardBytesMax: number
  /** How long a client may read nothing while data is waiting. */
  readonly stalledMsMax: number
}

export const usualSendBounds: Bounds = {
  softBytesMax: 256 * 1024,
  hardBytesMax: 1024 * 1024,
  stalledMsMax: 10_000,
}

export class SendBuffer {
  readonly #client: WebSocket
  readonly #stream: Socket
  readonly #bounds: Bounds
  readonly #onTooSlow: () => void
  #waiters: (() => void)[] = []
  /** The bytes that were read at the last check, and when that number last changed. */
  #read = 0
  #readAt = 0

  constructor(client: WebSocket, stream: Socket, bounds: Bounds, onTooSlow: () => void) {
    this.#client = client
    this.#stream = stream
    this.#bounds = bounds
    this.#onTooSlow = onTooSlow
    stream.on('drain', () => this.#wake())
    stream.on('close', () => this.#wake())
  }

  get isOpen(): boolean {
    return this.#client.readyState === WebSocket.OPEN
  }

  get isSlow(): boolean {
    return this.#stream.writableLength > this.#bounds.softBytesMax
  }

  /** Whether sending that many bytes would make the client slow. */
  isTooMuch(bytes: number): boolean {
    return this.#stream.writableLength + bytes > this.#bounds.softBytesMax
  }

  // A client that keeps up may get a frame of any length: only unread data counts as slow.
  send(frame: Buffer): void {
    if (!this.isOpen) return
    if (this.isSlow && this.#stream.writableLength + frame.length > this.#bounds.hardBytesMax) {
      this.#onTooSlow()
      return
    }
    this.#stream.write(frame)
  }

  /** Resolves when all data is read, or the connection has ended. */
  drained(): Promise<void> {
    if (!this.isOpen || this.#stream.writableLength === 0) return Promise.resolve()
    return new Promise((resolve) => this.#waiters.push(resolve))
  }

  #wake(): void {
    for (const wake of this.#waiters.splice(0)) wake()
  }

  /** Must be called periodically. */
  checkStalled(now: number): void {
    const { bytesWritten, writableLength } = this.#stream
    const read = bytesWritten - writableLength
    if (writableLength === 0 || read !== this.#read) {
      this.#read = read
      this.#readAt = now
    } else if (now - this.#readAt >= this.#bounds.stalledMsMax) this.#onTooSlow()
  }
}
