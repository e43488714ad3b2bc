// What waits to be read by one client, and the bounds of it. A slow reader gets no more book
// updates until it has caught up; one that is far behind, or reads nothing at all, is closed.

import type { Socket } from 'node:net'
import { WebSocket } from 'ws'

export type Bounds = {
  /** From here on a reader is slow. */
  readonly softBytesMax: number
  /** A slow reader that would have more than this waiting is closed. */
  readonly hardBytesMax: number
  /** How long it may take nothing of what waits for it. */
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
  /** What it had taken when that was last looked at, and when that was less. */
  #taken = 0
  #takenAt = 0

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

  /** Whether so much more would make it slow. */
  isTooMuch(bytes: number): boolean {
    return this.#stream.writableLength + bytes > this.#bounds.softBytesMax
  }

  // Who keeps up may get a long message, whatever its length: what waits is looked at, not what
  // one turn has to say.
  send(frame: Buffer): void {
    if (!this.isOpen) return
    if (this.isSlow && this.#stream.writableLength + frame.length > this.#bounds.hardBytesMax) {
      this.#onTooSlow()
      return
    }
    this.#stream.write(frame)
  }

  /** When all that waits was taken, or the connection is over. */
  drained(): Promise<void> {
    if (!this.isOpen || this.#stream.writableLength === 0) return Promise.resolve()
    return new Promise((resolve) => this.#waiters.push(resolve))
  }

  #wake(): void {
    for (const wake of this.#waiters.splice(0)) wake()
  }

  /** To be called every now and then. */
  look(now: number): void {
    const { bytesWritten, writableLength } = this.#stream
    const taken = bytesWritten - writableLength
    if (writableLength === 0 || taken !== this.#taken) {
      this.#taken = taken
      this.#takenAt = now
    } else if (now - this.#takenAt >= this.#bounds.stalledMsMax) this.#onTooSlow()
  }
}
