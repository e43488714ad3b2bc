// The registry: operators, keys, categories and webhooks, all of them in memory. Whatever is
// written is durable before it is seen.

import type { OperatorRow, RegistryStore } from '../store/store.ts'
import { Categories } from './categories.ts'
import { Keys, scopes } from './keys.ts'
import { Operators } from './operators.ts'
import { RecordCache } from './record-cache.ts'
import { Seal, SealBroken } from './secrets-key.ts'
import { Webhooks } from './webhooks.ts'
import { Writes } from './write-queue.ts'

export type RegistryOptions = {
  readonly store: RegistryStore
  readonly now: () => number
  /** Seals webhook secrets and peppers key digests: 32 bytes, kept outside the database. */
  readonly secretKey: Uint8Array
  /** Tells the engine of a new or changed operator; awaited after the record is durable. */
  readonly onOperator: (operator: OperatorRow) => Promise<void>
  /** Tells whoever delivers or streams that an operator was made or changed. */
  readonly onOperatorChanged?: (id: string) => void
  /** Tells whoever streams that a key of that operator was revoked. */
  readonly onKeyRevoked?: (operatorId: string) => void
  /** Tells whoever delivers that a webhook was made, changed or deleted; awaited like the above. */
  readonly onWebhookChanged?: (id: string) => Promise<void>
  /** For development: webhooks may be plain http and lead to private addresses. */
  readonly allowInsecureWebhooks?: boolean
}

export class Registry {
  readonly operators: Operators
  readonly keys: Keys
  readonly categories: Categories
  readonly webhooks: Webhooks
  readonly #seal: Seal
  readonly #caches: ReturnType<typeof cachesOf>

  private constructor(options: RegistryOptions) {
    const { store, now, onOperator, allowInsecureWebhooks = false } = options
    const { onWebhookChanged = async () => undefined, onOperatorChanged = () => {} } = options
    const { onKeyRevoked = () => {} } = options
    const seal = new Seal(options.secretKey)
    const caches = cachesOf(store)
    const writes = new Writes(() => this.#read({ isStart: false }))
    const given = { writes, now, seal, operatorOf: (id: string) => this.operators.get(id) }
    this.#seal = seal
    this.#caches = caches
    this.keys = new Keys({ ...given, cache: caches.keys, onRevoked: onKeyRevoked })
    this.categories = new Categories({ ...given, cache: caches.categories })
    this.webhooks = new Webhooks({
      ...given,
      cache: caches.webhooks,
      allowInsecure: allowInsecureWebhooks,
      onChanged: onWebhookChanged,
    })
    const firstKey = { label: null, scopes, expiresAt: null }
    this.operators = new Operators({
      ...{ store, writes, now, onOperator },
      cache: caches.operators,
      onChanged: onOperatorChanged,
      makeKey: (operatorId) => this.keys.make(operatorId, firstKey),
      issueKey: (key) => this.keys.take(key),
    })
  }

  static async open(options: RegistryOptions): Promise<Registry> {
    const registry = new Registry(options)
    await registry.#read({ isStart: true })
    registry.#checkKey()
    return registry
  }

  /** All is read before anything is replaced: requests go on meanwhile. */
  async #read({ isStart }: { isStart: boolean }): Promise<void> {
    const caches = this.#caches
    const [operators, keys, categories, webhooks] = await Promise.all([
      caches.operators.stored(),
      caches.keys.stored(),
      caches.categories.stored(),
      caches.webhooks.stored(),
    ])
    await this.operators.fill(operators, { isStart })
    this.keys.fill(keys)
    caches.categories.fill(categories)
    await this.webhooks.fill(webhooks, { isStart })
  }

  /** With a wrong secrets key no API key would work, and nobody would see why. */
  #checkKey(): void {
    const { keys, webhooks } = this.#caches
    const digests = [...keys.all()].map(({ digest }) => this.#seal.named(digest))
    const secrets = [...webhooks.all()].map(({ sealedSecret }) => sealedSecret)
    if ([...digests, ...secrets].every((text) => this.#seal.hasMade(text))) return
    const { keyId } = this.#seal
    throw new SealBroken(`The stored secrets were sealed with another secrets key than ${keyId}.`)
  }
}

function cachesOf(store: RegistryStore) {
  const byOperator = <Owner>(row: { readonly operatorId: Owner }) => row.operatorId
  return {
    operators: new RecordCache(store.operators, () => null),
    keys: new RecordCache(store.keys, byOperator),
    categories: new RecordCache(store.categories, byOperator),
    webhooks: new RecordCache(store.webhooks, byOperator),
  }
}
