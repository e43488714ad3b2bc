// The port: what any store promises, whichever database keeps it. One shard has one writer; what
// is read here is committed.

import type { Records } from '../core/snapshot/records.ts'
import type { RecordStore } from './record-store.ts'
import type { RegistryStore } from './registry-store.ts'
import type { PackedRows } from './rows.ts'
import type { WebhookCursorStore } from './webhook-cursor-store.ts'

export type * from './record-store.ts'
export type * from './registry-store.ts'
export {
  issuer,
  type PackedRows,
  type Row,
  type RowKind,
  RowPacker,
} from './rows.ts'
export { candleIntervals } from './trade-data.ts'
export type * from './webhook-cursor-store.ts'

export interface Store {
  readonly shard: ShardStore
  readonly reads: RecordStore
  readonly registry: RegistryStore
  readonly webhookCursors: WebhookCursorStore
  /** Waits for what was handed in, then lets go of the database. */
  close(): Promise<void>
}

/** What the engine of a shard needs. */
export interface ShardStore {
  /**
   * Takes the shard: raises its epoch, so that nobody who held it before can commit any more.
   * Also how an unknown commit is settled: it is there if the head names its batch.
   */
  take(): Promise<ShardHead>
  /** Everything the rules need to go on, as of the head. */
  load(): Promise<LoadedShard>
  /**
   * Stores a turn whole, or not at all; turns are stored in the order of the calls.
   * Throws a CommitFailure.
   */
  commit(turn: Turn): Promise<void>
  /** Whether a commit could succeed now; used to find out when a full disk has room again. */
  probe(): Promise<boolean>
  /** Lets go of old events and turns, oldest first, in one small transaction. */
  prune(ask: PruneRequest): Promise<{ readonly hasMore: boolean }>
}

export type PruneRequest = {
  /** Events that were created before go, and turns from before. */
  readonly eventsBefore: number
  readonly batchesBefore: number
  /** How many rows of each kind go at most. */
  readonly atMost: number
}

export type ShardHead = {
  readonly epoch: number
  /** How many commands have changed something. */
  readonly commandSequence: number
  readonly lastSerial: number
  /** Logical time. */
  readonly now: number
  /** Of the last turn; empty before the first. */
  readonly batchId: string
  /** Two 32-bit words, drawn when the store was made: the key of the public ids. */
  readonly idKey: readonly [number, number]
  readonly shard: number
}

export type LoadedShard = {
  readonly records: Records
  /** The numbers that rows call operators by. */
  readonly operatorNumbers: ReadonlyMap<string, number>
  /** transactionIds that are still in use: of live markets and of the last day. */
  readonly keys: Iterable<UsedKey>
}

export type UsedKey = {
  readonly operatorNumber: number
  readonly transactionId: string
  /** Where it was used. */
  readonly marketSerial: number
}

export type Turn = {
  readonly epoch: number
  readonly batchId: string
  /** The sequence before the turn and after it. */
  readonly from: number
  readonly to: number
  readonly lastSerial: number
  readonly now: number
  readonly rows: PackedRows
}

/** `aborted`: surely not stored. `unknown`: it may be stored; `take` tells. */
export type CommitOutcome = 'aborted' | 'unknown'

export class CommitFailure extends Error {
  override readonly name = 'CommitFailure'
  readonly outcome: CommitOutcome
  /** The disk is full: worth trying again when `probe` says so. */
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

/** The store cannot answer now: it is closing, or the database failed. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}
