// One connection of the caller's side: it opens the socket, proves that it has the key, checks the
// proof of the other side, and is over once it is closed.

import { randomBytes } from 'node:crypto'
import { connectTo, FrameSocket, isLocal, type LinkTls } from './frame-socket.ts'
import { FrameWriter } from './frame-writer.ts'
import { isProof, mismatchOf, proofOf, wrongKey } from './handshake.ts'
import type { Challenge, Hello, Identity, Reply, Request } from './messages.ts'
import { Pulse } from './pulse.ts'

/** From the first packet to the welcome. */
export const connectMs = 1_000

export type ConnectionOptions = {
  /** A host and port, or `unix:` and a path. */
  readonly address: string
  /** The node that must answer there. */
  readonly nodeId: string
  /** Of the node that calls. */
  readonly identity: Identity
  readonly key: Buffer
  readonly tls: LinkTls | null
}

type Events = {
  onOpen(): void
  onReply(reply: Reply): void
  /** What was sent before is on its way. */
  onFlush(): void
  /** Called once; never inside the constructor. */
  onClose(reason: string): void
}

export class ClientConnection {
  readonly #options: ConnectionOptions
  readonly #events: Events
  readonly #socket: FrameSocket
  readonly #writer: FrameWriter
  readonly #deadline: NodeJS.Timeout
  readonly #nonce = randomBytes(16).toString('base64url')
  #challenge: Challenge | null = null
  #pulse: Pulse | null = null
  #state: 'connecting' | 'open' | 'closed' = 'connecting'

  constructor(options: ConnectionOptions, events: Events) {
    this.#options = options
    this.#events = events
    this.#socket = new FrameSocket(connectTo(options.address, options.tls), {
      onFrame: (frame) => this.#read(frame),
      onClose: (reason) => this.close(reason),
    })
    this.#writer = new FrameWriter({
      write: (frame, written) => this.#socket.write(frame, written),
      onFlush: () => events.onFlush(),
    })
    this.#deadline = setTimeout(() => {
      this.close(`the node did not answer within ${connectMs} ms`)
    }, connectMs).unref()
  }

  get isOpen(): boolean {
    return this.#state === 'open'
  }

  send(request: Request): void {
    this.#writer.send(request)
  }

  close(reason: string): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    clearTimeout(this.#deadline)
    this.#pulse?.stop()
    this.#writer.close()
    this.#socket.destroy()
    this.#events.onClose(reason)
  }

  #read(frame: Buffer): void {
    if (this.#state === 'closed') return
    if (this.#pulse?.hear() === false) return
    try {
      for (const reply of JSON.parse(frame.toString()) as Reply[]) {
        if (reply[0] === 'closed') this.close(reply[1])
        else if (this.isOpen) this.#events.onReply(reply)
        else if (this.#state === 'connecting') this.#readHandshake(reply)
      }
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error)
      this.close(`a frame cannot be read: ${cause}`)
    }
  }

  #readHandshake(reply: Reply): void {
    if (reply[0] === 'challenge' && this.#challenge === null) this.#answer(reply[1])
    else if (reply[0] === 'welcome' && this.#challenge !== null) this.#open(reply[1].mac)
    else this.close('the first messages must be a challenge and a welcome')
  }

  #answer(challenge: Challenge): void {
    this.#challenge = challenge
    const { key, nodeId } = this.#options
    if (challenge.nodeId !== nodeId) {
      this.close(`node ${challenge.nodeId} answers at the address of node ${nodeId}`)
      return
    }
    const hello = this.#hello()
    const mac = proofOf(key, { role: 'caller', challenge, hello })
    this.send(['hello', { ...hello, mac }])
    this.#writer.flush()
  }

  #open(mac: string): void {
    const { identity, key } = this.#options
    const challenge = this.#challenge!
    if (!isProof(key, { role: 'called', challenge, hello: this.#hello() }, mac)) {
      this.close(wrongKey)
      return
    }
    const mismatch = mismatchOf(identity, challenge)
    if (mismatch !== null) {
      this.close(mismatch)
      return
    }
    clearTimeout(this.#deadline)
    this.#socket.allowLongFrames()
    this.#state = 'open'
    this.#pulse = new Pulse({
      isLocal: isLocal(this.#options.address),
      beat: () => this.send(['beat']),
      onSilence: () => this.close('the other node is silent'),
    })
    this.#events.onOpen()
  }

  #hello(): Omit<Hello, 'mac'> {
    return { ...this.#options.identity, nonce: this.#nonce }
  }
}
