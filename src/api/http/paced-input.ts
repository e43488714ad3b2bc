// Hands what arrives on a connection to Node's HTTP parser in small pieces, and nothing while the
// connection is held. The parser emits all requests of a piece at once, answered or not: with the
// usual 64 KB, a client could have hundreds of them processed ahead of their answers. It costs a
// request 25 us, because the parser no longer reads from the connection itself.

import type { Socket } from 'node:net'

/** A few requests. */
const pieceBytes = 1_024
/** After a hold: about one request. */
const heldPieceBytes = 128

const inputs = new WeakMap<Socket, PacedInput>()

/** Paces a connection that the HTTP server has just accepted. */
export function paceInput(socket: Socket): void {
  inputs.set(socket, new PacedInput(socket))
}

/** Stops reading after the current piece. A connection that is not paced is not held. */
export function holdInput(socket: Socket): void {
  inputs.get(socket)?.hold()
}

export function releaseInput(socket: Socket): void {
  inputs.get(socket)?.release()
}

/** Ends the pacing; returns the bytes that the parser has not got, if there are any. */
export function detachInput(socket: Socket): NonSharedBuffer | null {
  const rest = inputs.get(socket)?.detach() ?? null
  inputs.delete(socket)
  return rest
}

class PacedInput {
  readonly #socket: Socket
  /** Node's parser. */
  readonly #listeners: readonly ((piece: NonSharedBuffer) => void)[]
  #pieceBytes = pieceBytes
  #isHeld = false
  /** The client does not read its answers, and Node waits for it. */
  #isPausedByNode = false
  #isDetached = false
  /** What the parser has not got yet. */
  #rest: NonSharedBuffer | null = null

  constructor(socket: Socket) {
    this.#socket = socket
    const listeners = socket.listeners('data')
    this.#listeners = listeners.map((listener) => listener.bind(socket))
    // First of all: Node's parser reads from the connection directly until there is a listener.
    socket.on('data', this.#onData)
    for (const listener of listeners) socket.off('data', listener)
    socket.on('resume', this.#onResume)
  }

  hold(): void {
    this.#isHeld = true
    this.#pieceBytes = heldPieceBytes
  }

  release(): void {
    this.#isHeld = false
    if (!this.#isPausedByNode) this.#socket.resume()
  }

  detach(): NonSharedBuffer | null {
    this.#isDetached = true
    this.#socket.off('data', this.#onData)
    this.#socket.off('resume', this.#onResume)
    return this.#rest
  }

  readonly #onData = (bytes: NonSharedBuffer): void => {
    if (this.#rest === null && !this.#isHeld) {
      this.#deliver(bytes)
      return
    }
    this.#rest = this.#rest === null ? bytes : Buffer.concat([this.#rest, bytes])
    this.#socket.pause()
  }

  // Node resumes the connection after every request, whether it is held or not, but not while it
  // waits for the client.
  readonly #onResume = (): void => {
    this.#isPausedByNode = false
    if (this.#isHeld) {
      this.#socket.pause()
      return
    }
    if (this.#rest !== null) this.#deliver(this.#rest)
  }

  #deliver(bytes: NonSharedBuffer): void {
    const socket = this.#socket
    for (let at = 0; at < bytes.length; ) {
      const end = at + this.#pieceBytes
      this.#rest = end < bytes.length ? bytes.subarray(end) : null
      for (const listener of this.#listeners) listener(bytes.subarray(at, end))
      if (this.#isDetached || socket.destroyed) return
      this.#isPausedByNode = socket.isPaused()
      if (this.#isHeld) socket.pause()
      if (socket.isPaused()) return
      at = end
    }
    this.#pieceBytes = pieceBytes
  }
}
