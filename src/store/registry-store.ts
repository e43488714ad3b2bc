// What is kept of operators, keys, categories and webhooks: records that touch no book.

import type { FeeRate } from '../core/money.ts'

/** Records that touch no book. Each write is durable when its promise resolves. */
export interface RegistryStore {
  readonly operators: Collection<OperatorRow>
  readonly keys: Collection<KeyRow>
  readonly categories: Collection<CategoryRow>
  readonly webhooks: Collection<WebhookRow>
  /** Operator with its first key: both or neither. */
  addOperator(operator: OperatorRow, key: KeyRow): Promise<void>
}

/** Few enough to be kept in memory by whoever owns them: read whole at start, then written. */
export interface Collection<Item extends { readonly id: string }> {
  all(): Promise<readonly Item[]>
  /** Adds it, or replaces the one with its id. */
  put(item: Item): Promise<void>
  delete(id: string): Promise<void>
}

export type OperatorRow = {
  readonly id: string
  /** What rows call it by; 1, 2, 3 ... */
  readonly number: number
  readonly name: string
  readonly supportedCurrencies: readonly string[]
  /** In hundredths of a percent; null for the exchange's own. */
  readonly feeRate: FeeRate | null
  readonly isActive: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

export type KeyRow = {
  readonly id: string
  readonly operatorId: string
  readonly label: string | null
  readonly scopes: readonly string[]
  /** The first characters, to tell keys apart. */
  readonly prefix: string
  /** HMAC-SHA-256 of the key in hexadecimal; the key itself is kept nowhere. */
  readonly digest: string
  readonly expiresAt: number | null
  readonly createdAt: number
}

export type CategoryRow = {
  readonly id: string
  /** null for a global one. */
  readonly operatorId: string | null
  readonly name: string
  readonly slug: string
  readonly description: string | null
  readonly iconUrl: string | null
  readonly isActive: boolean
  readonly sortOrder: number
  readonly createdAt: number
}

export type WebhookRow = {
  readonly id: string
  readonly operatorId: string
  readonly url: string
  /** Encrypted; see registry. */
  readonly sealedSecret: string
  readonly events: readonly string[]
  readonly isActive: boolean
  readonly description: string | null
  readonly createdAt: number
  readonly updatedAt: number
}
