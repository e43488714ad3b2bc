// The store on a PostgreSQL server: for every shard a connection for turns and one for other
// writes; for all of them a pool for reads, and a connection to ask whether the server answers.

import { resolve } from 'node:path'
import { assert } from '../../core/assert.ts'
import { keyLifetimeMs } from '../../core/idempotency.ts'
import { presentEngineVersion } from '../engine-version.ts'
import { lockFolder } from '../folder-lock.ts'
import { ReadLanes } from '../read-lanes.ts'
import type { Collection, RegistryStore } from '../registry-store.ts'
import {
  addOperator,
  allItems,
  deleteItem,
  putItem,
  type TableName,
} from '../sql/registry-tables.ts'
import { allCursors, deleteCursor, putCursors } from '../sql/webhook-cursors.ts'
import type { TimeProblem } from '../start-errors.ts'
import type { ReadMetrics, ShardStore, Store } from '../store.ts'
import { openPool } from './connection.ts'
import { reliedOnMs } from './lease.ts'
import { LeaseHolder } from './lease-holder.ts'
import { Liveness } from './liveness.ts'
import { loadShard } from './load-shard.ts'
import { ownerIn } from './owner.ts'
import { Reader } from './reader.ts'
import type { ShardSchema } from './shard-schema.ts'
import { prepareDatabase } from './start.ts'
import { Writer } from './writer.ts'

export type PostgresOptions = {
  readonly url: string
  /** Identifies this service and has no records; created if it does not exist. */
  readonly folder: string
  /** Shards are created up to this number; the store has all shards of the database. */
  readonly shardCount?: number
  /** An older engine refuses a shard that a newer one has written. */
  readonly engineVersion?: number
  /** Another service holds a shard: the process must end. */
  readonly onFatal: (cause: Error) => void
  readonly now?: () => number
  /** Asked before the shard is claimed; a service with a problem claims nothing. */
  readonly timeProblem?: TimeProblem
  readonly metrics?: ReadMetrics
}

/** Connections that read. One operator never occupies all of a lane, if it has several. */
const readersOf = { service: 3, callers: 4, long: 1 } as const

/** Throws a StoreCannotOpen. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, shardCount = 1, engineVersion = presentEngineVersion } = options
  const folder = resolve(options.folder)
  const lock = lockFolder(folder)
  const { name: owner, place } = ownerIn(folder)
  let schemas: readonly ShardSchema[]
  try {
    const start = { url, owner, place, shardCount, engineVersion }
    schemas = await prepareDatabase(start, options.timeProblem)
  } catch (error) {
    lock.release()
    throw error
  }

  let isLost = false
  const onLost = (cause: Error) => {
    if (!isLost) options.onFatal(cause)
    isLost = true
  }
  const pool = openPool(url, readersOf.service + readersOf.callers + readersOf.long)
  const readers = (count: number) => Array.from({ length: count }, () => new Reader(pool, schemas))
  const lanes = new ReadLanes({
    readers: {
      service: readers(readersOf.service),
      callers: readers(readersOf.callers),
      long: readers(readersOf.long),
    },
    metrics: options.metrics,
  })
  const shards = schemas.map((shard) => {
    const hold = { url, shard, owner, engineVersion, onLost }
    const writer = new Writer(hold)
    const leaseHolder = new LeaseHolder({ ...hold, renewedAt: () => writer.renewedAt })
    return { shard, writer, leaseHolder }
  })
  const [first] = shards
  assert(first !== undefined, 'a database has a shard')
  const liveness = new Liveness(url)
  let closing: Promise<void> | null = null
  const close = async () => {
    liveness.close()
    try {
      await Promise.all(shards.map(({ writer }) => writer.close()))
      await Promise.all([...shards.map(({ leaseHolder }) => leaseHolder.close()), lanes.close()])
      await pool.end()
    } finally {
      lock.release()
    }
  }
  const { now = Date.now } = options
  return {
    shards: shards.map((parts) => shardStore(parts, { url, lanes, now })),
    registry: registryStore(first.leaseHolder, lanes),
    isAnswering: () => liveness.isAnswering,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

type ShardParts = {
  readonly shard: ShardSchema
  readonly writer: Writer
  readonly leaseHolder: LeaseHolder
}

type SharedParts = {
  readonly url: string
  readonly lanes: ReadLanes<Reader>
  readonly now: () => number
}

function shardStore(
  { shard, writer, leaseHolder }: ShardParts,
  { url, lanes, now }: SharedParts,
): ShardStore {
  return {
    claim: () => writer.claim(),
    ownedUntil: () => Math.max(writer.renewedAt, leaseHolder.renewedAt) + reliedOnMs,
    load: () => loadShard({ url, shard, keysFrom: now() - keyLifetimeMs }),
    commit: (turn) => writer.commit(turn),
    probe: () => leaseHolder.probe(),
    prune: (request) => leaseHolder.prune(request),
    reads: lanes.readsOf(shard.shard),
    readsFor: lanes.readsForCallers(shard.shard),
    webhookCursors: {
      all: () => lanes.readForService((reader) => reader.run(shard, allCursors)),
      save: (cursors) => leaseHolder.write(() => putCursors(cursors)),
      delete: (webhookId) => leaseHolder.write(() => deleteCursor(webhookId)),
    },
  }
}

function registryStore(leaseHolder: LeaseHolder, lanes: ReadLanes<Reader>): RegistryStore {
  const readAll = (table: TableName) =>
    lanes.readForService((reader) => reader.run(null, () => allItems(table)))
  const collection = <Item extends { readonly id: string }>(
    table: TableName,
  ): Collection<Item> => ({
    // The table has a column for every field of the item's type; see registry-tables.ts.
    all: async () => (await readAll(table)) as readonly unknown[] as readonly Item[],
    put: (item) => leaseHolder.write(() => putItem(table, item)),
    delete: (id) => leaseHolder.write(() => deleteItem(table, id)),
  })
  return {
    operators: collection('operators'),
    keys: collection('keys'),
    categories: collection('categories'),
    webhooks: collection('webhooks'),
    addOperator: (operator, key) => leaseHolder.write(() => addOperator(operator, key)),
  }
}
