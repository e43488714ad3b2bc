// Requests over sockets of its own, optionally from another local address: an attacker and its
// victim share neither connections nor what the service counts by address.

import { Agent, request as send } from 'node:http'
import type { Json } from '../../../support/process/outcry-process.ts'

export type CallerOptions = {
  readonly url: string
  readonly key: string | null
  readonly address?: string | undefined
  readonly sockets: number
}

export type Reply = { readonly status: number; readonly text: string }

/** Enough for an error; the rest of an answer is read and dropped. */
const keptBytes = 1_024

export class HttpCaller {
  readonly #options: CallerOptions
  readonly #agent: Agent

  constructor(options: CallerOptions) {
    this.#options = options
    this.#agent = new Agent({ keepAlive: true, maxSockets: options.sockets })
  }

  /** Fails only if the connection does. Keeps the start of the answer unless `isWhole`. */
  call(
    method: string,
    path: string,
    { body, isWhole = false }: { readonly body?: unknown; readonly isWhole?: boolean } = {},
  ): Promise<Reply> {
    const { url, key, address } = this.#options
    const text = body === undefined ? null : JSON.stringify(body)
    const headers = {
      ...(key === null ? {} : { 'x-api-key': key }),
      ...(text === null
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    }
    const from = address === undefined ? {} : { localAddress: address }
    return new Promise((resolve, reject) => {
      const request = send(url + path, { method, headers, agent: this.#agent, ...from })
      request.on('error', reject)
      request.on('response', (response) => {
        const kept: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          if (isWhole || bytes < keptBytes) kept.push(chunk)
          bytes += chunk.length
        })
        response.on('error', reject)
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: String(Buffer.concat(kept)) }),
        )
      })
      request.end(text ?? undefined)
    })
  }

  /** The data of a successful answer. */
  async data(method: string, path: string, body?: unknown): Promise<Json> {
    const reply = await this.call(method, path, { body, isWhole: true })
    if (reply.status !== 200 && reply.status !== 201) {
      throw new Error(`${method} ${path} was answered ${reply.status}: ${reply.text}`)
    }
    return JSON.parse(reply.text).data
  }

  close(): void {
    this.#agent.destroy()
  }
}
