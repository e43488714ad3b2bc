// A proxy between a browser and the service, which can cut or silence connections and restore them,
// at a constant address.

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export class NetworkLink {
  readonly url: string
  readonly #server: Server
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  #isCut = false

  private constructor(url: string, server: Server) {
    this.url = url
    this.#server = server
  }

  static async to(serviceUrl: string): Promise<NetworkLink> {
    const target = Number(new URL(serviceUrl).port)
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const link = new NetworkLink(`http://127.0.0.1:${port}`, server)
    server.on('connection', (near) => link.#join(near, target))
    return link
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

  /** Ends all connections and refuses new ones. */
  cut(): void {
    this.#isCut = true
    for (const [near] of [...this.#pairs]) near.destroy()
  }

  /** Keeps connections open without forwarding anything, and refuses new ones. */
  silence(): void {
    this.#isCut = true
    for (const [near, far] of this.#pairs) {
      far.unpipe(near)
      near.unpipe(far)
    }
  }

  /** Accepts new connections again. */
  restore(): void {
    this.#isCut = false
  }

  async close(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
