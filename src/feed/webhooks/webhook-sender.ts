// One delivery attempt: a POST to the URL of the webhook. The host name is resolved once, all of
// its addresses are checked, and only these can be connected to, which prevents DNS rebinding.
// Redirects are not followed, and proxy settings of the environment are ignored.

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Resolve } from './resolve.ts'
import { responseBytesMax, responseText } from './response-start.ts'
import { retryAfterOf } from './retry-schedule.ts'

/** Which URLs and addresses deliveries may be sent to. */
export type AddressFilter = {
  /** What is wrong with a URL, literal addresses included; null if it is allowed. */
  readonly urlError: (url: string) => string | null
  readonly isAllowed: (address: string) => boolean
}

export type WebhookRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export type AttemptResult = {
  /** null if there was no response. */
  readonly httpStatus: number | null
  /** null if, and only if, the event was delivered. */
  readonly error: string | null
  /** Its first bytes; null if there was no response. */
  readonly response: string | null
  /** What the receiver asks for with Retry-After; null if it does not. */
  readonly retryAfterMs: number | null
}

/** For an attempt that the service itself failed to start. */
export const notStarted = withoutResponse('The service failed to start the attempt.')

export type WebhookSenderOptions = {
  readonly addressFilter: AddressFilter
  readonly resolve: Resolve
  /** For the whole attempt: name resolution, connection, request and response. */
  readonly timeoutMs?: number
  /** The trusted certificate authority, in PEM; by default those of Node. */
  readonly ca?: string
}

const attemptMaxMs = 10_000
export const answerBytesMax = 64 * 1024
/** The status is known by then; the rest is read only to reuse the connection. */
const drainMaxMs = 1_000
const idleConnectionMs = 4_000
const idleConnectionsMax = 8

export class WebhookSender {
  readonly #options: WebhookSenderOptions
  readonly #agents: { readonly http: HttpAgent; readonly https: HttpsAgent }
  readonly #running = new Set<AbortController>()

  constructor(options: WebhookSenderOptions) {
    this.#options = options
    const pool = { keepAlive: true, maxFreeSockets: idleConnectionsMax, timeout: idleConnectionMs }
    const trust = options.ca === undefined ? {} : { ca: options.ca }
    this.#agents = { http: new HttpAgent(pool), https: new HttpsAgent({ ...pool, ...trust }) }
  }

  /** Never throws: errors are part of the result. */
  async attempt(request: WebhookRequest): Promise<AttemptResult> {
    const { timeoutMs = attemptMaxMs } = this.#options
    const abort = new AbortController()
    this.#running.add(abort)
    const timer = setTimeout(() => {
      abort.abort(new Error(`No answer within ${timeoutMs / 1_000} s.`))
    }, timeoutMs)
    try {
      const url = new URL(request.url)
      const addresses = await unlessAborted(this.#addressesOf(url, request.url), abort.signal)
      return await this.#post(url, { ...request, addresses, signal: abort.signal })
    } catch (error) {
      return withoutResponse(sentenceOf(error))
    } finally {
      clearTimeout(timer)
      this.#running.delete(abort)
    }
  }

  /** Aborts the running attempts and closes all connections. */
  close(): void {
    for (const abort of this.#running) abort.abort(new Error('The service is shutting down.'))
    this.#agents.http.destroy()
    this.#agents.https.destroy()
  }

  /** The addresses of the URL's host; throws if one of them is not allowed. */
  async #addressesOf(url: URL, text: string): Promise<readonly string[]> {
    const { addressFilter, resolve } = this.#options
    const error = addressFilter.urlError(text)
    if (error !== null) throw new Error(error)
    const host = hostOf(url)
    const addresses = isIP(host) === 0 ? await resolve(host) : [host]
    if (addresses.length === 0) throw new Error('The host name has no address.')
    // The message does not contain the address, which would disclose the private network.
    if (!addresses.every(addressFilter.isAllowed)) {
      throw new Error('The host of the URL has an address that is not public.')
    }
    return addresses
  }

  /**
   * Sent once, even if a reused connection is closed before the response: the receiver may have
   * read the whole request.
   */
  #post(url: URL, { addresses, headers, body, signal }: Pinned): Promise<AttemptResult> {
    const isHttps = url.protocol === 'https:'
    const options = {
      method: 'POST',
      host: hostOf(url),
      port: url.port === '' ? (isHttps ? 443 : 80) : Number(url.port),
      path: url.pathname + url.search,
      headers,
      lookup: lookupOf(addresses),
      signal,
    }
    return new Promise((resolve, reject) => {
      let isAnswered = false
      const request = isHttps
        ? httpsRequest({ ...options, agent: this.#agents.https })
        : httpRequest({ ...options, agent: this.#agents.http })
      request.on('response', (response) => {
        isAnswered = true
        drain(response, (start) => resolve(resultOf(response, responseText(start))))
      })
      request.on('error', (error) => {
        reject(signal.aborted ? signal.reason : error)
      })
      request.on('close', () => {
        if (!isAnswered) reject(new Error('The connection was closed without an answer.'))
      })
      request.end(body)
    })
  }
}

type Pinned = WebhookRequest & {
  readonly addresses: readonly string[]
  readonly signal: AbortSignal
}

function resultOf({ statusCode = 0, headers }: IncomingMessage, response: string): AttemptResult {
  const retryAfterMs = retryAfterOf(headers['retry-after'], Date.now())
  const answered = { httpStatus: statusCode, response, retryAfterMs }
  if (statusCode >= 200 && statusCode < 300) return { ...answered, error: null }
  const isRedirect = statusCode >= 300 && statusCode < 400
  const also = isRedirect ? '; redirects are not followed' : ''
  return { ...answered, error: `The answer was ${statusCode}${also}.` }
}

function withoutResponse(error: string): AttemptResult {
  return { httpStatus: null, error, response: null, retryAfterMs: null }
}

/**
 * Reads the rest of a response if it is short and fast; otherwise closes the connection. Passes on
 * the start of the body.
 */
function drain(response: IncomingMessage, done: (start: readonly Uint8Array[]) => void): void {
  const start: Uint8Array[] = []
  let bytes = 0
  const cut = () => response.destroy()
  const timer = setTimeout(cut, drainMaxMs)
  response.on('data', (chunk: Uint8Array) => {
    if (bytes < responseBytesMax) start.push(chunk.subarray(0, responseBytesMax - bytes))
    bytes += chunk.length
    if (bytes > answerBytesMax) cut()
  })
  response.on('error', cut)
  response.on('close', () => {
    clearTimeout(timer)
    done(start)
  })
  if (Number(response.headers['content-length'] ?? 0) > answerBytesMax) cut()
}

/** Resolves every name to these addresses. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, options, callback) => {
    if (options.all) callback(null, found)
    else callback(null, found[0]!.address, found[0]!.family)
  }
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

const sentenceLengthMax = 200

/** Without IP addresses, which would disclose the network of the service. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The attempt failed.'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  const text = code === null ? error.message : `The connection failed: ${code}.`
  return text.slice(0, sentenceLengthMax)
}
