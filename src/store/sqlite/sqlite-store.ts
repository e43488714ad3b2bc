// The embedded store: one folder, one process, one thread for writes and a few for reads.

import { resolve } from 'node:path'
import { keyLifetimeMs } from '../../core/idempotency.ts'
import { presentEngineVersion } from '../engine-version.ts'
import { lockFolder } from '../folder-lock.ts'
import type { TimeProblem } from '../start-errors.ts'
import {
  CommitFailure,
  type IdKey,
  type ReadMetrics,
  type ShardStore,
  type Store,
} from '../store.ts'
import { Thread } from '../thread.ts'
import { TurnSender } from '../turn-sender.ts'
import { openLanes } from './lanes.ts'
import { loadShard } from './load-shard.ts'
import { registryStore } from './registry.ts'
import { prepareDatabase } from './start.ts'
import type { WriterCalls } from './writer-thread.ts'

export { BackupFailed, BackupFileExists, backupDatabase } from './backup.ts'
export * from './start-errors.ts'

export type SqliteOptions = {
  /** Created if it does not exist. */
  readonly folder: string
  readonly shard?: number
  /** An older engine refuses a shard that a newer one has written. */
  readonly engineVersion?: number
  /** The database failed: the process must end, and a new one determines what is stored. */
  readonly onFatal: (cause: Error) => void
  readonly now?: () => number
  /** Asked before the shard is claimed; a service with a problem claims nothing. */
  readonly timeProblem?: TimeProblem
  /** Callers are served: the threads that read for them start at once, not with the first read. */
  readonly servesCallers?: boolean
  readonly metrics?: ReadMetrics
}

/** Throws a StoreCannotOpen. */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { shard = 0, engineVersion = presentEngineVersion, now = Date.now } = options
  const folder = resolve(options.folder)
  const lock = lockFolder(folder)
  const start = { folder, shard, engineVersion }
  let idKey: IdKey
  try {
    idKey = prepareDatabase(start, options.timeProblem)
  } catch (error) {
    lock.release()
    throw error
  }

  let isFatal = false
  const onFatal = (cause: Error) => {
    if (!isFatal) options.onFatal(cause)
    isFatal = true
  }
  const writer = new Thread<WriterCalls>(new URL('./writer-thread.ts', import.meta.url), {
    name: 'writer',
    data: start,
    onFatal,
  })
  const lanes = openLanes({ ...options, folder, onFatal })
  let closing: Promise<void> | null = null
  // The readers first: the log can be copied to the database only if no reader uses it.
  const close = async () => {
    try {
      await lanes.close()
      await writer.close()
    } finally {
      lock.release()
    }
  }
  const onlyShard: ShardStore = {
    shard,
    idKey,
    ...turnsOf(writer),
    // The folder is locked.
    acquire: async () => true,
    release: async () => undefined,
    ownedUntil: () => Infinity,
    load: async () => loadShard({ folder, shard, keysFrom: now() - keyLifetimeMs }),
    reads: lanes.readsOf(shard),
    readsFor: lanes.readsForCallers(shard),
    webhookCursors: {
      all: () => lanes.readForService((reader) => reader.call('allCursors', null)),
      save: (cursors) => writer.call('putCursors', cursors),
      delete: (webhookId) => writer.call('deleteCursor', webhookId),
    },
  }
  return {
    shards: [onlyShard],
    registry: registryStore(writer, lanes),
    cluster: null,
    // A failed disk ends the process.
    isAnswering: () => true,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

type Turns = Pick<ShardStore, 'claim' | 'commit' | 'probe' | 'prune'>

function turnsOf(writer: Thread<WriterCalls>): Turns {
  const sender = new TurnSender((turn) => writer.call('commit', turn))
  return {
    claim: () => writer.call('claim', null),
    commit: async (turn) => {
      if (writer.isRunning) return sender.commit(turn)
      throw new CommitFailure('The store is closed.', { outcome: 'aborted' })
    },
    probe: () => writer.call('probe', null),
    prune: (request) => writer.call('prune', request),
  }
}
