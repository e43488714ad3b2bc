// The embedded store: one folder, one process, a thread that commits turns, one that writes the
// tables, and a few that read.

import { resolve } from 'node:path'
import { keyLifetimeMs } from '../../core/idempotency.ts'
import { presentEngineVersion } from '../engine-version.ts'
import { lockFolder } from '../folder-lock.ts'
import type { TimeProblem } from '../start-errors.ts'
import {
  CommitFailure,
  type IdKey,
  type KeptAnswerStore,
  type ReadMetrics,
  type ShardStore,
  type Store,
  StoreUnavailable,
} from '../store.ts'
import { Thread } from '../thread.ts'
import { TurnSender } from '../turn-sender.ts'
import type { CommitCalls } from './commit-thread.ts'
import { DerivedProgress } from './derived-progress.ts'
import { DerivedTables } from './derived-tables.ts'
import { openLanes } from './lanes.ts'
import { loadShard } from './load-shard.ts'
import { registryStore } from './registry.ts'
import { prepareDatabase } from './start.ts'
import type { WriterCalls, WriterThreadData } from './writer-thread.ts'

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
  /** What was committed could not be brought into the tables, which is tried again. */
  readonly onDerivationFailed?: (cause: Error) => void
  readonly now?: () => number
  /** Asked before the shard is claimed; a service with a problem claims nothing. */
  readonly timeProblem?: TimeProblem
  /** Callers are served: the threads that read for them start at once, not with the first read. */
  readonly servesCallers?: boolean
  readonly metrics?: SqliteMetrics
}

type SqliteMetrics = ReadMetrics & { watchTables(tables: { readonly pendingBytes: number }): void }

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
  const progress = new DerivedProgress()
  const writerData: WriterThreadData = { start, progress: progress.cells }
  const writer = new Thread<WriterCalls>(new URL('./writer-thread.ts', import.meta.url), {
    name: 'writer',
    data: writerData,
    onFatal,
  })
  const committer = new Thread<CommitCalls>(new URL('./commit-thread.ts', import.meta.url), {
    name: 'committer',
    data: { folder },
    onFatal,
  })
  const derive = (to: number) => writer.call('derive', to)
  const tables = new DerivedTables(derive, { progress, onFailure: options.onDerivationFailed })
  options.metrics?.watchTables(tables)
  const mustSee = () => tables.request()
  const lanes = openLanes({ ...options, folder, onFatal, mustSee, progress })
  let closing: Promise<void> | null = null
  // The readers first: the log can be copied to the database only if no reader uses it. The writer
  // last: it empties the file of turns, to which nothing may be committed then.
  const close = async () => {
    try {
      await Promise.all([lanes.close(), tables.close()])
    } finally {
      await committer
        .close()
        .finally(() => writer.close())
        .finally(() => lock.release())
    }
  }
  const onlyShard: ShardStore = {
    shard,
    idKey,
    ...turnsOf({ writer, committer, tables }),
    // The folder is locked.
    acquire: async () => true,
    release: async () => undefined,
    ownedUntil: () => Infinity,
    load: async () => {
      await tables.untilCurrent()
      return loadShard({ folder, shard, keysFrom: now() - keyLifetimeMs })
    },
    untilReadable: () => tables.untilCurrent(),
    reads: lanes.readsOf(shard),
    readsFor: lanes.readsForCallers(shard),
    webhookCursors: {
      all: () => lanes.readForService((reader) => reader.call('allCursors', null)),
      save: (cursors) => writer.call('putCursors', cursors),
      delete: (webhookId) => writer.call('deleteCursor', webhookId),
    },
    webhookLog: { add: (batch) => writer.call('addAttempts', batch) },
  }
  return {
    shards: [onlyShard],
    registry: registryStore(writer, lanes),
    keptAnswers: keptAnswersOf(writer),
    audit: {
      write: (changes) => writer.call('writeAudit', changes),
      prune: (before, atMost) => writer.call('pruneAudit', { before, atMost }),
    },
    keyUses: { save: (uses) => writer.call('saveKeyUses', uses) },
    cluster: null,
    // A failed disk ends the process.
    isAnswering: () => true,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

function keptAnswersOf(writer: Thread<WriterCalls>): KeptAnswerStore {
  return {
    begin: (request) => writer.call('beginKept', request),
    renew: (attempt, busyUntil) => writer.call('renewKept', { attempt, busyUntil }),
    finish: (attempt, answer) => writer.call('finishKept', { attempt, answer }),
    drop: (attempt) => writer.call('dropKept', attempt),
    answersSince: (requests) => writer.call('keptSince', requests),
    prune: (before, atMost) => writer.call('pruneKept', { before, atMost }),
  }
}

type Turns = Pick<ShardStore, 'claim' | 'commit' | 'probe' | 'prune'>

type Threads = {
  readonly writer: Thread<WriterCalls>
  readonly committer: Thread<CommitCalls>
  readonly tables: DerivedTables
}

function turnsOf({ writer, committer, tables }: Threads): Turns {
  const sender = new TurnSender(async (turn) => {
    await untilAccepting(tables)
    await committer.call('commit', { turn, derivedTo: tables.derivedTo })
    tables.onCommitted(turn.to, turn.rows.length)
  })
  return {
    claim: async () => {
      const { head, derived } = await writer.call('claim', null)
      await committer.call('follow', derived)
      tables.onClaimed(head.commandSequence)
      return head
    },
    commit: async (turn) => {
      if (committer.isRunning && writer.isRunning) return sender.commit(turn)
      throw new CommitFailure('The store is closed.', { outcome: 'aborted' })
    },
    probe: () => probe({ writer, committer, tables }),
    prune: async (request) => {
      await tables.untilCurrent()
      return writer.call('prune', request)
    },
  }
}

async function untilAccepting(tables: DerivedTables): Promise<void> {
  try {
    await tables.untilAccepting()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `The turn was not stored, because too many are not in the tables: ${reason}.`
    const isFull = cause instanceof StoreUnavailable && cause.isFull
    throw new CommitFailure(message, { outcome: 'aborted', isFull, cause })
  }
}

async function probe({ writer, committer, tables }: Threads): Promise<boolean> {
  if (!(await committer.call('probe', null))) return false
  try {
    await tables.untilCurrent()
  } catch (error) {
    if (error instanceof StoreUnavailable) return false
    throw error
  }
  return writer.call('reserveSpace', null)
}
