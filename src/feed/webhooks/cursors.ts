// Keeps where webhooks stand: those that have moved are stored together, once a second at most, so
// that deliveries cost the store next to nothing.

import type { Log } from '../../ops/log.ts'
import type { WebhookCursorStore } from '../../store/store.ts'
import type { CallOff, Timing } from '../timing.ts'

/** Who stands somewhere. */
export type Standing = { readonly webhookId: string; readonly finishedThrough: number }

export type CursorsOptions = {
  readonly store: WebhookCursorStore
  readonly timing: Timing
  readonly standing: () => Iterable<Standing>
  readonly log: Pick<Log, 'warn'>
}

const everyMs = 1_000
const cursorsPerWriteMax = 500
const notStored = -1

export class Cursors {
  readonly #options: CursorsOptions
  readonly #stored = new Map<string, number>()
  #callOff: CallOff | null = null
  #writing: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(options: CursorsOptions) {
    this.#options = options
  }

  /** What a run before this one has left. */
  async load(): Promise<ReadonlyMap<string, number>> {
    for (const { webhookId, sequence } of await this.#options.store.all()) {
      this.#stored.set(webhookId, sequence)
    }
    return this.#stored
  }

  start(): void {
    if (this.#isStopped) return
    this.#callOff = this.#options.timing.after(everyMs, () => {
      this.#writing = this.#write().finally(() => this.start())
    })
  }

  /** At once, for a webhook that begins. */
  async begin(webhookId: string, sequence: number): Promise<void> {
    // If this fails, the next write of all finds that it is not stored.
    this.#stored.set(webhookId, notStored)
    await this.#options.store.save([{ webhookId, sequence }])
    this.#stored.set(webhookId, sequence)
  }

  async forget(webhookId: string): Promise<void> {
    if (!this.#stored.delete(webhookId)) return
    await this.#options.store.delete(webhookId)
  }

  /** Stores where all stand now, for the last time. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#callOff?.()
    await this.#writing
    await this.#write()
  }

  async #write(): Promise<void> {
    const { store, standing, log } = this.#options
    const moved = [...standing()]
      .map(({ webhookId, finishedThrough }) => ({ webhookId, sequence: finishedThrough }))
      .filter(({ webhookId, sequence }) => this.#stored.get(webhookId) !== sequence)
    try {
      for (let at = 0; at < moved.length; at += cursorsPerWriteMax) {
        // Some may have been forgotten since the last slice.
        const slice = moved
          .slice(at, at + cursorsPerWriteMax)
          .filter(({ webhookId }) => this.#stored.has(webhookId))
        await store.save(slice)
        for (const { webhookId, sequence } of slice) this.#stored.set(webhookId, sequence)
      }
    } catch (error) {
      // What is not stored is delivered again after a restart, and tried again in a second.
      log.warn('webhook cursors not stored', { error })
    }
  }
}
