// The shards that this node owns: each has an engine, and a feed of its events. They are acquired,
// handed over and lost one by one.

import type { Engine } from '../engine/engine.ts'
import type { Log } from '../ops/log.ts'
import type { ShardStore } from '../store/store.ts'

export type RunningShard = {
  readonly engine: Engine
  /**
   * Stops what beside the engine belongs to the shard, such as its webhooks. Waits for their
   * running attempts for at most so long; for some seconds by default.
   */
  stop(waitMs?: number): Promise<void>
}

/** Commands are held meanwhile, for two seconds at most; a receiver may take longer. */
const handOverWaitMs = 200

export type OwnedShardsOptions = {
  readonly stores: readonly ShardStore[]
  /** Starts a shard that was acquired. */
  readonly start: (store: ShardStore) => Promise<RunningShard>
  /** Called as soon as the shard runs. */
  readonly onStarted?: (shard: number) => void
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
}

export class OwnedShards {
  readonly #options: OwnedShardsOptions
  readonly #running = new Map<number, RunningShard>()
  /** Shards that are being acquired or handed over. */
  readonly #changing = new Set<number>()
  /** Those that another node has acquired before they ran here. */
  readonly #lostAtStart = new Map<number, Error>()

  constructor(options: OwnedShardsOptions) {
    this.#options = options
  }

  get(shard: number): RunningShard | undefined {
    return this.#running.get(shard)
  }

  get numbers(): readonly number[] {
    return [...this.#running.keys()]
  }

  /**
   * Returns false if another node owns it, or has acquired it before it ran here. Throws what the
   * store throws.
   */
  async acquire(shard: number): Promise<boolean> {
    return this.#change(shard, async () => {
      const store = this.#storeOf(shard)
      this.#lostAtStart.delete(shard)
      if (this.#running.has(shard) || !(await store.acquire())) return false
      try {
        this.#running.set(shard, await this.#options.start(store))
        const loss = this.#lostAtStart.get(shard)
        if (loss === undefined) this.#options.onStarted?.(shard)
        else await this.lose(shard, loss)
        return loss === undefined
      } catch (error) {
        await store.release(null).catch(() => undefined)
        throw error
      }
    })
  }

  /** Commits what is in the queue, then releases the shard for its successor. */
  async handOver(shard: number, successor: string | null): Promise<boolean> {
    return this.#change(shard, async () => {
      const running = this.#running.get(shard)
      if (running === undefined) return false
      this.#running.delete(shard)
      const ends = await Promise.allSettled([
        running.engine.handOver(),
        running.stop(handOverWaitMs),
      ])
      await this.#storeOf(shard).release(successor)
      for (const end of ends) if (end.status === 'rejected') throw end.reason
      return true
    })
  }

  /** Another node owns the shard. */
  async lose(shard: number, cause: Error): Promise<void> {
    const running = this.#running.get(shard)
    if (running === undefined) {
      if (this.#changing.has(shard)) this.#lostAtStart.set(shard, cause)
      return
    }
    this.#running.delete(shard)
    this.#options.log.warn('shard lost', { shard, error: cause.message })
    await Promise.all([running.engine.lose(), running.stop(0)])
  }

  /** For a process that is alone: refuses new commands, commits those in the queues. */
  async stop(): Promise<void> {
    const all = [...this.#running.values()]
    await Promise.all(all.flatMap((running) => [running.engine.stop(), running.stop()]))
  }

  /** The store has failed for good. */
  fail(error: Error): void {
    for (const { engine } of this.#running.values()) engine.fail(error)
  }

  #storeOf(shard: number): ShardStore {
    return this.#options.stores[shard]!
  }

  async #change(shard: number, change: () => Promise<boolean>): Promise<boolean> {
    if (this.#changing.has(shard)) return false
    this.#changing.add(shard)
    try {
      return await change()
    } finally {
      this.#changing.delete(shard)
    }
  }
}
