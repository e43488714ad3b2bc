// What the service counts and measures, for Prometheus to fetch. The rooms call these methods on
// their hottest paths, so each is a few additions.

import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { Histogram, type Series } from './histogram.ts'

export type TurnMeasures = {
  readonly commands: number
  /** Orders taken, and trades made. */
  readonly orders: number
  readonly trades: number
  readonly commitSeconds: number
}

export type RequestMeasures = {
  readonly method: string
  /** The pattern, as in /api/v1/orders/:id; never the path that was asked for. */
  readonly route: string
  readonly status: number
  readonly seconds: number
}

const prefix = 'outcry_'
const batchBounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]
const secondsBounds = [
  ...[0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5],
  ...[1, 2, 5, 10],
]
/** Labels stay in memory for good, so their number has an end; what comes later is "other". */
export const seriesMax = 2_000
export const codesMax = 200

export class Metrics {
  readonly #registry = new Registry()
  readonly #turns = this.#counter('turns_total', 'Turns that were committed.')
  readonly #orders = this.#counter('orders_total', 'Orders that were taken.')
  readonly #trades = this.#counter('trades_total', 'Trades that were made.')
  readonly #rebuilds = this.#counter('rebuilds_total', 'Rebuilds of a shard from its store.')
  readonly #refusals = this.#counter('refused_total', 'Commands that were rejected.', ['code'])
  readonly #attempts = this.#counter('webhook_attempts_total', 'Attempts at deliveries.', [
    'status',
  ])
  readonly #expired = this.#counter(
    'webhook_events_expired_total',
    'Events that expired before a webhook was told of them.',
  )
  readonly #prunes = this.#counter('prune_slices_total', 'Slices in which old rows were deleted.')
  readonly #codes = new Set<string>()
  readonly #queue = new Gauge({
    name: `${prefix}queue_length`,
    help: 'Commands that wait for their turn.',
    registers: [this.#registry],
  })
  readonly #batches = new Histogram({
    name: `${prefix}turn_commands`,
    help: 'Commands in a turn.',
    bounds: batchBounds,
  })
  readonly #commits = new Histogram({
    name: `${prefix}commit_seconds`,
    help: 'From handing a turn to the store until it is durable.',
    bounds: secondsBounds,
  })
  readonly #requests = new Histogram({
    name: `${prefix}request_seconds`,
    help: 'From a request to its answer.',
    bounds: secondsBounds,
  })
  readonly #batch = this.#batches.series()
  readonly #commit = this.#commits.series()
  readonly #requestSeries = new Map<string, Series>()

  constructor() {
    // Of the process: its memory, its time, the delay of its event loop, its garbage collections.
    collectDefaultMetrics({ register: this.#registry, prefix })
  }

  turn({ commands, orders, trades, commitSeconds }: TurnMeasures): void {
    this.#turns.inc()
    this.#orders.inc(orders)
    this.#trades.inc(trades)
    this.#batch.add(commands)
    this.#commit.add(commitSeconds)
  }

  /** How many commands wait now. */
  queue(length: number): void {
    this.#queue.set(length)
  }

  rejected(code: string): void {
    if (this.#codes.size < codesMax) this.#codes.add(code)
    this.#refusals.inc({ code: this.#codes.has(code) ? code : 'other' })
  }

  request({ method, route, status, seconds }: RequestMeasures): void {
    const name = `${method} ${status} ${route}`
    const series = this.#requestSeries.get(name)
    if (series !== undefined) series.add(seconds)
    else this.#newRequestSeries(name, { method, route, status: String(status) }).add(seconds)
  }

  #newRequestSeries(name: string, labels: { readonly [label: string]: string }): Series {
    const isFull = this.#requestSeries.size >= seriesMax
    const key = isFull ? 'other' : name
    const known = this.#requestSeries.get(key)
    if (known !== undefined) return known
    const other = { method: 'other', route: 'other', status: 'other' }
    const series = this.#requests.series(isFull ? other : labels)
    this.#requestSeries.set(key, series)
    return series
  }

  webhookAttempt(status: 'DELIVERED' | 'RETRYING' | 'FAILED'): void {
    this.#attempts.inc({ status })
  }

  webhookExpired(events: number): void {
    this.#expired.inc(events)
  }

  pruned(slices: number): void {
    this.#prunes.inc(slices)
  }

  /** A shard's memory was thrown away and loaded again. */
  rebuilt(): void {
    this.#rebuilds.inc()
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  async text(): Promise<string> {
    const counted = await this.#registry.metrics()
    const measured = [this.#batches, this.#commits, this.#requests].map((each) => each.text())
    return `${counted.trimEnd()}\n${measured.join('')}`
  }

  #counter<Label extends string = never>(name: string, help: string, labelNames: Label[] = []) {
    return new Counter({ name: prefix + name, help, labelNames, registers: [this.#registry] })
  }
}
