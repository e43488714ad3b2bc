// Sends requests to the service, with its keys and a time limit, and repeats them if that is safe.

import { type CsvPage, csvOf, dataOf } from './answer.ts'
import { OutcryError } from './errors.ts'
import type { Routes } from './generated/wire.ts'
import { pause, type RetryPolicy, waitBefore } from './retry.ts'
import { userAgent } from './version.ts'

export type Settings = {
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  readonly adminKey?: string | undefined
  /** Time limit of one attempt, up to the last byte of its answer. */
  readonly timeoutMs: number
  /** How long a request is repeated after its first attempt has failed. */
  readonly retryMs: number
  /** How often a request is repeated at most. */
  readonly retriesMax: number
  readonly fetch: typeof fetch
}

export type CallOptions = {
  /** Ends the call, also between two attempts; it then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** Time limit of each attempt. */
  readonly timeoutMs?: number | undefined
  /** How long the request is repeated after its first attempt has failed; 0 for never. */
  readonly retryMs?: number | undefined
  /** How often the request is repeated at most, within `retryMs`. */
  readonly retriesMax?: number | undefined
}

export type Route = keyof Routes
export type QueryOf<Name extends Route> = NonNullable<Routes[Name]['query']>
export type BodyOf<Name extends Route> = NonNullable<Routes[Name]['body']>
export type DataOf<Name extends Route> = Routes[Name]['data']

export type RouteRequest<Name extends Route> = {
  /** The parameters of the path, in order. */
  readonly ids?: readonly string[]
  readonly query?: QueryOf<Name> | undefined
  readonly body?: BodyOf<Name>
  /** Default: ALWAYS for GET, IF_NOT_EXECUTED for other methods. */
  readonly retry?: RetryPolicy
}

type HowToRead<Answer> = {
  readonly read: (response: Response, attempts: number) => Promise<Answer>
}

export class Transport {
  readonly settings: Settings

  constructor(settings: Settings) {
    this.settings = settings
  }

  async call<Name extends Route>(
    route: Name,
    request: RouteRequest<Name> = {},
    options: CallOptions = {},
  ): Promise<DataOf<Name>> {
    const method = route.slice(0, route.indexOf(' '))
    const path = pathOf(route.slice(method.length + 1), request.ids ?? []) + queryOf(request.query)
    const init = { method, ...this.#contents(path, request.body) }
    const policy = request.retry ?? (method === 'GET' ? 'ALWAYS' : 'IF_NOT_EXECUTED')
    // The only place where the client relies on the service to answer as its document says.
    return (await this.#withRetries(path, init, {
      policy,
      read: dataOf,
      ...options,
    })) as DataOf<Name>
  }

  /** A list as CSV: the text of one page after the other, with one line of names at its start. */
  async *csv<Name extends Route>(
    route: Name,
    { ids = [], query }: Pick<RouteRequest<Name>, 'ids' | 'query'>,
    options: CallOptions = {},
  ): AsyncGenerator<string, void, undefined> {
    const path = pathOf(route.slice('GET '.length), ids)
    const { headers } = this.#contents(path, undefined)
    const init = { method: 'GET', headers: { ...headers, accept: 'text/csv' } }
    const policy = { policy: 'ALWAYS', read: csvOf, ...options } as const
    for (let next: string | null = queryOf(query), isFirst = true; next !== null; isFirst = false) {
      const page: CsvPage = await this.#withRetries(path + next, init, policy)
      yield isFirst ? page.text : page.text.slice(page.text.indexOf('\n') + 1)
      next = page.next
    }
  }

  async #withRetries<Answer>(
    path: string,
    init: RequestInit,
    { policy, ...options }: CallOptions & HowToRead<Answer> & { readonly policy: RetryPolicy },
  ): Promise<Answer> {
    const { retryMs, retriesMax } = this.settings
    const limits = { retryMs: options.retryMs ?? retryMs }
    let failedAt: number | null = null
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await this.#once(path, init, { ...options, attempts })
      } catch (error) {
        options.signal?.throwIfAborted()
        if (attempts > (options.retriesMax ?? retriesMax)) throw error
        failedAt ??= performance.now()
        const elapsedMs = performance.now() - failedAt
        const waitMs = waitBefore({ error, policy, attempts, elapsedMs, ...limits })
        if (waitMs === null) throw error
        await pause(waitMs, options.signal)
      }
    }
  }

  async #once<Answer>(
    path: string,
    init: RequestInit,
    options: CallOptions & HowToRead<Answer> & { readonly attempts: number },
  ): Promise<Answer> {
    const { timeoutMs = this.settings.timeoutMs, signal, attempts, read } = options
    signal?.throwIfAborted()
    const timeout = AbortSignal.timeout(timeoutMs)
    const either = signal === undefined ? timeout : AbortSignal.any([timeout, signal])
    try {
      const response = await this.settings.fetch(this.settings.baseUrl + path, {
        ...init,
        signal: either,
      })
      return await read(response, attempts)
    } catch (error) {
      if (error instanceof OutcryError) throw error
      if (timeout.aborted) {
        const message = `No answer within ${timeoutMs} ms`
        throw new OutcryError({ code: 'TIMEOUT', message, cause: error })
      }
      const reason = error instanceof Error ? error.message : String(error)
      const message = `No answer from the service: ${reason}`
      throw new OutcryError({ code: 'NETWORK_ERROR', message, cause: error })
    }
  }

  #contents(path: string, body: object | undefined): Contents {
    const { apiKey, adminKey } = this.settings
    const headers: Record<string, string> = userAgent === null ? {} : { 'user-agent': userAgent }
    // Each key is sent only to the routes that need it.
    if (path.startsWith('/api/v1/admin/')) {
      if (adminKey !== undefined) headers['x-admin-key'] = adminKey
    } else if (apiKey !== undefined) headers['x-api-key'] = apiKey
    if (body === undefined) return { headers }
    headers['content-type'] = 'application/json'
    return { headers, body: JSON.stringify(body) }
  }
}

type Contents = { readonly headers: Readonly<Record<string, string>>; readonly body?: string }

function pathOf(template: string, ids: readonly string[]): string {
  const left = [...ids]
  return template.replace(/\{\}/g, () => segmentOf(left.shift() ?? ''))
}

// URLs drop these two, however they are encoded: a brake on the player ".." would be one on all.
function segmentOf(id: string): string {
  if (id === '.' || id === '..') throw new TypeError(`no address can have the id "${id}"`)
  return encodeURIComponent(id)
}

function queryOf(query: object | undefined): string {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  if (pairs.length === 0) return ''
  return `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`
}
