// The interface of a store, for any database. Every shard has one writer and tables of its own; all
// of them share the registry. Reads return committed records.

import type { Serial } from '../core/ids.ts'
import type { Records } from '../core/snapshot/records.ts'
import type { AuditStore } from './audit-store.ts'
import type { KeptAnswerStore } from './kept-answer-store.ts'
import type { KeyUseStore } from './key-use-store.ts'
import type { NodeAbout, NodeStore } from './node-store.ts'
import type { ReadCaller } from './read-caller.ts'
import type { RecordStore } from './record-store.ts'
import type { RegistryStore } from './registry-store.ts'
import type { ShardDirectory } from './shard-directory.ts'
import type { WebhookCursorStore } from './webhook-cursor-store.ts'
import type { WebhookLogStore } from './webhook-log-store.ts'

export type * from './audit-store.ts'
export { dayMs } from './daily-totals.ts'
export { eventFormOf } from './engine-version.ts'
export type * from './kept-answer-store.ts'
export type * from './key-use-store.ts'
export type * from './node-store.ts'
export { nodeAliveMs } from './node-store.ts'
export type * from './read-caller.ts'
export type * from './record-store.ts'
export { countedMax, marketSorts } from './record-store.ts'
export type * from './registry-store.ts'
export { RegistryBehind, retrySchedules, webhookFormats } from './registry-store.ts'
export { RowPacker } from './row-bytes.ts'
export { issuer, type Row, type RowKind } from './rows.ts'
export type * from './shard-directory.ts'
export type * from './stored-events.ts'
export { candleIntervals } from './trade-data.ts'
export type * from './webhook-cursor-store.ts'
export type * from './webhook-log-store.ts'
export { healthMinutes } from './webhook-log-store.ts'

export interface Store {
  /** In order of their numbers, which count from 0. */
  readonly shards: readonly ShardStore[]
  readonly registry: RegistryStore
  readonly keptAnswers: KeptAnswerStore
  readonly audit: AuditStore
  readonly keyUses: KeyUseStore
  /** null for a process that is alone on its database. */
  readonly cluster: ClusterStore | null
  /** Whether the database answers now, as far as is known; for a check of the service's health. */
  isAnswering(): boolean
  /** Waits for pending writes, then closes the database. */
  close(): Promise<void>
}

/** What the nodes of a cluster share. */
export type ClusterStore = {
  /** This node, which keeps its id over restarts. */
  readonly nodeId: string
  /** Of this process. */
  readonly incarnation: string
  readonly directory: ShardDirectory
  /** Opens the nodes as one of them. */
  openNodes(self: NodeAbout): NodeStore
}

/** The reads throw StoreUnavailable if they are refused or dropped. */
export type ReadsFor = (caller: ReadCaller) => RecordStore

export interface ShardStore {
  readonly shard: number
  /** The key of the public ids; the same in every shard. */
  readonly idKey: IdKey
  /**
   * Makes this process the owner of the shard, unless another one is. A process that is alone on
   * its database owns all shards from the start.
   */
  acquire(): Promise<boolean>
  /**
   * Ends the ownership, once pending writes are done. For a moment only the successor, if one is
   * named, can acquire the shard.
   */
  release(successor: string | null): Promise<void>
  /**
   * Claims the shard: raises its epoch, so that no previous owner can commit any more. After a
   * commit of unknown outcome, the head shows whether its batch is stored.
   */
  claim(): Promise<ShardHead>
  /** Everything that the engine needs to continue from the head. */
  load(): Promise<LoadedShard>
  /**
   * Until when this process certainly owns the shard, in milliseconds of performance.now(): after
   * that, another process may own it, and the memory may be out of date.
   */
  ownedUntil(): number
  /**
   * Stores a whole turn or nothing of it, in the order of the calls, and settles in that order.
   * Throws a CommitFailure.
   */
  commit(turn: Turn): Promise<void>
  /** Whether a commit could succeed now: detects when a full disk has space again. */
  probe(): Promise<boolean>
  /** Deletes old events and turns, oldest first, in one small transaction. */
  prune(request: PruneRequest): Promise<{ readonly hasMore: boolean }>
  /** Until reads of every process see what is committed now. Those of this store wait for it. */
  untilReadable(): Promise<void>
  /** For the engine, the webhooks and the streams, whose reads never wait for those of callers. */
  readonly reads: RecordStore
  /** For a request of a caller: it shares readers with other callers and may be refused. */
  readonly readsFor: ReadsFor
  /** Of the webhooks of the shard's operators. */
  readonly webhookCursors: WebhookCursorStore
  readonly webhookLog: WebhookLogStore
}

export type PruneRequest = {
  /** Events and turns that are older than these times are deleted. */
  readonly eventsBefore: number
  readonly batchesBefore: number
  /** Attempts of webhooks, in the machine's time. */
  readonly attemptsBefore: number
  /** The maximum number of rows of each kind to delete. */
  readonly atMost: number
}

export type ShardHead = {
  readonly epoch: number
  /** How many commands have changed something. */
  readonly commandSequence: number
  readonly lastSerial: number
  /** Logical time. */
  readonly now: number
  /** The last turn; empty before the first. */
  readonly batchId: string
}

/** Two random 32-bit words, drawn when the store was created. */
export type IdKey = readonly [number, number]

export type LoadedShard = {
  readonly records: Records
  /** Operator numbers by operator id. */
  readonly operatorNumbers: ReadonlyMap<string, number>
  /** The transactionIds that are still in use: see core/idempotency.ts. */
  readonly keys: Iterable<UsedKey>
  /** More of them, to be read while the shard runs already; null if there are none. */
  readonly laterKeys: LaterKeys | null
}

/** Reads keys in pages: there may be many times more of them than open orders. */
export type LaterKeys = () => AsyncIterable<readonly UsedKey[]>

export type UsedKey = {
  readonly operatorNumber: number
  readonly transactionId: string
  readonly marketSerial: Serial
}

export type Turn = {
  readonly epoch: number
  readonly batchId: string
  /** The command sequence before and after the turn. */
  readonly from: number
  readonly to: number
  readonly lastSerial: number
  readonly now: number
  /** As row-bytes.ts encodes them. */
  readonly rows: Uint8Array
}

/** `aborted`: not stored. `unknown`: may be stored, which `claim` shows. */
export type CommitOutcome = 'aborted' | 'unknown'

export class CommitFailure extends Error {
  override readonly name = 'CommitFailure'
  readonly outcome: CommitOutcome
  /** The disk is full; retry when `probe` succeeds. */
  readonly isFull: boolean

  constructor(
    message: string,
    {
      outcome,
      isFull = false,
      cause,
    }: { outcome: CommitOutcome; isFull?: boolean; cause?: unknown },
  ) {
    super(message, { cause })
    this.outcome = outcome
    this.isFull = isFull
  }
}

/** The store is closing, or the database failed. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /** Because the disk is full. */
  readonly isFull: boolean

  constructor(
    message: string,
    { isFull = false, cause }: { isFull?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.isFull = isFull
  }
}
