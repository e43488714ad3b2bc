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

  say(message: object): void {
    if (this.#socket.writable) this.#socket.write(clientFrame(JSON.stringify(message)))
  }

  /** Reads again, all that is there; answers with the code it was closed with, 1006 for none, 0
   * where it is still open after so long. */
  async resume(forMs = 20_000): Promise<number> {
    this.#socket.on('data', (data: Buffer) => {
      const all = data.length < tailLength ? Buffer.concat([this.#tail, data]) : data
      this.#tail = all.subarray(-tailLength)
    })
    this.#socket.resume()
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<'open'>((resolve) => {
      timer = setTimeout(resolve, forMs, 'open')
    })
    const end = await Promise.race([this.#over, tooLate])
    clearTimeout(timer)
    if (end === 'open') return 0
    const at = this.#tail.lastIndexOf(0x88)
    return at >= 0 && at + 4 <= this.#tail.length ? this.#tail.readUInt16BE(at + 2) : 1006
  }

  destroy(): void {
    this.#socket.destroy()
  }
}
