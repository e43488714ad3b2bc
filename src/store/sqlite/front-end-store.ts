// The database as a front end reads it, while another process owns the folder and writes. A read
// sees every turn that was answered: it waits until that process has derived the tables, whose log
// all processes of a machine share, and finds rows that the deferred indexes do not have yet at the
// end of their tables.

import { resolve } from 'node:path'
import {
  type Collection,
  type RegistryStore,
  type ShardStore,
  type Store,
  StoreUnavailable,
} from '../store.ts'
import { openReader } from './connection.ts'
import { type LanesOptions, openLanes } from './lanes.ts'
import { readTable } from './registry.ts'
import { idKeyOf } from './start.ts'

export type SqliteFrontEndOptions = Omit<LanesOptions, 'mustSee' | 'progress'> & {
  readonly shard?: number
  /** Asks the process that writes. */
  readonly untilReadable: () => Promise<void>
}

export function openSqliteFrontEnd(options: SqliteFrontEndOptions): Store {
  const { shard = 0 } = options
  const folder = resolve(options.folder)
  const database = openReader(folder)
  const idKey = idKeyOf(database)
  database.close()
  const untilReadable = shared(options.untilReadable)
  const lanes = openLanes({ ...options, folder, untilReadable, servesCallers: true })
  const onlyShard: ShardStore = {
    shard,
    idKey,
    acquire: async () => false,
    release: async () => undefined,
    ownedUntil: () => Number.NEGATIVE_INFINITY,
    claim: notTheOwner,
    load: notTheOwner,
    commit: notTheOwner,
    probe: async () => false,
    prune: notTheOwner,
    untilReadable,
    reads: lanes.readsOf(shard),
    readsFor: lanes.readsForCallers(shard),
    webhookCursors: { all: notTheOwner, save: notTheOwner, delete: notTheOwner },
    webhookLog: { add: notTheOwner },
  }
  return {
    shards: [onlyShard],
    registry: readOnlyRegistry((table) => readTable(lanes, table)),
    keptAnswers: {
      begin: notTheOwner,
      renew: notTheOwner,
      finish: notTheOwner,
      drop: notTheOwner,
      answersSince: notTheOwner,
      prune: notTheOwner,
    },
    audit: { write: notTheOwner, prune: notTheOwner },
    keyUses: { save: notTheOwner },
    cluster: null,
    isAnswering: () => true,
    close: () => lanes.close(),
  }
}

/**
 * Reads that come while a call runs share the next one: that which runs may not know what was
 * committed before they came. However many reads wait, the other process is asked once at a time.
 */
function shared(call: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const start = (): Promise<void> => {
    next = null
    running = call().finally(() => {
      running = null
    })
    return running
  }
  return () => {
    if (next !== null) return next
    if (running === null) return start()
    next = running.then(start, start)
    return next
  }
}

type ReadAll = <Row>(
  table: 'operators' | 'keys' | 'categories' | 'webhooks' | 'brakes',
) => Promise<readonly Row[]>

/** The process that writes knows the versions, too. */
function readOnlyRegistry(readAll: ReadAll): RegistryStore {
  const collection = <Row extends { readonly id: string }>(
    table: Parameters<ReadAll>[0],
  ): Collection<Row> => ({ all: () => readAll<Row>(table), put: notTheOwner, delete: notTheOwner })
  return {
    operators: collection('operators'),
    keys: collection('keys'),
    categories: collection('categories'),
    webhooks: collection('webhooks'),
    brakes: collection('brakes'),
    addOperator: notTheOwner,
    version: notTheOwner,
    changesSince: notTheOwner,
  }
}

async function notTheOwner(): Promise<never> {
  throw new StoreUnavailable('A front end only reads the database.')
}
