// The client: one object per service and set of keys.

import { Admin } from './routes/admin.ts'
import { Audit } from './routes/audit.ts'
import { Categories } from './routes/categories.ts'
import { Controls } from './routes/controls.ts'
import { DeadManSwitch } from './routes/dead-man.ts'
import { Events } from './routes/events.ts'
import { Players, Positions, Settlements, Trades } from './routes/holdings.ts'
import { MarketData } from './routes/market-data.ts'
import { Markets } from './routes/markets.ts'
import { OrderGroups } from './routes/order-groups.ts'
import { Orders } from './routes/orders.ts'
import { Webhooks } from './routes/webhooks.ts'
import { Stream, type StreamOptions } from './stream/stream.ts'
import { type CallOptions, type QueryOf, Transport } from './transport.ts'

export type ClientOptions = {
  /** The address of the service, such as http://127.0.0.1:8084. */
  readonly baseUrl: string
  /** The key of an operator; public market data needs none. */
  readonly apiKey?: string
  /** The administrator's key; for `admin` only. */
  readonly adminKey?: string
  /** Time limit of each attempt. Default: 30,000. */
  readonly timeoutMs?: number
  /**
   * How long a request is repeated after its first attempt has failed, if that is safe. Default:
   * 30,000, which is longer than a restart of the service.
   */
  readonly retryMs?: number
  /** How often a request is repeated at most, within `retryMs`. Default: no limit. */
  readonly retriesMax?: number
  /** Default: the global fetch. */
  readonly fetch?: typeof fetch
}

const defaultTimeoutMs = 30_000
const defaultRetryMs = 30_000

export class OutcryClient {
  readonly markets: Markets
  readonly orders: Orders
  readonly deadMan: DeadManSwitch
  readonly orderGroups: OrderGroups
  readonly trades: Trades
  readonly positions: Positions
  readonly settlements: Settlements
  readonly players: Players
  readonly categories: Categories
  readonly marketData: MarketData
  readonly webhooks: Webhooks
  readonly events: Events
  readonly audit: Audit
  readonly controls: Controls
  readonly admin: Admin
  readonly #transport: Transport

  constructor(options: ClientOptions) {
    const transport = new Transport({
      baseUrl: baseUrlOf(options.baseUrl),
      apiKey: keyOf('apiKey', options.apiKey),
      adminKey: keyOf('adminKey', options.adminKey),
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      retryMs: options.retryMs ?? defaultRetryMs,
      retriesMax: options.retriesMax ?? Number.POSITIVE_INFINITY,
      // Browsers require that fetch is called as a method of the window.
      fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    })
    this.#transport = transport
    this.markets = new Markets(transport)
    this.orders = new Orders(transport)
    this.deadMan = new DeadManSwitch(transport)
    this.orderGroups = new OrderGroups(transport)
    this.trades = new Trades(transport)
    this.positions = new Positions(transport)
    this.settlements = new Settlements(transport)
    this.players = new Players(transport)
    this.categories = new Categories(transport)
    this.marketData = new MarketData(transport)
    this.webhooks = new Webhooks(transport)
    this.events = new Events(transport)
    this.audit = new Audit(transport)
    this.controls = new Controls(transport)
    this.admin = new Admin(transport)
  }

  /** The live stream; connects with the first subscription. */
  stream(options: StreamOptions = {}): Stream {
    const { baseUrl, apiKey } = this.#transport.settings
    return new Stream({ ...options, apiKey, url: `${baseUrl.replace(/^http/, 'ws')}/ws` })
  }

  /** Numbers of open, unresolved and resolved markets. */
  statistics(options?: CallOptions) {
    return this.#transport.call('GET /api/v1/stats/overview', {}, options)
  }

  /** Your trades by day. */
  dailyStatistics(query: QueryOf<'GET /api/v1/stats/daily'> = {}, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/stats/daily', { query }, options)
  }

  /** The operator and the key of this client. */
  me(options?: CallOptions) {
    return this.#transport.call('GET /api/v1/me', {}, options)
  }

  /** The rate limits, and what is left of them. */
  limits(options?: CallOptions) {
    return this.#transport.call('GET /api/v1/limits', {}, options)
  }

  /** Whether the service is alive. Never repeated: a failure is an answer. */
  health(options?: CallOptions) {
    return this.#transport.call('GET /health', {}, { retriesMax: 0, ...options })
  }

  /** Whether the service accepts orders. Never repeated: a failure is an answer. */
  ready(options?: CallOptions) {
    return this.#transport.call('GET /ready', {}, { retriesMax: 0, ...options })
  }
}

/** Removes slashes at the end. */
function baseUrlOf(address: string | undefined): string {
  if (/^https?:\/\/[^/]/.test(address ?? '') && URL.canParse(address!)) {
    return address!.replace(/\/+$/, '')
  }
  const given = address === undefined ? 'undefined' : JSON.stringify(address)
  throw new TypeError(`baseUrl must be a URL such as http://127.0.0.1:8084, got ${given}`)
}

/**
 * Removes the line end of a key read from a file. Rejects invalid keys here, because the error of
 * fetch would contain the key, and might be logged.
 */
function keyOf(name: string, key: string | undefined): string | undefined {
  const trimmed = key?.trim()
  if (trimmed === undefined || /^[!-~]*$/.test(trimmed)) return trimmed
  throw new TypeError(`${name} must contain visible ASCII characters only`)
}
