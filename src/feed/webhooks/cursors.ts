// The positions of webhooks in their event streams. Those that have changed are stored together, at
// most once a second, so that deliveries cost the store very little.

import type { Log } from '../../ops/log.ts'
import type { WebhookCursorStore } from '../../store/store.ts'
import type { CancelTimer, Timing } from '../timing.ts'

export type CursorPosition = { readonly webhookId: string; readonly finishedThrough: number }

export type CursorsOptions = {
  readonly store: WebhookCursorStore
  readonly timing: Timing
  readonly positions: () => Iterable<CursorPosition>
  readonly log: Pick<Log, 'warn'>
}

const everyMs = 1_000
const cursorsPerWriteMax = 500
const notStored = -1

export class Cursors {
  readonly #options: CursorsOptions
  readonly #stored = new Map<string, number>()
  #cancelTimer: CancelTimer | null = null
  #writing: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(options: CursorsOptions) {
    this.#options = options
  }

  /** The positions that are stored, by webhook. */
  async load(): Promise<ReadonlyMap<string, number>> {
    for (const { webhookId, eventSequence } of await this.#options.store.all()) {
      this.#stored.set(webhookId, eventSequence)
    }
    return this.#stored
  }

  start(): void {
    if (this.#isStopped) return
    this.#cancelTimer = this.#options.timing.after(everyMs, () => {
      this.#writing = this.#write().finally(() => this.start())
    })
  }

  /** Stores the first position of a webhook at once. */
  async create(webhookId: string, eventSequence: number): Promise<void> {
    // If this fails, the next periodic write stores it.
    this.#stored.set(webhookId, notStored)
    await this.#options.store.save([{ webhookId, eventSequence }])
    this.#stored.set(webhookId, eventSequence)
  }

  async delete(webhookId: string): Promise<void> {
    if (!this.#stored.delete(webhookId)) return
    await this.#options.store.delete(webhookId)
  }

  /** Stores all positions for the last time. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelTimer?.()
    await this.#writing
    await this.#write()
  }

  async #write(): Promise<void> {
    const { store, positions, log } = this.#options
    try {
      const changed = [...positions()]
        .map(({ webhookId, finishedThrough }) => ({ webhookId, eventSequence: finishedThrough }))
        .filter(({ webhookId, eventSequence }) => this.#stored.get(webhookId) !== eventSequence)
      for (let at = 0; at < changed.length; at += cursorsPerWriteMax) {
        // Some may have been deleted since the last write.
        const slice = changed
          .slice(at, at + cursorsPerWriteMax)
          .filter(({ webhookId }) => this.#stored.has(webhookId))
        await store.save(slice)
        for (const { webhookId, eventSequence } of slice) this.#stored.set(webhookId, eventSequence)
      }
    } catch (error) {
      // The next write is in a second. After a restart before that, some events are sent again.
      log.warn('webhook cursors not stored', { error })
    }
  }
}
