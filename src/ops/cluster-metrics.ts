// The metrics of a node: which shards it owns, and how commands reach their owners.

import { Counter, Gauge, type Registry } from 'prom-client'
import { Histogram, type Series } from './histogram.ts'

/** A shard that this node owns. */
export type OwnedShardMeasures = {
  readonly shard: number
  readonly epoch: number
  readonly leaseLeftSeconds: number
}

/** How far the streams of this node are behind a shard of another node. */
export type EventLag = { readonly shard: number; readonly seconds: number }

export type WatchedNode = {
  ownedShards(): readonly OwnedShardMeasures[]
  eventLags(): readonly EventLag[]
  /** Nodes to which there is a link now. */
  readonly linkCount: number
}

const routeBounds = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.2, 1, 2, 5, 10]

export class ClusterMetrics {
  readonly #registry: Registry
  readonly #prefix: string
  readonly #takeovers: Counter<'reason'>
  readonly #routed: Counter<'kind' | 'outcome'>
  readonly #held: Gauge
  readonly #routes: Histogram
  readonly #routeSeries: Readonly<Record<'local' | 'remote', Series>>

  constructor(registry: Registry, prefix: string) {
    this.#registry = registry
    this.#prefix = prefix
    const registers = [registry]
    this.#takeovers = new Counter({
      name: `${prefix}takeovers_total`,
      help: 'Shards that this node has acquired.',
      labelNames: ['reason'],
      registers,
    })
    this.#routed = new Counter({
      name: `${prefix}routed_total`,
      help: 'Commands that this node could not execute at once itself.',
      labelNames: ['kind', 'outcome'],
      registers,
    })
    this.#held = new Gauge({
      name: `${prefix}held`,
      help: 'Commands that wait for an owner of their shard.',
      registers,
    })
    this.#routes = new Histogram({
      name: `${prefix}route_seconds`,
      help: 'Time from routing a command to its answer.',
      bounds: routeBounds,
    })
    this.#routeSeries = {
      local: this.#routes.series({ where: 'local' }),
      remote: this.#routes.series({ where: 'remote' }),
    }
  }

  tookOver(reason: string): void {
    this.#takeovers.inc({ reason })
  }

  routed(kind: string, outcome: string): void {
    this.#routed.inc({ kind, outcome })
  }

  held(count: number): void {
    this.#held.set(count)
  }

  routeSeconds(where: 'local' | 'remote', seconds: number): void {
    this.#routeSeries[where].add(seconds)
  }

  /** Read whenever the metrics are. */
  watchNode(node: WatchedNode): void {
    const watchOwned = (name: string, help: string, of: (shard: OwnedShardMeasures) => number) =>
      this.#watchShards(name, help, () =>
        node.ownedShards().map((owned) => ({ shard: owned.shard, value: of(owned) })),
      )
    watchOwned('shard_owned', 'Shards that this node owns.', () => 1)
    watchOwned('shard_epoch', 'The epoch of each owned shard.', ({ epoch }) => epoch)
    const leaseHelp = 'Time for which this node certainly owns each of its shards.'
    watchOwned('lease_left_seconds', leaseHelp, (shard) => shard.leaseLeftSeconds)
    const lagHelp = 'How far the streams of this node are behind shards of other nodes.'
    this.#watchShards('event_lag_seconds', lagHelp, () =>
      node.eventLags().map(({ shard, seconds }) => ({ shard, value: seconds })),
    )
    new Gauge({
      name: `${this.#prefix}links`,
      help: 'Nodes to which there is a link.',
      registers: [this.#registry],
      collect() {
        this.set(node.linkCount)
      },
    })
  }

  #watchShards(
    name: string,
    help: string,
    measure: () => readonly { readonly shard: number; readonly value: number }[],
  ): void {
    new Gauge({
      name: this.#prefix + name,
      help,
      labelNames: ['shard'],
      registers: [this.#registry],
      collect() {
        this.reset()
        for (const { shard, value } of measure()) this.set({ shard }, value)
      },
    })
  }

  text(): string {
    return this.#routes.text()
  }
}
