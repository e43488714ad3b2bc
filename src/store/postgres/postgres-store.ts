// The store on a PostgreSQL server: for every owned shard a connection for turns, in one thread for
// all of them, and one for other writes; for all shards a pool for reads, and a connection to ask
// whether the server answers.

import { resolve } from 'node:path'
import { assert } from '../../core/assert.ts'
import { presentEngineVersion } from '../engine-version.ts'
import { lockFolder } from '../folder-lock.ts'
import { ReadLanes } from '../read-lanes.ts'
import { pruneAudit, writeAudit } from '../sql/audit-log.ts'
import { saveKeyUses } from '../sql/key-uses.ts'
import type { Reading } from '../sql/reading.ts'
import type { TimeProblem } from '../start-errors.ts'
import type { ClusterStore, ReadMetrics, Store } from '../store.ts'
import { CommitThread } from './commit-thread.ts'
import { openPool } from './connection.ts'
import { keptAnswerStore } from './kept-answers.ts'
import { leaseMsAlone, leaseTimes } from './lease.ts'
import { Liveness } from './liveness.ts'
import { PostgresNodes } from './nodes.ts'
import { type Owner, ownerIn } from './owner.ts'
import { postgresShard } from './postgres-shard.ts'
import { Reader } from './reader.ts'
import { registryStore, storeWrite } from './registry-store.ts'
import { RegistryWriter } from './registry-writer.ts'
import { PostgresShardDirectory } from './shard-directory.ts'
import type { ShardSchema } from './shard-schema.ts'
import { type PreparedDatabase, prepareDatabase } from './start.ts'

export type PostgresOptions = {
  readonly url: string
  /** Identifies this service and has no records; created if it does not exist. */
  readonly folder: string
  /** Shards are created up to this number; the store has all shards of the database. */
  readonly shardCount?: number
  /** An older engine refuses a shard that a newer one has written. */
  readonly engineVersion?: number
  /** The service shares the database with other nodes; it acquires shards one by one. */
  readonly isNode?: boolean
  /** The thread that commits starts at once, not with the first shard. */
  readonly ownsShards?: boolean
  readonly leaseMs?: number
  /** Another service owns a shard that this one has owned. */
  readonly onLost: (shard: number, cause: Error) => void
  readonly now?: () => number
  /** Asked before the shard is claimed; a service with a problem claims nothing. */
  readonly timeProblem?: TimeProblem
  readonly metrics?: ReadMetrics
  /** The program of the thread that commits turns; that of the store by default. */
  readonly writerProgram?: URL
}

/** Connections that read. One operator occupies half of a lane at most, if it has several. */
const readersOf = { service: 3, callers: 4, long: 1 } as const

/** Throws a StoreCannotOpen. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, shardCount = 1, engineVersion = presentEngineVersion, isNode = false } = options
  const folder = resolve(options.folder)
  const lock = lockFolder(folder)
  const owner = ownerIn(folder)
  let prepared: PreparedDatabase
  try {
    const start = { url, owner: owner.name, place: owner.place, shardCount, engineVersion, isNode }
    prepared = await prepareDatabase(start, options.timeProblem)
  } catch (error) {
    lock.release()
    throw error
  }

  const pool = openPool(url, readersOf.service + readersOf.callers + readersOf.long)
  const readers = (count: number) =>
    Array.from({ length: count }, () => new Reader(pool, prepared.shards))
  const lanes = new ReadLanes({
    readers: {
      service: readers(readersOf.service),
      callers: readers(readersOf.callers),
      long: readers(readersOf.long),
    },
    metrics: options.metrics,
  })
  const thread = new CommitThread(url, options.writerProgram)
  if (options.ownsShards) thread.start()
  const shared = {
    url,
    idKey: prepared.idKey,
    owner,
    engineVersion,
    lease: leaseTimes(options.leaseMs ?? leaseMsAlone),
    thread,
    lanes,
    now: options.now ?? Date.now,
    onLost: options.onLost,
    isOwned: !isNode,
  }
  const shards = prepared.shards.map((schema) => postgresShard({ ...shared, schema }))
  const [first] = shards
  assert(first !== undefined, 'a database has a shard')
  const cluster = isNode ? clusterStore(url, owner, prepared.shards) : null
  const registryWriter = isNode ? new RegistryWriter(url, owner.incarnation) : null
  const writeHome = <Answer>(writing: () => Reading<Answer>): Promise<Answer> =>
    registryWriter?.run(writing) ?? first.write(writing)
  const liveness = new Liveness(url)
  let closing: Promise<void> | null = null
  const close = async () => {
    liveness.close()
    try {
      await Promise.all([...shards.map((shard) => shard.release(null)), lanes.close()])
      await Promise.all([thread.close(), cluster?.directory.close(), registryWriter?.close()])
      await pool.end()
    } finally {
      lock.release()
    }
  }
  return {
    shards,
    registry: registryStore({
      read: (reading) => lanes.readForService((reader) => reader.run(null, reading)),
      // Of a process that is alone, the lease of the first shard is the fence.
      write: (write) => registryWriter?.write(write) ?? first.write(() => storeWrite(write, null)),
    }),
    keptAnswers: keptAnswerStore(writeHome),
    audit: {
      write: (changes) => writeHome(() => writeAudit(changes)),
      prune: (before, atMost) => writeHome(() => pruneAudit(before, atMost)),
    },
    keyUses: { save: (uses) => writeHome(() => saveKeyUses(uses)) },
    cluster,
    isAnswering: () => liveness.isAnswering,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

function clusterStore(
  url: string,
  { nodeId, incarnation }: Owner,
  schemas: readonly ShardSchema[],
): ClusterStore {
  return {
    nodeId,
    incarnation,
    directory: new PostgresShardDirectory(url, schemas),
    openNodes: (self) => new PostgresNodes(url, { ...self, node: nodeId, incarnation }),
  }
}
