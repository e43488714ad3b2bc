// When API keys were last used. Many processes note it, each a while after the use.

export interface KeyUseStore {
  /** All of them or none. A use is replaced by a later one only; a key that is gone has none. */
  save(uses: readonly KeyUse[]): Promise<void>
}

export type KeyUse = {
  readonly keyId: string
  /** Unix milliseconds. */
  readonly usedAt: number
}
