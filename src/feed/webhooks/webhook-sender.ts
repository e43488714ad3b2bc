// One attempt: a POST to where the webhook leads, with the address it was judged by. A name is
// resolved once, all of its addresses are judged, and only they can be connected to. Redirects are
// answers like any other, and no proxy of the environment is asked.

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Resolve } from './resolve.ts'

/** Where deliveries may go. */
export type AddressFilter = {
  /** Says what is wrong with a URL, literal addresses included; null where nothing is. */
  readonly urlFault: (url: string) => string | null
  readonly isAllowed: (address: string) => boolean
}

export type Posting = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export type Outcome = {
  /** null where no answer came. */
  readonly httpStatus: number | null
  /** null exactly where it was delivered. */
  readonly error: string | null
}

export type WebhookSenderOptions = {
  readonly guard: AddressFilter
  readonly resolve: Resolve
  /** For the whole attempt: name, connection, request and answer. */
  readonly timeoutMs?: number
  /** Who signs certificates; left out: those that Node trusts. */
  readonly ca?: string
}

export const attemptMaxMs = 10_000
export const answerBytesMax = 64 * 1024
/** The status has decided already; the rest is read only to keep the connection. */
const drainMaxMs = 1_000
const idleConnectionMs = 4_000
const idleConnectionsMax = 8

export class WebhookSender {
  readonly #options: WebhookSenderOptions
  readonly #agents: { readonly http: HttpAgent; readonly https: HttpsAgent }
  readonly #underWay = new Set<AbortController>()

  constructor(options: WebhookSenderOptions) {
    this.#options = options
    const pool = { keepAlive: true, maxFreeSockets: idleConnectionsMax, timeout: idleConnectionMs }
    const trust = options.ca === undefined ? {} : { ca: options.ca }
    this.#agents = { http: new HttpAgent(pool), https: new HttpsAgent({ ...pool, ...trust }) }
  }

  /** Never throws: what went wrong is its answer. */
  async attempt(posting: Posting): Promise<Outcome> {
    const { timeoutMs = attemptMaxMs } = this.#options
    const abort = new AbortController()
    this.#underWay.add(abort)
    const timer = setTimeout(() => {
      abort.abort(new Error(`There was no answer within ${timeoutMs / 1_000} s.`))
    }, timeoutMs)
    try {
      const url = new URL(posting.url)
      const addresses = await unlessAborted(this.#addressesOf(url, posting.url), abort.signal)
      return await this.#post(url, { ...posting, addresses, signal: abort.signal })
    } catch (error) {
      return { httpStatus: null, error: sentenceOf(error) }
    } finally {
      clearTimeout(timer)
      this.#underWay.delete(abort)
    }
  }

  /** Ends the attempts under way, and all connections. */
  close(): void {
    for (const abort of this.#underWay) abort.abort(new Error('The service is shutting down.'))
    this.#agents.http.destroy()
    this.#agents.https.destroy()
  }

  /** The addresses that may be connected to, all of them judged. */
  async #addressesOf(url: URL, text: string): Promise<readonly string[]> {
    const { guard, resolve } = this.#options
    const fault = guard.urlFault(text)
    if (fault !== null) throw new Error(fault)
    const host = hostOf(url)
    const addresses = isIP(host) === 0 ? await resolve(host) : [host]
    if (addresses.length === 0) throw new Error('The name has no address.')
    // Which address it is stays unsaid: names of a private network are nobody's business.
    if (!addresses.every(guard.isAllowed)) {
      throw new Error('The URL leads to an address that is not public.')
    }
    return addresses
  }

  /**
   * Never sent twice, also where the connection was kept open from before and is cut: the receiver
   * may have read all of it.
   */
  #post(url: URL, { addresses, headers, body, signal }: Pinned): Promise<Outcome> {
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
        const outcome = outcomeOf(response)
        drain(response, () => resolve(outcome))
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

type Pinned = Posting & { readonly addresses: readonly string[]; readonly signal: AbortSignal }

function outcomeOf({ statusCode = 0 }: IncomingMessage): Outcome {
  const isDelivered = statusCode >= 200 && statusCode < 300
  if (isDelivered) return { httpStatus: statusCode, error: null }
  const isRedirect = statusCode >= 300 && statusCode < 400
  const also = isRedirect ? '; redirects are not followed' : ''
  return { httpStatus: statusCode, error: `The answer was ${statusCode}${also}.` }
}

/** Reads the rest of an answer, if it is short and comes soon; else the connection is cut. */
function drain(response: IncomingMessage, done: () => void): void {
  let bytes = 0
  const cut = () => response.destroy()
  const timer = setTimeout(cut, drainMaxMs)
  response.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length
    if (bytes > answerBytesMax) cut()
  })
  response.on('error', cut)
  response.on('close', () => {
    clearTimeout(timer)
    done()
  })
  if (Number(response.headers['content-length'] ?? 0) > answerBytesMax) cut()
}

/** Knows these addresses and no other, whatever name is asked for. */
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

/** Without addresses: they are of the network that the service stands in. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The attempt failed.'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  const text = code === null ? error.message : `The connection failed: ${code}.`
  return text.slice(0, sentenceLengthMax)
}
