// The registry: operators, keys, categories and webhooks, all of them in memory. A change becomes
// visible once it is durable.

import type { BrakeRow, Changed, OperatorRow, RegistryStore } from '../store/store.ts'
import { Brakes } from './brakes.ts'
import { Categories } from './categories.ts'
import { Keys, scopes } from './keys.ts'
import { Operators } from './operators.ts'
import { RecordCache } from './record-cache.ts'
import { DecryptionError, SecretsKey } from './secrets-key.ts'
import { VersionedStore } from './versioned-store.ts'
import { sealedSecretsOf } from './webhook-secrets.ts'
import { Webhooks } from './webhooks.ts'
import { WriteQueue } from './write-queue.ts'

export type RegistryOptions = {
  readonly store: RegistryStore
  readonly now: () => number
  /** How many shards the store has; 1 by default. */
  readonly shardCount?: number
  /** Encrypts webhook secrets and peppers key digests: 32 bytes, kept outside the database. */
  readonly secretKey: Uint8Array
  /** For the engine: awaited when an operator is durable, before it becomes visible. */
  readonly onOperatorStored: (operator: OperatorRow) => Promise<void>
  /** For the engines: the brake on the exchange was changed. */
  readonly onBrakeStored?: (brake: BrakeRow) => void
  /** For development: webhooks may use http, private addresses and any port. */
  readonly allowInsecureWebhooks?: boolean
}

/** Called when a change is durable and visible. */
export type RegistryListeners = {
  /** An operator was created or changed. */
  readonly onOperatorChanged: (id: string) => void
  readonly onKeyRevoked: (operatorId: string) => void
  /** A webhook was created, changed or deleted. Awaited. */
  readonly onWebhookChanged: (id: string) => Promise<void>
  /** A write made this version of the registry. Awaited before the write is answered. */
  readonly onWritten: (version: number) => Promise<void>
}

export class Registry {
  readonly operators: Operators
  readonly keys: Keys
  readonly categories: Categories
  readonly webhooks: Webhooks
  readonly brakes: Brakes
  readonly #secretsKey: SecretsKey
  readonly #store: RegistryStore
  readonly #versioned: VersionedStore
  readonly #caches: ReturnType<typeof cachesOf>
  readonly #writes: WriteQueue
  #listeners: Partial<RegistryListeners> = {}

  private constructor(options: RegistryOptions) {
    const { store, now, shardCount = 1, onOperatorStored, allowInsecureWebhooks = false } = options
    const { onBrakeStored = () => undefined } = options

    const secretsKey = new SecretsKey(options.secretKey)
    const versioned = new VersionedStore(store)
    const caches = cachesOf(versioned)
    const writes = new WriteQueue({
      reload: () => this.#read({ isStart: false }),
      catchUp: () => this.#catchUp(),
      version: () => versioned.version,
      onWritten: async (version) => this.#listeners.onWritten?.(version),
    })
    const shared = { writes, now, secretsKey, operatorOf: (id: string) => this.operators.get(id) }
    this.#secretsKey = secretsKey
    this.#store = store
    this.#versioned = versioned
    this.#caches = caches
    this.#writes = writes
    this.keys = new Keys({
      ...shared,
      cache: caches.keys,
      onRevoked: (operatorId) => this.#listeners.onKeyRevoked?.(operatorId),
    })
    this.categories = new Categories({ ...shared, cache: caches.categories })
    this.webhooks = new Webhooks({
      ...shared,
      cache: caches.webhooks,
      allowInsecure: allowInsecureWebhooks,
      onChanged: async (id) => this.#listeners.onWebhookChanged?.(id),
    })
    this.brakes = new Brakes({ cache: caches.brakes, writes, now, onChanged: onBrakeStored })
    const firstKey = { label: null, scopes, expiresAt: null }
    this.operators = new Operators({
      store: versioned,
      writes,
      now,
      shardCount,
      onStored: onOperatorStored,
      cache: caches.operators,
      onChanged: (id) => this.#listeners.onOperatorChanged?.(id),
      makeKey: (operatorId) => this.keys.make(operatorId, firstKey),
      addKey: (key) => this.keys.putInMemory(key),
    })
  }

  static async open(options: RegistryOptions): Promise<Registry> {
    const registry = new Registry(options)
    await registry.#writes.start(() => registry.#read({ isStart: true }))
    registry.#checkKey()
    return registry
  }

  listen(listeners: Partial<RegistryListeners>): void {
    this.#listeners = listeners
  }

  /** The version that is in memory. */
  get version(): number {
    return this.#writes.seen
  }

  /** Applies what other nodes have changed. */
  refresh(): Promise<void> {
    return this.#writes.refresh()
  }

  async #catchUp(): Promise<void> {
    const changes = await this.#store.changesSince(this.#versioned.version)
    if (changes === null) {
      await this.#read({ isStart: false })
      return
    }
    for (const { row } of changes.operators) if (row !== null) await this.operators.show(row)
    for (const change of changes.keys) this.keys.apply(change)
    for (const change of changes.categories) applyTo(this.#caches.categories, change)
    for (const change of changes.webhooks) await this.webhooks.apply(change)
    for (const { row } of changes.brakes) if (row !== null) this.brakes.show(row)
    this.#versioned.version = changes.version
  }

  /**
   * Reads everything before it replaces anything, because requests are served meanwhile. What is
   * written by other nodes during the reads is applied again with the changes past the version.
   */
  async #read({ isStart }: { isStart: boolean }): Promise<void> {
    const caches = this.#caches
    const version = await this.#store.version()
    const [operators, keys, categories, webhooks, brakes] = await Promise.all([
      caches.operators.readStored(),
      caches.keys.readStored(),
      caches.categories.readStored(),
      caches.webhooks.readStored(),
      caches.brakes.readStored(),
    ])
    await this.operators.replaceAll(operators, { isStart })
    this.keys.replaceAll(keys)
    caches.categories.replaceAll(categories)
    await this.webhooks.replaceAll(webhooks, { isStart })
    this.brakes.replaceAll(brakes, { isStart })
    this.#versioned.version = version
  }

  /** With a wrong secrets key every API key would be rejected without a visible reason. */
  #checkKey(): void {
    const { keys, webhooks } = this.#caches
    const digests = [...keys.all()].map(({ digest }) => this.#secretsKey.withKeyId(digest))
    const secrets = [...webhooks.all()].flatMap(sealedSecretsOf)
    if ([...digests, ...secrets].every((text) => this.#secretsKey.hasMade(text))) return
    const { keyId } = this.#secretsKey
    throw new DecryptionError(`stored secrets were not encrypted with secrets key ${keyId}`)
  }
}

function applyTo<Row extends { readonly id: string; readonly createdAt: number }>(
  cache: RecordCache<Row>,
  { id, row }: Changed<Row>,
): void {
  const known = cache.get(id)
  if (row !== null) cache.putInMemory(row)
  else if (known !== undefined) cache.deleteInMemory(known)
}

function cachesOf(store: VersionedStore) {
  const byOperator = <Owner>(row: { readonly operatorId: Owner }) => row.operatorId
  return {
    operators: new RecordCache(store.operators, () => null),
    keys: new RecordCache(store.keys, byOperator),
    categories: new RecordCache(store.categories, byOperator),
    webhooks: new RecordCache(store.webhooks, byOperator),
    brakes: new RecordCache(store.brakes, () => null),
  }
}
