// A shard of a PostgreSQL database: its records can be read at any time, and written while this
// process owns it.

import { keyLifetimeMs } from '../../core/idempotency.ts'
import type { ReadLanes } from '../read-lanes.ts'
import type { Reading } from '../sql/reading.ts'
import { allCursors, deleteCursor, putCursors } from '../sql/webhook-cursors.ts'
import {
  CommitFailure,
  type IdKey,
  type LoadedShard,
  type PruneRequest,
  type ReadsFor,
  type RecordStore,
  type ShardHead,
  type ShardStore,
  type Turn,
  type WebhookCursorStore,
} from '../store.ts'
import { openWriter } from './connection.ts'
import { acquireLease, type LeaseTimes, shardLost } from './lease.ts'
import { LeaseHolder } from './lease-holder.ts'
import { loadShard } from './load-shard.ts'
import type { Owner } from './owner.ts'
import type { Reader } from './reader.ts'
import type { ShardSchema } from './shard-schema.ts'
import { Writer } from './writer.ts'

export type PostgresShardOptions = {
  readonly url: string
  readonly schema: ShardSchema
  readonly idKey: IdKey
  readonly owner: Owner
  readonly engineVersion: number
  readonly lease: LeaseTimes
  readonly lanes: ReadLanes<Reader>
  readonly now: () => number
  /** Another service owns the shard now. */
  readonly onLost: (shard: number, cause: Error) => void
  /** Whether the lease was acquired when the store was opened. */
  readonly isOwned: boolean
}

/** While the process owns the shard. */
type Ownership = { readonly writer: Writer; readonly leaseHolder: LeaseHolder }

export class PostgresShard implements ShardStore {
  readonly shard: number
  readonly idKey: IdKey
  readonly reads: RecordStore
  readonly readsFor: ReadsFor
  readonly webhookCursors: WebhookCursorStore
  readonly #options: PostgresShardOptions
  #owned: Ownership | null = null

  constructor(options: PostgresShardOptions) {
    const { lanes, schema } = options
    this.#options = options
    this.shard = schema.shard
    this.idKey = options.idKey
    this.reads = lanes.readsOf(schema.shard)
    this.readsFor = lanes.readsForCallers(schema.shard)
    this.webhookCursors = {
      all: () => lanes.readForService((reader) => reader.run(schema, allCursors)),
      save: (cursors) => this.write(() => putCursors(cursors)),
      delete: (webhookId) => this.write(() => deleteCursor(webhookId)),
    }
    if (options.isOwned) this.#owned = this.#ownership()
  }

  async acquire(): Promise<boolean> {
    const { url, schema, owner, engineVersion, lease } = this.#options
    if (this.#owned !== null) return true
    const client = await openWriter(url, schema)
    try {
      await client.query(`SET lock_timeout = '1s'`)
      const { name, nodeId, place } = owner
      const acquisition = { shard: schema, owner: name, nodeId, place }
      if (!(await acquireLease(client, { ...acquisition, engineVersion, lease }))) return false
    } finally {
      void client.end().catch(() => undefined)
    }
    this.#owned = this.#ownership()
    return true
  }

  async release(successor: string | null): Promise<void> {
    const owned = this.#owned
    this.#owned = null
    if (owned !== null) await close(owned, successor)
  }

  ownedUntil(): number {
    if (this.#owned === null) return Number.NEGATIVE_INFINITY
    const { writer, leaseHolder } = this.#owned
    return Math.max(writer.renewedAt, leaseHolder.renewedAt) + this.#options.lease.reliedOnMs
  }

  async claim(): Promise<ShardHead> {
    return this.#ownedNow().writer.claim()
  }

  load(): Promise<LoadedShard> {
    const { url, schema, now } = this.#options
    return loadShard({ url, shard: schema, keysFrom: now() - keyLifetimeMs })
  }

  async commit(turn: Turn): Promise<void> {
    if (this.#owned === null) {
      throw new CommitFailure('The shard was released.', { outcome: 'aborted' })
    }
    await this.#owned.writer.commit(turn)
  }

  async probe(): Promise<boolean> {
    return this.#ownedNow().leaseHolder.probe()
  }

  async prune(request: PruneRequest): Promise<{ hasMore: boolean }> {
    return this.#ownedNow().leaseHolder.prune(request)
  }

  /** Any write but a turn. */
  async write(writing: () => Reading<void>): Promise<void> {
    await this.#ownedNow().leaseHolder.write(writing)
  }

  #ownedNow(): Ownership {
    if (this.#owned === null) throw shardLost()
    return this.#owned
  }

  #ownership(): Ownership {
    const { url, schema, owner, engineVersion, lease } = this.#options
    const onLost = (cause: Error) => this.#onLost(ownership, cause)
    const hold = { url, shard: schema, owner: owner.name, engineVersion, lease, onLost }
    const writer = new Writer(hold)
    const leaseHolder = new LeaseHolder({ ...hold, renewedAt: () => writer.renewedAt })
    const ownership = { writer, leaseHolder }
    return ownership
  }

  #onLost(ownership: Ownership, cause: Error): void {
    if (this.#owned !== ownership) return
    this.#owned = null
    void close(ownership, null)
    this.#options.onLost(this.shard, cause)
  }
}

async function close({ writer, leaseHolder }: Ownership, successor: string | null): Promise<void> {
  await writer.close()
  await leaseHolder.close(successor)
}
