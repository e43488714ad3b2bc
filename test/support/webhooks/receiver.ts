// A webhook receiver: a real server on this machine that keeps every request, byte for byte.

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Socket } from 'node:net'
import { receiverCertificate, receiverKey } from './receiver-certificate.ts'

export type Received = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** The time of arrival, in Unix milliseconds. */
  readonly at: number
  /** The parsed body. */
  readonly event: {
    readonly id: string
    readonly sequence: number
    readonly eventType: string
    readonly [field: string]: unknown
  }
}

/** Answers a request, or does not. */
export type Respond = (response: ServerResponse, received: Received, socket: Socket) => void

export const respondOk: Respond = (response) => response.end('ok')

export class Receiver {
  readonly received: Received[] = []
  respond: Respond
  connections = 0
  readonly #server: Server
  readonly #scheme: string
  readonly #host: string

  private constructor(respond: Respond, { isSecure = false, host = '127.0.0.1' } = {}) {
    this.respond = respond
    this.#scheme = isSecure ? 'https' : 'http'
    this.#host = host
    this.#server = isSecure
      ? createSecureServer({ key: receiverKey, cert: receiverCertificate })
      : createServer()
    this.#server.on('connection', () => {
      this.connections += 1
    })
    this.#server.on('request', (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('error', () => undefined)
      request.on('end', () => {
        const { method = '', url: path = '', headers, socket } = request
        const body = Buffer.concat(chunks)
        const event = JSON.parse(body.toString())
        const received = { method, path, headers, body, event, at: Date.now() }
        this.received.push(received)
        this.respond(response, received, socket)
      })
    })
  }

  static async open(
    respond: Respond = respondOk,
    options: { readonly isSecure?: boolean; readonly host?: string } = {},
  ): Promise<Receiver> {
    const receiver = new Receiver(respond, options)
    receiver.#server.listen(0, receiver.#host)
    await once(receiver.#server, 'listening')
    return receiver
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  get url(): string {
    const host = this.#host.includes(':') ? `[${this.#host}]` : this.#host
    return `${this.#scheme}://${host}:${this.port}/hook`
  }

  get sequences(): readonly number[] {
    return this.received.map(({ event }) => event.sequence)
  }

  async close(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }
}

/** Polls until the condition is true; throws after maxMs. */
export async function until(condition: () => boolean | Promise<boolean>, maxMs = 15_000) {
  const deadline = performance.now() + maxMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Condition not met within ${maxMs} ms.`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
