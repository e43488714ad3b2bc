// A shard of a PostgreSQL database: its records can be read at any time, and written while this
// process owns it.

import { keyLifetimeMs } from '../../core/idempotency.ts'
import type { ReadLanes } from '../read-lanes.ts'
import type { Reading } from '../sql/reading.ts'
import { allCursors, deleteCursor, putCursors } from '../sql/webhook-cursors.ts'
import { addAttempts } from '../sql/webhook-log.ts'
import { CommitFailure, type IdKey, type ShardStore } from '../store.ts'
import type { CommitThread } from './commit-thread.ts'
import { inTransaction } from './connection.ts'
import { acquireLease, type LeaseTimes, shardLost } from './lease.ts'
import { LeaseHolder } from './lease-holder.ts'
import { loadShard } from './load-shard.ts'
import type { Owner } from './owner.ts'
import type { Reader } from './reader.ts'
import type { ShardSchema } from './shard-schema.ts'
import { ShardWriter } from './shard-writer.ts'
import { WriteConnection } from './write-connection.ts'

export type PostgresShardOptions = {
  readonly url: string
  readonly schema: ShardSchema
  readonly idKey: IdKey
  readonly owner: Owner
  readonly engineVersion: number
  readonly lease: LeaseTimes
  readonly thread: CommitThread
  readonly lanes: ReadLanes<Reader>
  readonly now: () => number
  /** Another service owns the shard now. */
  readonly onLost: (shard: number, cause: Error) => void
  /** Whether the lease was acquired when the store was opened. */
  readonly isOwned: boolean
}

/** While the process owns the shard. */
type Ownership = { readonly writer: ShardWriter; readonly leaseHolder: LeaseHolder }

export type PostgresShard = ShardStore & {
  /** Any write but a turn. */
  write<Answer>(writing: () => Reading<Answer>): Promise<Answer>
}

export function postgresShard(options: PostgresShardOptions): PostgresShard {
  const { url, schema, owner, engineVersion, lease, thread, lanes, now, onLost } = options
  const { shard } = schema
  let owned: Ownership | null = null

  const own = (connection: WriteConnection): Ownership => {
    const onOwnLost = (cause: Error) => {
      if (owned !== ownership) return
      owned = null
      void closeLost(ownership)
      onLost(shard, cause)
    }
    const ownLease = { shard: schema, owner: owner.name, lease, onLost: onOwnLost }
    const writer = new ShardWriter({ ...ownLease, engineVersion, thread })
    const leaseHolder = new LeaseHolder({
      ...ownLease,
      connection,
      renewedAt: () => writer.renewedAt,
    })
    const ownership = { writer, leaseHolder }
    return ownership
  }
  const ownedNow = (): Ownership => {
    if (owned === null) throw shardLost()
    return owned
  }
  const write = async <Answer>(writing: () => Reading<Answer>) =>
    ownedNow().leaseHolder.write(writing)
  if (options.isOwned) owned = own(new WriteConnection(url, schema))

  return {
    shard,
    idKey: options.idKey,
    acquire: async () => {
      if (owned !== null) return true
      // The same connection releases the lease later: opening one would delay the next owner.
      const connection = new WriteConnection(url, schema)
      let isAcquired = false
      try {
        isAcquired = await acquire(connection, options)
      } finally {
        if (!isAcquired) await connection.close()
      }
      if (isAcquired) owned = own(connection)
      return isAcquired
    },
    release: async (successor) => {
      const released = owned
      owned = null
      if (released !== null) await release(released, successor)
    },
    ownedUntil: () => {
      if (owned === null) return Number.NEGATIVE_INFINITY
      return Math.max(owned.writer.renewedAt, owned.leaseHolder.renewedAt) + lease.reliedOnMs
    },
    claim: async () => ownedNow().writer.claim(),
    load: () => loadShard({ url, shard: schema, keysFrom: now() - keyLifetimeMs }),
    commit: async (turn) => {
      if (owned !== null) return owned.writer.commit(turn)
      throw new CommitFailure('The shard was released.', { outcome: 'aborted' })
    },
    probe: async () => ownedNow().leaseHolder.probe(),
    prune: async (request) => ownedNow().leaseHolder.prune(request),
    write,
    untilReadable: async () => undefined,
    reads: lanes.readsOf(shard),
    readsFor: lanes.readsForCallers(shard),
    webhookCursors: {
      all: () => lanes.readForService((reader) => reader.run(schema, allCursors)),
      save: (cursors) => write(() => putCursors(cursors)),
      delete: (webhookId) => write(() => deleteCursor(webhookId)),
    },
    webhookLog: { add: (batch) => write(() => addAttempts(batch)) },
  }
}

/** What a frozen owner has locked is not waited for: another attempt follows. */
const beginToAcquire = `BEGIN; SET LOCAL lock_timeout = '1s'`

function acquire(connection: WriteConnection, options: PostgresShardOptions): Promise<boolean> {
  const { schema: shard, owner, engineVersion, lease } = options
  const { name, nodeId, place } = owner
  const acquisition = { shard, owner: name, nodeId, place, engineVersion, lease }
  return connection.call((client) =>
    inTransaction(client, () => acquireLease(client, acquisition), beginToAcquire),
  )
}

async function release(
  { writer, leaseHolder }: Ownership,
  successor: string | null,
): Promise<void> {
  await writer.close()
  await leaseHolder.release(successor)
}

async function closeLost({ writer, leaseHolder }: Ownership): Promise<void> {
  await Promise.all([writer.close(), leaseHolder.close()])
}
