// A socket between two nodes that carries frames both ways, each after its length in four bytes.

import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** PEM files of this node; the CA signs the certificates of all nodes. */
export type LinkTls = { readonly cert: Buffer; readonly key: Buffer; readonly ca: Buffer }

/** More than any frame has: turns are dropped at half of it. */
const frameBytesMax = 16 * 1024 * 1024
/** Of a frame before both sides have proved who they are; a hello has some hundred bytes. */
export const firstFrameBytesMax = 4_096
const lengthBytes = 4
/** For what was written last to leave, at the end. */
const endMsMax = 500

export type FrameSocketEvents = {
  onFrame(frame: Buffer): void
  /** Called once. */
  onClose(reason: string): void
}

export class FrameSocket {
  readonly #socket: Socket
  readonly #events: FrameSocketEvents
  #chunks: Buffer[] = []
  #bytes = 0
  #frameBytesMax = firstFrameBytesMax
  #hasEnded = false
  #reason = 'the connection was closed'

  constructor(socket: Socket, events: FrameSocketEvents) {
    this.#socket = socket
    this.#events = events
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('error', (error: Error) => {
      this.#reason = error.message
    })
    socket.on('close', () => events.onClose(this.#reason))
  }

  /** For the log. */
  get peer(): string {
    const { remoteAddress, remotePort } = this.#socket
    return remoteAddress === undefined ? 'unknown' : `${remoteAddress}:${remotePort}`
  }

  /** `written` is called when the frame has left this process. */
  write(frame: Buffer, written: () => void): void {
    const length = Buffer.allocUnsafe(lengthBytes)
    length.writeUInt32BE(frame.length)
    this.#socket.write(Buffer.concat([length, frame]), (error) => {
      if (!error) written()
    })
  }

  /** The other side is a node of the cluster: its frames may be as long as those of a node are. */
  allowLongFrames(): void {
    this.#frameBytesMax = frameBytesMax
  }

  /**
   * Closes the connection after what was written, or soon if the other side reads nothing. What
   * arrives meanwhile is dropped.
   */
  end(): void {
    this.#hasEnded = true
    this.#chunks = []
    this.#socket.end()
    setTimeout(() => this.destroy(), endMsMax).unref()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    if (this.#hasEnded) return
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    while (!this.#hasEnded && !this.#socket.destroyed) {
      const frame = this.#next()
      if (frame === null) return
      this.#events.onFrame(frame)
    }
  }

  /** Chunks are joined only when they have a whole frame, because a long one has many. */
  #next(): Buffer | null {
    if (this.#bytes < lengthBytes) return null
    if (this.#chunks[0]!.length < lengthBytes) this.#join()
    const length = this.#chunks[0]!.readUInt32BE()
    if (length > this.#frameBytesMax) {
      this.#reason = `a frame of ${length} bytes is too long`
      this.destroy()
      return null
    }
    const end = lengthBytes + length
    if (this.#bytes < end) return null
    if (this.#chunks[0]!.length < end) this.#join()
    const [first] = this.#chunks
    this.#bytes -= end
    if (first!.length === end) this.#chunks.shift()
    else this.#chunks[0] = first!.subarray(end)
    return first!.subarray(lengthBytes, end)
  }

  #join(): void {
    this.#chunks = [Buffer.concat(this.#chunks)]
  }
}

const unixPrefix = 'unix:'

/** Whether only processes of this machine reach the address. */
export function isLocal(address: string): boolean {
  return address.startsWith(unixPrefix)
}

/** Where a node listens, or is reached: a host and port, or `unix:` and a path. */
export function socketAddress(address: string): { path: string } | { host: string; port: number } {
  if (isLocal(address)) return { path: address.slice(unixPrefix.length) }
  const at = address.lastIndexOf(':')
  const host = address.slice(0, at).replace(/^\[(.*)\]$/, '$1')
  return { host, port: Number(address.slice(at + 1)) }
}

/** Over TLS, the certificate of the other side must be for the host, which may be an IP address. */
export function connectTo(address: string, tls: LinkTls | null): Socket {
  const at = socketAddress(address)
  if (tls === null || 'path' in at) return connect(at)
  // TLS allows no IP address as the name of a server.
  const servername = isIP(at.host) === 0 ? { servername: at.host } : {}
  return connectTls({ ...at, ...tls, ...servername })
}
