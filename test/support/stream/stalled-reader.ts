// A client that connects, asks for much and reads nothing. It speaks the protocol by hand, so that
// a thousand of them cost little.

import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/** A text message, masked with zeros. */
function clientFrame(text: string): Buffer {
  const body = Buffer.from(text)
  const head = Buffer.alloc(8)
  head[0] = 0x81
  head[1] = 0x80 | 126
  head.writeUInt16BE(body.length, 2)
  return Buffer.concat([head, body])
}

const tailLength = 256

export class StalledReader {
  readonly #socket: Socket
  /** The last that was read. */
  #tail: Buffer = Buffer.alloc(0)
  readonly #over: Promise<void>

  private constructor(socket: Socket) {
    this.#socket = socket
    this.#over = new Promise((resolve) => socket.once('close', () => resolve()))
    socket.on('error', () => undefined)
  }

  /** Connected, and from here on deaf. */
  static async open(url: string): Promise<StalledReader> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const reader = new StalledReader(socket)
    const head = [
      'GET /ws HTTP/1.1',
      `Host: ${hostname}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    await new Promise<void>((resolve, reject) => {
      socket.once('data', () => resolve())
      socket.once('error', reject)
    })
    socket.pause()
    return reader
  }

  send(message: object): void {
    if (this.#socket.writable) this.#socket.write(clientFrame(JSON.stringify(message)))
  }

  /**
   * Reads everything that was sent. Returns the code of the close: 1006 if there was none, 0 if the
   * connection is still open after `forMs`.
   */
  async resume(forMs = 20_000): Promise<number> {
    this.#socket.on('data', (data: Buffer) => {
      const all = data.length < tailLength ? Buffer.concat([this.#tail, data]) : data
      this.#tail = all.subarray(-tailLength)
      // The close frame is the last message; the service does not wait for an answer.
      if (this.#code() !== null) this.#socket.destroy()
    })
    this.#socket.resume()
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<'open'>((resolve) => {
      timer = setTimeout(resolve, forMs, 'open')
    })
    const end = await Promise.race([this.#over, tooLate])
    clearTimeout(timer)
    return end === 'open' ? 0 : (this.#code() ?? 1006)
  }

  /** The code of the close frame, or null if what was read does not end with one. */
  #code(): number | null {
    const at = this.#tail.lastIndexOf(0x88)
    const length = this.#tail[at + 1]
    if (at < 0 || length === undefined || at + 2 + length !== this.#tail.length) return null
    return this.#tail.readUInt16BE(at + 2)
  }

  destroy(): void {
    this.#socket.destroy()
  }
}
