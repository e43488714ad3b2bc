// API keys: who may call, and what for. Only a digest of a key is kept.

import { hash, timingSafeEqual } from 'node:crypto'
import type { KeyRow, OperatorRow } from '../store/store.ts'
import { isKeyText, newKeyText, prefixLength } from './key-text.ts'
import type { RecordCache } from './record-cache.ts'
import { invalid, keyNotFound, operatorNotFound, quoted, type RegistryReject } from './reject.ts'
import type { Seal } from './secrets-key.ts'
import { nameLengthMax, textFault } from './text-checks.ts'
import { newUuid } from './uuid.ts'
import type { Writes } from './write-queue.ts'

/** None includes another. */
export const scopes = ['read', 'trade', 'manage'] as const
export type Scope = (typeof scopes)[number]

export type NewKey = {
  readonly label: string | null
  readonly scopes: readonly string[]
  /** Unix milliseconds; null for never. */
  readonly expiresAt: number | null
}
export type MadeKey = { readonly key: KeyRow; readonly apiKey: string }

export type KeysOptions = {
  readonly cache: RecordCache<KeyRow>
  readonly writes: Writes
  readonly now: () => number
  readonly seal: Seal
  readonly operatorOf: (id: string) => OperatorRow | undefined
  /** Whoever asks from now on finds that the key is gone. */
  readonly onRevoked: (operatorId: string) => void
}

export const keysMax = 100
// An HMAC takes four times as long as a plain hash (6.4 and 1.7 us), and callers come back.
const recentMax = 4_096
const timeMax = 2 ** 48 - 1

export class Keys {
  readonly #options: KeysOptions
  readonly #byDigest = new Map<string, KeyRow>()
  /** Keys that were let in since keys last changed, by a plain hash of their text. */
  readonly #recent = new Map<string, KeyRow>()

  constructor(options: KeysOptions) {
    this.#options = options
  }

  /** The key is shown here and never again. */
  async create(operatorId: string, wanted: NewKey): Promise<MadeKey | RegistryReject> {
    const { cache, writes, now, operatorOf } = this.#options
    const fault = faultOf(wanted, now())
    if (fault !== null) return fault
    return writes.run(async () => {
      if (operatorOf(operatorId) === undefined) return operatorNotFound
      if (cache.countOf(operatorId) >= keysMax) {
        return invalid('keys', `the operator has ${keysMax} keys already; delete one first.`)
      }
      const made = this.make(operatorId, wanted)
      await cache.put(made.key)
      this.take(made.key)
      return made
    })
  }

  /** Newest first; those that have expired too. */
  list(operatorId: string): readonly KeyRow[] | RegistryReject {
    const { cache, operatorOf } = this.#options
    return operatorOf(operatorId) === undefined ? operatorNotFound : cache.of(operatorId)
  }

  async revoke(operatorId: string, keyId: string): Promise<KeyRow | RegistryReject> {
    const { cache, writes, operatorOf, onRevoked } = this.#options
    return writes.run(async () => {
      if (operatorOf(operatorId) === undefined) return operatorNotFound
      const key = cache.get(keyId)
      if (key === undefined || key.operatorId !== operatorId) return keyNotFound
      await cache.delete(key)
      this.#byDigest.delete(this.#options.seal.named(key.digest))
      this.#recent.clear()
      onRevoked(operatorId)
      return key
    })
  }

  /** null for a key that is unknown, revoked or expired; the caller checks isActive and scope. */
  authenticate(apiKey: string): { readonly operator: OperatorRow; readonly key: KeyRow } | null {
    const key = this.#find(apiKey)
    if (key === undefined) return null
    if (key.expiresAt !== null && key.expiresAt <= this.#options.now()) return null
    const operator = this.#options.operatorOf(key.operatorId)
    return operator === undefined ? null : { operator, key }
  }

  #find(apiKey: string): KeyRow | undefined {
    if (apiKey.length > keyLengthMax) return undefined
    const mark = hash('sha256', apiKey)
    const recent = this.#recent.get(mark)
    if (recent !== undefined) return recent
    if (!isKeyText('live', apiKey)) return undefined
    const digest = this.#options.seal.digestOf(apiKey)
    const key = this.#byDigest.get(digest)
    if (key === undefined || !isSame(this.#options.seal.named(key.digest), digest)) return undefined
    if (this.#recent.size >= recentMax) this.#recent.clear()
    this.#recent.set(mark, key)
    return key
  }

  /** Stored nowhere yet. */
  make(operatorId: string, wanted: NewKey): MadeKey {
    const createdAt = this.#options.now()
    const apiKey = newKeyText('live')
    const key: KeyRow = {
      id: newUuid(createdAt),
      operatorId,
      label: wanted.label,
      scopes: [...wanted.scopes],
      prefix: apiKey.slice(0, prefixLength),
      digest: this.#options.seal.digestOf(apiKey),
      expiresAt: wanted.expiresAt,
      createdAt,
    }
    return { key, apiKey }
  }

  /** Into memory alone: it is stored already. */
  take(key: KeyRow): void {
    this.#options.cache.take(key)
    this.#byDigest.set(this.#options.seal.named(key.digest), key)
  }

  /** Forgets what it has and takes these. */
  fill(rows: readonly KeyRow[]): void {
    this.#options.cache.fill(rows)
    this.#recent.clear()
    this.#byDigest.clear()
    for (const row of rows) this.#byDigest.set(this.#options.seal.named(row.digest), row)
  }
}

const keyLengthMax = 64

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

function faultOf(wanted: NewKey, now: number): RegistryReject | null {
  return (
    textFault('label', wanted.label, nameLengthMax) ??
    scopesFault(wanted.scopes) ??
    expiryFault(wanted.expiresAt, now)
  )
}

function scopesFault(wanted: readonly string[]): RegistryReject | null {
  if (wanted.length === 0) return invalid('scopes', `name at least one of ${scopes.join(', ')}.`)
  const wrong = wanted.find((scope) => !scopes.some((known) => known === scope))
  if (wrong !== undefined) {
    return invalid('scopes', `${quoted(wrong)} is not one of ${scopes.join(', ')}.`)
  }
  const twice = wanted.find((scope, at) => wanted.indexOf(scope) !== at)
  return twice === undefined ? null : invalid('scopes', `${quoted(twice)} is there twice.`)
}

function expiryFault(expiresAt: number | null, now: number): RegistryReject | null {
  if (expiresAt === null) return null
  const isTime = Number.isSafeInteger(expiresAt) && expiresAt > now && expiresAt <= timeMax
  return isTime ? null : invalid('expiresAt', 'it is not in the future.')
}
