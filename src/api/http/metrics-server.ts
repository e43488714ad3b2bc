// The metrics on a port of their own, which serves nothing else: a network can let Prometheus reach
// it, and nobody else.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { assert } from '../../core/assert.ts'
import type { ReportFailure } from '../../ops/edge-failures.ts'
import { type MetricsCheck, metricsChallenge, noMetricsKey } from '../admission/metrics-key.ts'
import { Refusal } from '../errors.ts'
import { internal } from '../faults.ts'
import { type MetricsSource, metricsPage } from './metrics-page.ts'
import { newRequestId } from './request-id.ts'
import { encodeAnswer, firstHeaders } from './response.ts'

type MetricsServerOptions = {
  readonly metrics: MetricsSource
  readonly isAllowed: MetricsCheck
  readonly reportFailure: ReportFailure
}

const path = '/metrics'
const connectionsMax = 100
const headersTimeoutMs = 10_000
const requestTimeoutMs = 15_000
/** Longer than between two scrapes, as they are usual. */
const keepAliveTimeoutMs = 72_000
const notFound = new Refusal('NOT_FOUND', `This port serves only ${path}.`)
const wrongMethod = new Refusal('METHOD_NOT_ALLOWED', 'This route supports only GET, HEAD.')

export class MetricsServer {
  readonly #options: MetricsServerOptions
  readonly #page: () => Promise<Buffer>
  readonly #server: Server

  constructor(options: MetricsServerOptions) {
    this.#options = options
    this.#page = metricsPage(options.metrics)
    const timeouts = { headersTimeout: headersTimeoutMs, requestTimeout: requestTimeoutMs }
    this.#server = createServer(
      { ...timeouts, keepAliveTimeout: keepAliveTimeoutMs },
      (request, response) => {
        this.#answer(request, response).catch((error) => this.#fail(response, error))
      },
    )
    this.#server.maxConnections = connectionsMax
  }

  /** Returns the port. */
  async listen({ host, port }: { readonly host: string; readonly port: number }): Promise<number> {
    // A port of this process only, also among front ends.
    await once(this.#server.listen({ host, port, exclusive: true }), 'listening')
    const address: AddressInfo | string | null = this.#server.address()
    assert(typeof address === 'object' && address !== null, 'a server that listens has an address')
    return address.port
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, method, url = '' } = request
    request.resume()
    if (url.replace(/[?#].*$/s, '') !== path) return refuse(response, notFound)
    if (method !== 'GET' && method !== 'HEAD') {
      return refuse(response, wrongMethod, ['allow', 'GET, HEAD'])
    }
    if (!this.#options.isAllowed(headers)) return refuse(response, noMetricsKey, metricsChallenge)
    const bytes = await this.#page()
    const type = ['content-type', this.#options.metrics.contentType, 'cache-control', 'no-store']
    const length = ['content-length', String(bytes.length)]
    response.writeHead(200, [...firstHeaders(newRequestId()), ...type, ...length])
    response.end(bytes)
  }

  #fail(response: ServerResponse, error: unknown): void {
    this.#options.reportFailure('rest', 'metrics failed', { error })
    if (response.headersSent) response.destroy()
    else refuse(response, internal)
  }
}

function refuse(response: ServerResponse, refusal: Refusal, more: readonly string[] = []): void {
  const headers = [...firstHeaders(newRequestId()), ...more]
  const { status, text, encoding } = encodeAnswer(refusal, headers)
  response.writeHead(status, headers)
  response.end(text, encoding)
}
