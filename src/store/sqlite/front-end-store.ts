// The database as a front end reads it, while another process owns the folder and writes. A read
// sees every turn that was answered: the log of SQLite is shared by all processes of a machine, and
// rows that the deferred indexes do not have yet are found at the end of their tables.

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

export type SqliteFrontEndOptions = LanesOptions & { readonly shard?: number }

export function openSqliteFrontEnd(options: SqliteFrontEndOptions): Store {
  const { shard = 0 } = options
  const folder = resolve(options.folder)
  const database = openReader(folder)
  const idKey = idKeyOf(database)
  database.close()
  const lanes = openLanes({ ...options, folder, servesCallers: true })
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
    reads: lanes.readsOf(shard),
    readsFor: lanes.readsForCallers(shard),
    webhookCursors: { all: notTheOwner, save: notTheOwner, delete: notTheOwner },
  }
  return {
    shards: [onlyShard],
    registry: readOnlyRegistry((table) => readTable(lanes, table)),
    cluster: null,
    isAnswering: () => true,
    close: () => lanes.close(),
  }
}

type ReadAll = <Row>(
  table: 'operators' | 'keys' | 'categories' | 'webhooks',
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
    addOperator: notTheOwner,
    version: notTheOwner,
    changesSince: notTheOwner,
  }
}

async function notTheOwner(): Promise<never> {
  throw new StoreUnavailable('A front end only reads the database.')
}
