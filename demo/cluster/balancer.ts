// A small balancer: accepts TCP connections and passes each on to the next node that is ready. Any
// balancer will do, because every node serves every request.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

const host = '127.0.0.1'
const checkEveryMs = 500
const checkMsMax = 1_000

export type Backend = { readonly url: string }

export class Balancer {
  readonly #backends: () => readonly Backend[]
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #timer: NodeJS.Timeout
  #ready: readonly Backend[] = []
  #next = 0

  private constructor(backends: () => readonly Backend[]) {
    this.#backends = backends
    this.#server = createServer((socket) => this.#accept(socket))
    this.#timer = setInterval(() => void this.#check(), checkEveryMs)
  }

  /** On the given port, or on any free one if it is in use. */
  static async open(port: number, backends: () => readonly Backend[]): Promise<Balancer> {
    const balancer = new Balancer(backends)
    await balancer.#check()
    await balancer.#listen(port).catch(() => balancer.#listen(0))
    return balancer
  }

  get url(): string {
    return `http://${host}:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    clearInterval(this.#timer)
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  async #listen(port: number): Promise<void> {
    this.#server.listen(port, host)
    await once(this.#server, 'listening')
  }

  async #check(): Promise<void> {
    const checked = await Promise.all(
      this.#backends().map(async (backend) => ((await isReady(backend)) ? [backend] : [])),
    )
    this.#ready = checked.flat()
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket)
    // It may break before a node was reached.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
    this.#connect(socket, this.#ready.length)
  }

  /** A node that has just ended refuses connections, and the next one gets the client. */
  #connect(socket: Socket, tries: number): void {
    this.#next += 1
    const backend = this.#ready[this.#next % Math.max(1, this.#ready.length)]
    if (backend === undefined || tries <= 0 || socket.destroyed) {
      socket.destroy()
      return
    }
    const node = connect(Number(new URL(backend.url).port), host)
    const tryNext = () => this.#connect(socket, tries - 1)
    node.once('error', tryNext)
    node.once('connect', () => {
      node.off('error', tryNext)
      this.#join(socket, node)
    })
  }

  #join(socket: Socket, node: Socket): void {
    this.#sockets.add(node)
    node.on('error', () => socket.destroy())
    node.on('close', () => {
      this.#sockets.delete(node)
      // After what the node has sent.
      socket.destroySoon()
    })
    socket.on('close', () => node.destroy())
    socket.pipe(node)
    node.pipe(socket)
    if (socket.destroyed) node.destroy()
  }
}

async function isReady({ url }: Backend): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(checkMsMax) })
    return answer.ok
  } catch {
    return false
  }
}
