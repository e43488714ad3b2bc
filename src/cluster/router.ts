// The way of commands to the owners of their shards, on every node of a cluster. ShardRouter does
// the work; this file has one per shard.

import type { RouterOptions, ShardCommands } from './router-options.ts'
import { ShardRouter } from './shard-router.ts'

export class Router {
  readonly #options: RouterOptions
  readonly #shards = new Map<number, ShardRouter>()
  #held = 0

  constructor(options: RouterOptions) {
    this.#options = options
    options.routes.onChange((shard) => this.#shards.get(shard)?.retry())
  }

  /** The commands of a shard, wherever its owner is. */
  shard(shard: number): ShardCommands {
    const known = this.#shards.get(shard)
    if (known !== undefined) return known
    const onHeld = (more: number) => {
      this.#held += more
      this.#options.metrics.held(this.#held)
    }
    const router = new ShardRouter({ ...this.#options, shard, onHeld })
    this.#shards.set(shard, router)
    return router
  }

  /** A link was connected, or an engine of this node has started: held commands are tried again. */
  retry(): void {
    for (const router of this.#shards.values()) router.retry()
  }

  /** Gives up what is held. */
  stop(): void {
    for (const router of this.#shards.values()) router.stop()
  }
}
