// The records of operators, API keys, categories and webhooks, and the brake on the exchange, which
// are independent of the books.

import type { FeeSchedule } from '../core/fee.ts'
import type { FeeRate } from '../core/money.ts'
import type { TradingMode } from '../core/words.ts'

/**
 * Each write is durable when its promise resolves, and returns the version of the registry that it
 * has made. It states the version that it was decided on, if any: it throws RegistryBehind, without
 * any effect, if another node has changed the registry since.
 */
export interface RegistryStore {
  readonly operators: Collection<OperatorRow>
  readonly keys: Collection<KeyRow>
  readonly categories: Collection<CategoryRow>
  readonly webhooks: Collection<WebhookRow>
  readonly brakes: Collection<BrakeRow>
  /** Adds an operator and its first key, or neither. */
  addOperator(operator: OperatorRow, key: KeyRow, decidedOn?: number): Promise<number>
  /** How many writes the registry has had. */
  version(): Promise<number>
  /** Null if they are no longer known, or too many: the registry must be read as a whole. */
  changesSince(version: number): Promise<RegistryChanges | null>
}

export type RegistryKind = 'operators' | 'keys' | 'categories' | 'webhooks' | 'brakes'

/** The records that have changed up to a version, as they are now. */
export type RegistryChanges = {
  readonly version: number
  readonly operators: readonly Changed<OperatorRow>[]
  readonly keys: readonly Changed<KeyRow>[]
  readonly categories: readonly Changed<CategoryRow>[]
  readonly webhooks: readonly Changed<WebhookRow>[]
  readonly brakes: readonly Changed<BrakeRow>[]
}

/** The row is null if it was deleted. */
export type Changed<Row> = { readonly id: string; readonly row: Row | null }

/** The write was decided on an earlier version of the registry, and was not stored. */
export class RegistryBehind extends Error {
  override readonly name = 'RegistryBehind'
  readonly decidedOn: number
  readonly version: number

  constructor(decidedOn: number, version: number) {
    super(`The registry is at version ${version}, the write was decided on ${decidedOn}.`)
    this.decidedOn = decidedOn
    this.version = version
  }
}

/** Few enough to be kept in memory by the registry, which reads them at its start. */
export interface Collection<Item extends { readonly id: string }> {
  all(): Promise<readonly Item[]>
  /** Adds a record, or replaces the one with the same id. */
  put(item: Item, decidedOn?: number): Promise<number>
  delete(id: string, decidedOn?: number): Promise<number>
}

export type OperatorRow = {
  readonly id: string
  /** How other rows refer to the operator: 1, 2, 3 ... */
  readonly number: number
  /** The shard with the records of the operator; it never changes. */
  readonly shard: number
  readonly name: string
  readonly supportedCurrencies: readonly string[]
  /** In hundredths of a percent; null for the default rate. */
  readonly feeRate: FeeRate | null
  /** null for feeRate in both roles. */
  readonly feeSchedule: FeeSchedule | null
  readonly isActive: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

export type KeyRow = {
  readonly id: string
  readonly operatorId: string
  readonly label: string | null
  readonly scopes: readonly string[]
  /** The first characters, for display. */
  readonly prefix: string
  /** HMAC-SHA-256 of the key in hexadecimal; the key itself is not stored. */
  readonly digest: string
  readonly expiresAt: number | null
  readonly createdAt: number
}

export type CategoryRow = {
  readonly id: string
  /** null for a global category. */
  readonly operatorId: string | null
  readonly name: string
  readonly slug: string
  readonly description: string | null
  readonly iconUrl: string | null
  readonly isActive: boolean
  readonly sortOrder: number
  readonly createdAt: number
}

/** The brake on the whole exchange; there is at most one. */
export type BrakeRow = {
  readonly id: string
  readonly mode: TradingMode
  readonly reason: string | null
  readonly until: number | null
  readonly cancelsOrders: boolean
  /** Counts its changes: 1, 2, 3 ... */
  readonly number: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** When deliveries that failed are attempted again. */
export const retrySchedules = ['STANDARD', 'LONG'] as const
export type RetrySchedule = (typeof retrySchedules)[number]

/** The form of the body of a delivery. */
export const webhookFormats = ['OUTCRY', 'CLOUDEVENTS'] as const
export type WebhookFormat = (typeof webhookFormats)[number]

export type WebhookRow = {
  readonly id: string
  readonly operatorId: string
  readonly url: string
  /** Encrypted; see registry. */
  readonly sealedSecret: string
  /** The secret before the last rotation, encrypted, while it is used beside the new one. */
  readonly previousSealedSecret: string | null
  readonly previousSecretUntil: number | null
  readonly events: readonly string[]
  readonly retrySchedule: RetrySchedule
  readonly format: WebhookFormat
  readonly isActive: boolean
  readonly description: string | null
  readonly createdAt: number
  readonly updatedAt: number
}
