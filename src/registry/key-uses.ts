// When keys were last used. A use is noted in memory, and those of all keys are stored together, so
// that no request waits for it; the uses of a key within some minutes count as one.

import type { KeyUse, KeyUseStore } from '../store/store.ts'

export type KeyUsesOptions = {
  readonly store: KeyUseStore
  readonly now: () => number
  readonly onFailure: (error: unknown) => void
}

/** A key that is used all the time is written so often. */
export const noteEveryMs = 5 * 60_000
const writeEveryMs = 5_000
export const usesPerWriteMax = 200

export class KeyUses {
  readonly #options: KeyUsesOptions
  /** The latest, by key. */
  readonly #noted = new Map<string, number>()
  /** Those of them that are not stored yet. */
  readonly #waiting = new Map<string, number>()
  readonly #timer: NodeJS.Timeout
  #writing: Promise<void> = Promise.resolve()

  constructor(options: KeyUsesOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.write(), writeEveryMs).unref()
  }

  note(keyId: string): void {
    const now = this.#options.now()
    const last = this.#noted.get(keyId)
    if (last !== undefined && now - last < noteEveryMs) return
    this.#noted.set(keyId, now)
    this.#waiting.set(keyId, now)
  }

  /** By key, those of this process included; a key that was never used has none. */
  async of(
    keyIds: readonly string[],
    read: (keyIds: readonly string[]) => Promise<readonly KeyUse[]>,
  ): Promise<ReadonlyMap<string, number>> {
    const stored = await read(keyIds)
    const uses = new Map(stored.map(({ keyId, usedAt }) => [keyId, usedAt]))
    for (const keyId of keyIds) {
      const own = this.#noted.get(keyId)
      if (own !== undefined && own > (uses.get(keyId) ?? 0)) uses.set(keyId, own)
    }
    return uses
  }

  /** Stores what waits, one write after the other. What fails is stored with the next. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeWaiting())
    return this.#writing
  }

  /** Stores what waits for the last time. */
  stop(): Promise<void> {
    clearInterval(this.#timer)
    return this.write()
  }

  async #writeWaiting(): Promise<void> {
    const { store, now, onFailure } = this.#options
    const waiting = Array.from(this.#waiting, ([keyId, usedAt]) => ({ keyId, usedAt }))
    try {
      for (let at = 0; at < waiting.length; at += usesPerWriteMax) {
        const slice = waiting.slice(at, at + usesPerWriteMax)
        await store.save(slice)
        for (const { keyId, usedAt } of slice) {
          if (this.#waiting.get(keyId) === usedAt) this.#waiting.delete(keyId)
        }
      }
    } catch (error) {
      onFailure(error)
    }
    // Their next use is noted in any case.
    for (const [keyId, usedAt] of this.#noted) {
      if (now() - usedAt >= noteEveryMs && !this.#waiting.has(keyId)) this.#noted.delete(keyId)
    }
  }
}
