// Many connections that pipeline orders as fast as the service reads them.

import { connect, type Socket } from 'node:net'
import type { FixtureMarket } from './trading-fixture.ts'

export type FloodOptions = {
  readonly url: string
  readonly key: string
  readonly market: FixtureMarket
  readonly connections: number
  /** Unanswered requests per connection. */
  readonly pipelined: number
}

type Tally = {
  readonly statuses: Map<number, number>
  /** Error responses without a Retry-After header. */
  withoutRetryAfter: number
  sent: number
  broken: number
}

export class Flood {
  readonly tally: Tally = { statuses: new Map(), withoutRetryAfter: 0, sent: 0, broken: 0 }
  readonly #options: FloodOptions
  readonly #sockets: Socket[] = []
  #isStopping = false
  #open = 0

  constructor(options: FloodOptions) {
    this.#options = options
  }

  start(): void {
    const { hostname, port } = new URL(this.#options.url)
    for (let number = 0; number < this.#options.connections; number += 1) {
      const socket = connect(Number(port), hostname)
      this.#sockets.push(socket)
      this.#run(socket, number)
    }
  }

  /** Stops sending, and waits for the outstanding answers. */
  async stop(waitMs: number): Promise<void> {
    this.#isStopping = true
    const deadline = performance.now() + waitMs
    while (this.#open > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    for (const socket of this.#sockets) socket.destroy()
  }

  get unanswered(): number {
    return this.#open
  }

  #run(socket: Socket, number: number): void {
    let count = 0
    let rest = ''
    const send = (howMany: number) => {
      if (this.#isStopping) return
      const from = count
      count += howMany
      this.#open += howMany
      this.tally.sent += howMany
      const keys = Array.from({ length: howMany }, (_, at) => `flood-${number}-${from + at}`)
      socket.write(keys.map((key) => this.#request(key)).join(''))
    }
    socket.on('connect', () => send(this.#options.pipelined))
    socket.on('error', () => {
      this.tally.broken += 1
    })
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      rest += chunk
      const answered = rest.split('HTTP/1.1 ')
      rest = `HTTP/1.1 ${answered.pop()}`
      // The last one may be incomplete: it counts once its body has ended.
      const isWhole = rest.endsWith('}')
      if (isWhole) answered.push(rest.slice('HTTP/1.1 '.length))
      if (isWhole) rest = ''
      const heads = answered.filter((one) => /^\d{3} /.test(one))
      for (const head of heads) this.#count(head)
      if (heads.length > 0) send(heads.length)
    })
  }

  #count(head: string): void {
    this.#open -= 1
    const status = Number(head.slice(0, 3))
    this.tally.statuses.set(status, (this.tally.statuses.get(status) ?? 0) + 1)
    if (status >= 400 && !/\r\nretry-after: \d+\r\n/i.test(head)) this.tally.withoutRetryAfter += 1
  }

  #request(transactionId: string): string {
    const { key, market } = this.#options
    const body = JSON.stringify({
      marketId: market.id,
      outcomeId: market.outcomeIds[0],
      playerId: `flood-${transactionId.at(-1)}`,
      side: 'BUY',
      type: 'LIMIT',
      shares: 1,
      price: 0.3,
      transactionId,
    })
    const lines = [
      'POST /api/v1/orders HTTP/1.1',
      'Host: flood',
      `X-Api-Key: ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]
    return `${lines.join('\r\n')}\r\n\r\n${body}`
  }
}
