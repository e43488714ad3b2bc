// The line between a browser and the service: it can be cut, fall silent, and be mended, on an
// address that stays the same.

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export class Line {
  readonly url: string
  readonly #server: Server
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  #isCut = false

  private constructor(url: string, server: Server) {
    this.url = url
    this.#server = server
  }

  static async to(serviceUrl: string): Promise<Line> {
    const target = Number(new URL(serviceUrl).port)
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const line = new Line(`http://127.0.0.1:${port}`, server)
    server.on('connection', (near) => line.#join(near, target))
    return line
  }

  #join(near: Socket, port: number): void {
    near.on('error', () => near.destroy())
    if (this.#isCut) {
      near.destroy()
      return
    }
    const far = connect(port, '127.0.0.1')
    far.on('error', () => far.destroy())
    const pair = [near, far] as const
    this.#pairs.add(pair)
    near.pipe(far).pipe(near)
    const end = () => {
      this.#pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    near.on('close', end)
    far.on('close', end)
  }

  /** Both ends notice. */
  cut(): void {
    this.#isCut = true
    for (const [near] of [...this.#pairs]) near.destroy()
  }

  /** What is connected stays so, but nothing comes through any more; nothing new connects. */
  silence(): void {
    this.#isCut = true
    for (const [near, far] of this.#pairs) {
      far.unpipe(near)
      near.unpipe(far)
    }
  }

  /** For new connections. */
  mend(): void {
    this.#isCut = false
  }

  async close(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
