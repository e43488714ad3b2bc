// Deletes expired events and old turns from the store: every hour, in small slices, with pauses in
// which the store's writer is free: with SQLite, it brings turns into the tables, and reads wait.

import type { Log } from '../ops/log.ts'
import type { ShardStore } from '../store/store.ts'
import type { CancelTimer, Timing } from './timing.ts'

export type RetentionOptions = {
  readonly store: Pick<ShardStore, 'prune'>
  readonly timing: Timing
  readonly eventRetentionMs: number
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly metrics: { pruned(slices: number): void }
}

/** Reads may wait for a running slice: 17 ms on two busy cores; 5,000 rows would take 52 ms. */
export const rowsPerSliceMax = 1_000
const pauseMinMs = 20
/** A pause is four times as long as its slice: the writer is busy at most a fifth of the time. */
const pausePerSlice = 4
const firstAfterMs = 10_000
const everyMs = 3_600_000
/** A row per turn shows whether its commit succeeded; kept for a day even if events are not. */
const batchesKeptMinMs = 86_400_000

export class Retention {
  readonly #options: RetentionOptions
  #cancelTimer: CancelTimer | null = null
  #running: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(options: RetentionOptions) {
    this.#options = options
  }

  start(): void {
    this.#next(firstAfterMs)
  }

  /** Waits for the running slice. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelTimer?.()
    await this.#running
  }

  #next(ms: number): void {
    if (this.#isStopped) return
    this.#cancelTimer = this.#options.timing.after(ms, () => {
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
      // The disk may be full, or the service is stopping. The next run deletes the rest.
      log.warn('expired events not deleted', { error })
    }
    this.#next(everyMs)
  }

  async #pruneAll(): Promise<number> {
    const { store, timing, eventRetentionMs } = this.#options
    const now = timing.now()
    const request = {
      eventsBefore: now - eventRetentionMs,
      batchesBefore: now - Math.max(eventRetentionMs, batchesKeptMinMs),
      attemptsBefore: timing.wall() - eventRetentionMs,
      atMost: rowsPerSliceMax,
    }
    for (let slices = 1; ; slices += 1) {
      const startedAt = performance.now()
      const { hasMore } = await store.prune(request)
      if (!hasMore || this.#isStopped) return slices
      const tookMs = performance.now() - startedAt
      await this.#pause(Math.max(pauseMinMs, tookMs * pausePerSlice))
      if (this.#isStopped) return slices
    }
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancelTimer = this.#options.timing.after(ms, resolve)
      // A stop does not wait for the end of a pause.
      this.#cancelTimer = () => {
        cancelTimer()
        resolve()
      }
    })
  }
}
