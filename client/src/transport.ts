// Carries requests to the service: one address, its keys, a limit of time, and tries that are
// repeated where that is safe.

import { dataOf } from './answer.ts'
import { OutcryError } from './errors.ts'
import type { Routes } from './generated/wire.ts'
import { pause, type Repeat, waitBefore } from './retry.ts'

export type Settings = {
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  readonly adminKey?: string | undefined
  /** Of one try, from its start to the last byte of its answer. */
  readonly timeoutMs: number
  /** How often a request is repeated at most. */
  readonly retriesMax: number
  readonly fetch: typeof fetch
}

export type CallOptions = {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  readonly retriesMax?: number | undefined
}

export type Route = keyof Routes
export type QueryOf<Name extends Route> = NonNullable<Routes[Name]['query']>
export type BodyOf<Name extends Route> = NonNullable<Routes[Name]['body']>
export type DataOf<Name extends Route> = Routes[Name]['data']

export type Ask<Name extends Route> = {
  /** What stands in the path, in order. */
  readonly ids?: readonly string[]
  readonly query?: QueryOf<Name> | undefined
  readonly body?: BodyOf<Name>
  /** When it may be sent again; GET always may. */
  readonly repeat?: Repeat
}

export class Transport {
  readonly settings: Settings

  constructor(settings: Settings) {
    this.settings = settings
  }

  async call<Name extends Route>(
    route: Name,
    ask: Ask<Name> = {},
    options: CallOptions = {},
  ): Promise<DataOf<Name>> {
    const method = route.slice(0, route.indexOf(' '))
    const path = pathOf(route.slice(method.length + 1), ask.ids ?? []) + queryOf(ask.query)
    const init = { method, ...this.#contents(path, ask.body) }
    const repeat = ask.repeat ?? (method === 'GET' ? 'ALWAYS' : 'IF_NOT_DONE')
    // The one place where the service is believed to answer as its document says.
    return (await this.#tried(path, init, { repeat, ...options })) as DataOf<Name>
  }

  async #tried(
    path: string,
    init: RequestInit,
    { repeat, ...options }: CallOptions & { readonly repeat: Repeat },
  ): Promise<unknown> {
    const { retriesMax = this.settings.retriesMax, signal } = options
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#once(path, init, options)
      } catch (error) {
        signal?.throwIfAborted()
        const waitMs = tries > retriesMax ? null : waitBefore({ error, repeat, tries })
        if (waitMs === null) throw error
        await pause(waitMs, signal)
      }
    }
  }

  async #once(path: string, init: RequestInit, options: CallOptions): Promise<unknown> {
    const { timeoutMs = this.settings.timeoutMs, signal } = options
    const late = AbortSignal.timeout(timeoutMs)
    const either = signal === undefined ? late : AbortSignal.any([late, signal])
    try {
      const response = await this.settings.fetch(this.settings.baseUrl + path, {
        ...init,
        signal: either,
      })
      return await dataOf(response)
    } catch (error) {
      if (error instanceof OutcryError) throw error
      if (late.aborted) {
        const message = `No answer came within ${timeoutMs} ms.`
        throw new OutcryError({ code: 'TIMEOUT', message, cause: error })
      }
      const reason = error instanceof Error ? error.message : String(error)
      const message = `The service could not be reached: ${reason}`
      throw new OutcryError({ code: 'NETWORK_ERROR', message, cause: error })
    }
  }

  #contents(path: string, body: object | undefined): RequestInit {
    const { apiKey, adminKey } = this.settings
    const headers: Record<string, string> = {}
    // Each key goes only where it is asked for.
    if (path.startsWith('/api/v1/admin/')) {
      if (adminKey !== undefined) headers['x-admin-key'] = adminKey
    } else if (apiKey !== undefined) headers['x-api-key'] = apiKey
    if (body === undefined) return { headers }
    headers['content-type'] = 'application/json'
    return { headers, body: JSON.stringify(body) }
  }
}

function pathOf(template: string, ids: readonly string[]): string {
  const left = [...ids]
  return template.replace(/\{\}/g, () => encodeURIComponent(left.shift() ?? ''))
}

function queryOf(query: object | undefined): string {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  if (pairs.length === 0) return ''
  return `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`
}
