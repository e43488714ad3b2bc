// The client: one object for a service and the keys it is asked with.

import { Admin } from './routes/admin.ts'
import { Categories } from './routes/categories.ts'
import { Events } from './routes/events.ts'
import { Players, Positions, Settlements, Trades } from './routes/holdings.ts'
import { MarketData } from './routes/market-data.ts'
import { Markets } from './routes/markets.ts'
import { Orders } from './routes/orders.ts'
import { Webhooks } from './routes/webhooks.ts'
import { Stream, type StreamOptions } from './stream/stream.ts'
import { type CallOptions, Transport } from './transport.ts'

export type ClientOptions = {
  /** Where the service is, such as http://127.0.0.1:8084. */
  readonly baseUrl: string
  /** An operator's; market data need none. */
  readonly apiKey?: string
  /** The administrator's; for `admin` alone. */
  readonly adminKey?: string
  /** Of each try; 30,000 where it is left out. */
  readonly timeoutMs?: number
  /** How often a request is repeated at most, where that is safe; 5 where it is left out. */
  readonly retriesMax?: number
  /** Instead of the global one. */
  readonly fetch?: typeof fetch
}

const usualTimeoutMs = 30_000
const usualRetriesMax = 5

export class OutcryClient {
  readonly markets: Markets
  readonly orders: Orders
  readonly trades: Trades
  readonly positions: Positions
  readonly settlements: Settlements
  readonly players: Players
  readonly categories: Categories
  readonly marketData: MarketData
  readonly webhooks: Webhooks
  readonly events: Events
  readonly admin: Admin
  readonly #transport: Transport

  constructor(options: ClientOptions) {
    const transport = new Transport({
      baseUrl: baseUrlOf(options.baseUrl),
      apiKey: keyOf('apiKey', options.apiKey),
      adminKey: keyOf('adminKey', options.adminKey),
      timeoutMs: options.timeoutMs ?? usualTimeoutMs,
      retriesMax: options.retriesMax ?? usualRetriesMax,
      // Browsers insist on being called as the window's own.
      fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    })
    this.#transport = transport
    this.markets = new Markets(transport)
    this.orders = new Orders(transport)
    this.trades = new Trades(transport)
    this.positions = new Positions(transport)
    this.settlements = new Settlements(transport)
    this.players = new Players(transport)
    this.categories = new Categories(transport)
    this.marketData = new MarketData(transport)
    this.webhooks = new Webhooks(transport)
    this.events = new Events(transport)
    this.admin = new Admin(transport)
  }

  /** What happens, as it happens; connects when it is first listened to. */
  stream(options: StreamOptions = {}): Stream {
    const { baseUrl, apiKey } = this.#transport.settings
    return new Stream({ ...options, apiKey, url: `${baseUrl.replace(/^http/, 'ws')}/ws` })
  }

  /** How many markets are open, wait for their answer, or have it. */
  statistics(options?: CallOptions) {
    return this.#transport.call('GET /api/v1/stats/overview', {}, options)
  }

  /** Whether it is alive. Asked once: a no is an answer. */
  health(options?: CallOptions) {
    return this.#transport.call('GET /health', {}, { retriesMax: 0, ...options })
  }

  /** Whether it can take orders. Asked once: a no is an answer. */
  ready(options?: CallOptions) {
    return this.#transport.call('GET /ready', {}, { retriesMax: 0, ...options })
  }
}

/** Without the slashes at its end. */
function baseUrlOf(address: string | undefined): string {
  if (/^https?:\/\/[^/]/.test(address ?? '') && URL.canParse(address!)) {
    return address!.replace(/\/+$/, '')
  }
  const told = address === undefined ? 'undefined' : JSON.stringify(address)
  throw new TypeError(`baseUrl must be an address such as http://127.0.0.1:8084; it is ${told}.`)
}

/** As fetch does, without the line end of a file. What fetch refuses it shows, and logs keep. */
function keyOf(name: string, key: string | undefined): string | undefined {
  const trimmed = key?.trim()
  if (trimmed === undefined || /^[!-~]*$/.test(trimmed)) return trimmed
  throw new TypeError(`${name} is not a key: it has more than visible ASCII characters in it.`)
}
