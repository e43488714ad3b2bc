// API keys: authentication, scopes and expiry. Only a digest of a key is stored.

import { hash, timingSafeEqual } from 'node:crypto'
import type { Changed, KeyRow, OperatorRow } from '../store/store.ts'
import { isKeyText, newKeyText, prefixLength } from './key-text.ts'
import type { RecordCache } from './record-cache.ts'
import { invalid, keyNotFound, operatorNotFound, quoted, type RegistryReject } from './reject.ts'
import type { SecretsKey } from './secrets-key.ts'
import { checkText, nameLengthMax } from './text-checks.ts'
import { newUuid } from './uuid.ts'
import type { WriteQueue } from './write-queue.ts'

/** No scope includes another. */
export const scopes = ['read', 'trade', 'manage'] as const
export type Scope = (typeof scopes)[number]

export type NewKey = {
  readonly label: string | null
  readonly scopes: readonly string[]
  /** Unix milliseconds; null for never. */
  readonly expiresAt: number | null
}
export type CreatedKey = { readonly key: KeyRow; readonly apiKey: string }

export type KeysOptions = {
  readonly cache: RecordCache<KeyRow>
  readonly writes: WriteQueue
  readonly now: () => number
  readonly secretsKey: SecretsKey
  readonly operatorOf: (id: string) => OperatorRow | undefined
  /** Called when the key is no longer accepted. */
  readonly onRevoked: (operatorId: string) => void
}

export const keysMax = 100
// An HMAC takes four times as long as a plain hash (6.4 and 1.7 us), and most keys are used again.
const recentMax = 4_096
const timeMax = 2 ** 48 - 1

export class Keys {
  readonly #options: KeysOptions
  readonly #byDigest = new Map<string, KeyRow>()
  /** Keys that were accepted since the last revocation, by a plain hash of their text. */
  readonly #recent = new Map<string, KeyRow>()

  constructor(options: KeysOptions) {
    this.#options = options
  }

  /** Only this answer contains the key itself. */
  async create(
    operatorId: string,
    wanted: NewKey & { readonly id?: string | undefined },
  ): Promise<CreatedKey | RegistryReject> {
    const { cache, writes, now, operatorOf } = this.#options
    const reject = check(wanted, now())
    if (reject !== null) return reject
    return writes.run(async () => {
      if (operatorOf(operatorId) === undefined) return operatorNotFound
      // An earlier attempt may have made a key before a crash; no caller has received it.
      const known = wanted.id === undefined ? undefined : cache.get(wanted.id)
      if (known === undefined && cache.countOf(operatorId) >= keysMax) {
        return invalid('keys', `the operator already has ${keysMax} keys, the maximum`)
      }
      const made = this.make(operatorId, wanted)
      await cache.put(made.key)
      if (known !== undefined) this.#forget(known)
      this.putInMemory(made.key)
      return made
    })
  }

  /** Newest first, expired keys included. */
  list(operatorId: string): readonly KeyRow[] | RegistryReject {
    const { cache, operatorOf } = this.#options
    return operatorOf(operatorId) === undefined ? operatorNotFound : cache.of(operatorId)
  }

  async revoke(operatorId: string, keyId: string): Promise<KeyRow | RegistryReject> {
    const { cache, writes, operatorOf } = this.#options
    return writes.run(async () => {
      if (operatorOf(operatorId) === undefined) return operatorNotFound
      const key = cache.get(keyId)
      if (key === undefined || key.operatorId !== operatorId) return keyNotFound
      await cache.delete(key)
      this.#forget(key)
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
    const digest = this.#options.secretsKey.digestOf(apiKey)
    const key = this.#byDigest.get(digest)
    if (key === undefined || !isSame(this.#options.secretsKey.withKeyId(key.digest), digest))
      return undefined
    if (this.#recent.size >= recentMax) this.#recent.clear()
    this.#recent.set(mark, key)
    return key
  }

  /** A new key, not stored yet. */
  make(operatorId: string, wanted: NewKey & { readonly id?: string | undefined }): CreatedKey {
    const createdAt = this.#options.now()
    const apiKey = newKeyText('live')
    const key: KeyRow = {
      id: wanted.id ?? newUuid(createdAt),
      operatorId,
      label: wanted.label,
      scopes: [...wanted.scopes],
      prefix: apiKey.slice(0, prefixLength),
      digest: this.#options.secretsKey.digestOf(apiKey),
      expiresAt: wanted.expiresAt,
      createdAt,
    }
    return { key, apiKey }
  }

  /** For a key that is stored already. */
  putInMemory(key: KeyRow): void {
    this.#options.cache.putInMemory(key)
    this.#byDigest.set(this.#options.secretsKey.withKeyId(key.digest), key)
  }

  /** For a change that is stored already. */
  apply({ id, row }: Changed<KeyRow>): void {
    const known = this.#options.cache.get(id)
    if (row !== null) this.putInMemory(row)
    else if (known !== undefined) {
      this.#options.cache.deleteInMemory(known)
      this.#forget(known)
    }
  }

  /** Replaces what is in memory, and reports the keys that are gone. */
  replaceAll(rows: readonly KeyRow[]): void {
    const { cache, onRevoked } = this.#options
    const known = [...cache.all()]
    cache.replaceAll(rows)
    this.#recent.clear()
    this.#byDigest.clear()
    for (const row of rows) this.#byDigest.set(this.#options.secretsKey.withKeyId(row.digest), row)
    const gone = known.filter(({ id }) => cache.get(id) === undefined)
    for (const operatorId of new Set(gone.map((key) => key.operatorId))) onRevoked(operatorId)
  }

  #forget({ digest, operatorId }: KeyRow): void {
    this.#byDigest.delete(this.#options.secretsKey.withKeyId(digest))
    this.#recent.clear()
    this.#options.onRevoked(operatorId)
  }
}

const keyLengthMax = 64

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

function check(wanted: NewKey, now: number): RegistryReject | null {
  return (
    checkText('label', wanted.label, nameLengthMax) ??
    checkScopes(wanted.scopes) ??
    checkExpiry(wanted.expiresAt, now)
  )
}

function checkScopes(wanted: readonly string[]): RegistryReject | null {
  if (wanted.length === 0) {
    return invalid('scopes', `must have at least one of ${scopes.join(', ')}`)
  }
  const wrong = wanted.find((scope) => !scopes.some((known) => known === scope))
  if (wrong !== undefined) {
    return invalid('scopes', `${quoted(wrong)} is not one of ${scopes.join(', ')}`)
  }
  const twice = wanted.find((scope, at) => wanted.indexOf(scope) !== at)
  return twice === undefined ? null : invalid('scopes', `duplicate scope ${quoted(twice)}`)
}

function checkExpiry(expiresAt: number | null, now: number): RegistryReject | null {
  if (expiresAt === null) return null
  const isTime = Number.isSafeInteger(expiresAt) && expiresAt > now && expiresAt <= timeMax
  return isTime ? null : invalid('expiresAt', 'must be in the future')
}
