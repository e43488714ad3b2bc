// Lets go of events that have expired, and of old turns: every hour, a small slice at a time, with
// pauses that leave the writer of the store to the orders.

import type { Log } from '../ops/log.ts'
import type { ShardStore } from '../store/store.ts'
import type { CallOff, Timing } from './timing.ts'

export type RetentionOptions = {
  readonly shard: Pick<ShardStore, 'prune'>
  readonly timing: Timing
  readonly eventRetentionMs: number
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly metrics: { pruned(slices: number): void }
}

/** An order that comes during a slice waits for it: 17 ms on two busy cores, 5,000 rows 52 ms. */
export const rowsPerSliceMax = 1_000
const pauseMinMs = 20
/** The writer is busy with this at most a fifth of the time. */
const pausePerSlice = 4
const firstAfterMs = 10_000
const everyMs = 3_600_000
/** Turns prove what was stored; they are kept a day, however short events are kept. */
const batchesKeptMinMs = 86_400_000

export class Retention {
  readonly #options: RetentionOptions
  #callOff: CallOff | null = null
  #running: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(options: RetentionOptions) {
    this.#options = options
  }

  start(): void {
    this.#next(firstAfterMs)
  }

  /** Waits for the slice under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#callOff?.()
    await this.#running
  }

  #next(ms: number): void {
    if (this.#isStopped) return
    this.#callOff = this.#options.timing.after(ms, () => {
      this.#running = this.#run()
    })
  }

  async #run(): Promise<void> {
    const { log, metrics, timing } = this.#options
    const startedAt = timing.now()
    try {
      const slices = await this.#pruneAll()
      metrics.pruned(slices)
      log.info('expired events deleted', { slices, elapsedMs: timing.now() - startedAt })
    } catch (error) {
      // A full disk, or the end of the service: what is left is found by the next run.
      log.warn('expired events not deleted', { error })
    }
    this.#next(everyMs)
  }

  async #pruneAll(): Promise<number> {
    const { shard, timing, eventRetentionMs } = this.#options
    const now = timing.now()
    const ask = {
      eventsBefore: now - eventRetentionMs,
      batchesBefore: now - Math.max(eventRetentionMs, batchesKeptMinMs),
      atMost: rowsPerSliceMax,
    }
    for (let slices = 1; ; slices += 1) {
      const startedAt = performance.now()
      const { hasMore } = await shard.prune(ask)
      if (!hasMore || this.#isStopped) return slices
      const tookMs = performance.now() - startedAt
      await this.#pause(Math.max(pauseMinMs, tookMs * pausePerSlice))
      if (this.#isStopped) return slices
    }
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const callOff = this.#options.timing.after(ms, resolve)
      // A stop does not wait for the end of a pause.
      this.#callOff = () => {
        callOff()
        resolve()
      }
    })
  }
}
