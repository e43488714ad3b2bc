// The audit log: who has carried out which act of management or administration. An act is noted
// before it is carried out and marked once it is done, so that none that was done is missing.

export interface AuditStore {
  /** All of the changes or none. Durable when it resolves; may be repeated. */
  write(changes: readonly AuditChange[]): Promise<void>
  /** Deletes the oldest entries from before this time, at most so many. */
  prune(before: number, atMost: number): Promise<{ readonly hasMore: boolean }>
}

export type AuditChange =
  /** Before the act. */
  | { readonly kind: 'NOTE'; readonly entry: AuditEntry }
  /** The act was carried out. */
  | ({ readonly kind: 'DONE'; readonly id: string } & Concerned)
  /** Nothing was carried out. */
  | { readonly kind: 'REMOVE'; readonly id: string }

/** What an act concerns; of a record that it creates, the ids are known once it is done. */
export type Concerned = {
  /** That of the key, or the one that an act of the administrator is about; null for none. */
  readonly operatorId: string | null
  readonly targetId: string | null
}

export type AuditEntry = Concerned & {
  /** A version 7 UUID of createdAt: entries are sorted by it. */
  readonly id: string
  /** Unix milliseconds. */
  readonly createdAt: number
  /** null for the administrator. */
  readonly keyId: string | null
  /** As it was then. */
  readonly keyLabel: string | null
  /** The operation id of the route. */
  readonly action: string
  readonly reason: string | null
  readonly requestId: string
}

export type AuditRow = AuditEntry & {
  /** false while the act is under way, or if it is not known whether it was carried out. */
  readonly isDone: boolean
}

/** null for any. */
export type AuditQuery = {
  readonly operatorId: string | null
  readonly keyId: string | null
  readonly action: string | null
  readonly targetId: string | null
  /** Unix milliseconds: from this time on. */
  readonly from: number | null
  /** Before this time. */
  readonly to: number | null
  /** The id of the last entry of the previous page. */
  readonly after: string | null
  readonly limit: number
}
