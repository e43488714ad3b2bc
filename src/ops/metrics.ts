// The metrics of the service, in Prometheus' text format. The methods are called for every command
// and request, so each does little more than a few additions.

import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { ClusterMetrics } from './cluster-metrics.ts'
import type { Edge } from './edge-failures.ts'
import { Histogram, type Series } from './histogram.ts'

export type TurnMeasures = {
  readonly commands: number
  readonly orders: number
  readonly trades: number
  readonly commitSeconds: number
}

export type RequestMeasures = {
  readonly method: string
  /** The pattern, such as /api/v1/orders/:id; never the path of the request. */
  readonly route: string
  readonly status: number
  readonly seconds: number
}

const prefix = 'outcry_'
const batchBounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]
const secondsBounds = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]
/** Series stay in memory, so their number is limited; further ones are counted as "other". */
export const seriesMax = 2_000
export const codesMax = 200

export class Metrics {
  readonly #registry = new Registry()
  readonly #turns = this.#counter('turns_total', 'Committed turns.')
  readonly #orders = this.#counter('orders_total', 'Accepted orders.')
  readonly #trades = this.#counter('trades_total', 'Trades.')
  readonly #rebuilds = this.#counter('rebuilds_total', 'Rebuilds of the memory from the store.')
  readonly #rejections = this.#counter('refused_total', 'Rejected commands.', ['code'])
  readonly #attempts = this.#counter('webhook_attempts_total', 'Webhook delivery attempts.', [
    'status',
  ])
  readonly #expired = this.#counter(
    'webhook_events_expired_total',
    'Events that expired before they were delivered to a webhook.',
  )
  readonly #prunes = this.#counter(
    'prune_slices_total',
    'Transactions in which expired rows were deleted.',
  )
  readonly #edgeFailures = this.#counter(
    'edge_failures_total',
    'Failures that were caught at an edge of the service; each is logged.',
    ['edge'],
  )
  readonly #readDrops = this.#counter('reads_dropped_total', 'Reads without an answer.', [
    'lane',
    'reason',
  ])
  readonly #codes = new Set<string>()
  readonly #queue = new Gauge({
    name: `${prefix}queue_length`,
    help: 'Commands waiting in the queues of all shards.',
    registers: [this.#registry],
  })
  readonly #queueLengths = new Map<number, number>()
  readonly #reads = new Gauge({
    name: `${prefix}reads_waiting`,
    help: 'Reads waiting for a reader of the store.',
    labelNames: ['lane'],
    registers: [this.#registry],
  })
  readonly #batches = new Histogram({
    name: `${prefix}turn_commands`,
    help: 'Commands per turn.',
    bounds: batchBounds,
  })
  readonly #commits = new Histogram({
    name: `${prefix}commit_seconds`,
    help: 'Time to commit a turn.',
    bounds: secondsBounds,
  })
  readonly #requests = new Histogram({
    name: `${prefix}request_seconds`,
    help: 'Time from receiving a request to sending the response.',
    bounds: secondsBounds,
  })
  readonly #readWaits = new Histogram({
    name: `${prefix}read_wait_seconds`,
    help: 'Time that a read waited for a reader of the store.',
    bounds: secondsBounds,
  })
  readonly #batch = this.#batches.series()
  readonly #commit = this.#commits.series()
  readonly #requestSeries = new Map<string, Series>()
  readonly #readWaitSeries = new Map<string, Series>()
  #cluster: ClusterMetrics | null = null

  constructor() {
    // Memory, CPU time, event loop lag and garbage collection of the process.
    collectDefaultMetrics({ register: this.#registry, prefix })
    // Gauges with the names of counters; the same without `_total` have the numbers by type.
    for (const name of ['active_handles', 'active_requests', 'active_resources']) {
      this.#registry.removeSingleMetric(`${prefix}nodejs_${name}_total`)
    }
  }

  turn({ commands, orders, trades, commitSeconds }: TurnMeasures): void {
    this.#turns.inc()
    this.#orders.inc(orders)
    this.#trades.inc(trades)
    this.#batch.add(commands)
    this.#commit.add(commitSeconds)
  }

  queue(length: number, shard: number): void {
    this.#queue.inc(length - (this.#queueLengths.get(shard) ?? 0))
    this.#queueLengths.set(shard, length)
  }

  rejected(code: string): void {
    if (this.#codes.size < codesMax) this.#codes.add(code)
    this.#rejections.inc({ code: this.#codes.has(code) ? code : 'other' })
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

  readsWaiting(lane: string, count: number): void {
    this.#reads.set({ lane }, count)
  }

  readWaited(lane: string, seconds: number): void {
    const series = this.#readWaitSeries.get(lane) ?? this.#readWaits.series({ lane })
    this.#readWaitSeries.set(lane, series)
    series.add(seconds)
  }

  readDropped(lane: string, reason: string): void {
    this.#readDrops.inc({ lane, reason })
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

  /** Read whenever the metrics are. */
  watchClock(clock: { readonly behindMs: number }): void {
    new Gauge({
      name: `${prefix}clock_behind_seconds`,
      help: 'How far the system clock is behind the time of the service.',
      registers: [this.#registry],
      collect() {
        this.set(clock.behindMs / 1_000)
      },
    })
  }

  /** Read whenever the metrics are. */
  watchTables(tables: { readonly pendingBytes: number }): void {
    new Gauge({
      name: `${prefix}pending_turn_bytes`,
      help: 'Committed turns that are not in the tables yet.',
      registers: [this.#registry],
      collect() {
        this.set(tables.pendingBytes)
      },
    })
  }

  /** Read whenever the metrics are. */
  watchRegistry(node: { readonly registryLag: number }): void {
    new Gauge({
      name: `${prefix}registry_lag`,
      help: 'How many changes of the registry this node has not applied.',
      registers: [this.#registry],
      collect() {
        this.set(node.registryLag)
      },
    })
  }

  /** For a node of a cluster; to be called once. */
  addCluster(): ClusterMetrics {
    this.#cluster = new ClusterMetrics(this.#registry, prefix)
    return this.#cluster
  }

  edgeFailed(edge: Edge): void {
    this.#edgeFailures.inc({ edge })
  }

  /** The memory of a shard was loaded from the store again. */
  rebuilt(): void {
    this.#rebuilds.inc()
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  async text(): Promise<string> {
    const counted = await this.#registry.metrics()
    const histograms = [this.#batches, this.#commits, this.#requests, this.#readWaits]
    const measured = histograms.map((each) => each.text())
    return `${counted.trimEnd()}\n${measured.join('')}${this.#cluster?.text() ?? ''}`
  }

  #counter<Label extends string = never>(name: string, help: string, labelNames: Label[] = []) {
    return new Counter({ name: prefix + name, help, labelNames, registers: [this.#registry] })
  }
}
