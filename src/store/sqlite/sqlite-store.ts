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
  type Turn,
} from '../store.ts'
import { Thread } from '../thread.ts'
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
  // Turns that were sent before a failure was known here carry a generation that the writer
  // refuses.
  let generation = 0

  const commit = async ({ rows, ...turn }: Turn): Promise<void> => {
    if (!writer.isRunning) {
      throw new CommitFailure('The store is closed.', { outcome: 'aborted' })
    }
    // A copy in shared memory. Transferring the array instead would detach it here, and after that
    // V8 checks every array before every use.
    const numbers = new Float64Array(
      new SharedArrayBuffer(rows.length * Float64Array.BYTES_PER_ELEMENT),
    )
    numbers.set(rows.numbers.subarray(0, rows.length))
    const { length, texts } = rows
    const sent = { ...turn, rows: { numbers, length, texts }, generation }
    try {
      await writer.call('commit', sent)
    } catch (error) {
      generation = Math.max(generation, sent.generation + 1)
      if (error instanceof CommitFailure) throw error
      const message = 'The store failed while the turn was being stored.'
      throw new CommitFailure(message, { outcome: 'unknown', cause: error })
    }
  }

  return {
    claim: () => writer.call('claim', null),
    commit,
    probe: () => writer.call('probe', null),
    prune: (request) => writer.call('prune', request),
  }
}
