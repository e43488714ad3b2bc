// What runs the shards of a process: all of them if the process is alone on its database, or those
// that a node of a cluster owns. Either way, the commands of every shard can be sent to it.

import { randomUUID } from 'node:crypto'
import { LoopLag } from '../ops/loop-lag.ts'
import type { ClusterAdministration } from './administration.ts'
import { LoneNode } from './lone-node.ts'
import type { OwnedShards } from './owned-shards.ts'
import type { ShardCommands } from './router-options.ts'

export interface ShardHost {
  /** Starts the shards that the process does not own from its start. */
  start(): Promise<void>
  /** The commands of a shard, wherever its owner is. */
  commandsOf(shard: number): ShardCommands
  /** Whether the process knows every key that was revoked. */
  readonly isInTouch: boolean
  /** Whether most requests can be answered. */
  readonly isReady: boolean
  /** Awaited before a write of the registry is answered. */
  waitForNodes(registryVersion: number): Promise<void>
  /** What the administrator sees and changes. */
  readonly administration: Administration
  /** Hands over what others can own, while requests are still served. */
  leave(): Promise<void>
  /** Ends the shards. `closing` resolves when no request is served any more. */
  stop(closing: Promise<unknown>): Promise<void>
}

export type Administration = Pick<ClusterAdministration, 'view' | 'move' | 'drain'>

/** A process that is alone on its database owns all shards. */
export class LoneHost implements ShardHost {
  readonly #owned: OwnedShards
  readonly isInTouch = true
  readonly administration: Administration

  constructor(owned: OwnedShards, version: string) {
    this.#owned = owned
    const lag = new LoopLag()
    this.administration = new LoneNode({
      nodeId: randomUUID(),
      version,
      loopLagMs: () => lag.ms,
      engines: () => owned.numbers.map((shard) => owned.get(shard)!.engine),
    })
  }

  async start(): Promise<void> {}

  commandsOf(shard: number): ShardCommands {
    return this.#owned.get(shard)!.engine
  }

  get isReady(): boolean {
    return this.#owned.numbers.every((shard) => this.#owned.get(shard)!.engine.isReady)
  }

  async waitForNodes(): Promise<void> {}

  async leave(): Promise<void> {}

  async stop(closing: Promise<unknown>): Promise<void> {
    await Promise.all([closing, this.#owned.stop()])
  }
}
