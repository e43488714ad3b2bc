// The store on a PostgreSQL server: a connection for turns, one for other writes, a pool for reads,
// and one to ask whether the server answers.

import { resolve } from 'node:path'
import { keyLifetimeMs } from '../../core/idempotency.ts'
import { presentEngineVersion } from '../engine-version.ts'
import { lockFolder } from '../folder-lock.ts'
import type { RecordStore } from '../record-store.ts'
import type { Collection, RegistryStore } from '../registry-store.ts'
import { recordOfMarket } from '../sql/market-records.ts'
import { readCandles, readTape } from '../sql/read-candles.ts'
import { readEvents } from '../sql/read-events.ts'
import { readExposure } from '../sql/read-exposure.ts'
import {
  countSettlements,
  readPositions,
  readSettlement,
  readSettlements,
} from '../sql/read-holdings.ts'
import { countMarkets, readMarket, readMarkets } from '../sql/read-markets.ts'
import { readOpenOrders, readOrder, readOrders, readReplayable } from '../sql/read-orders.ts'
import { readReconciliation } from '../sql/read-reconciliation.ts'
import { readPlacementTrades, readTrades } from '../sql/read-trades.ts'
import {
  addOperator,
  allItems,
  deleteItem,
  putItem,
  type TableName,
} from '../sql/registry-tables.ts'
import { allCursors, deleteCursor, putCursors } from '../sql/webhook-cursors.ts'
import type { TimeProblem } from '../start-errors.ts'
import type { Store } from '../store.ts'
import { openPool } from './connection.ts'
import { LeaseHolder } from './lease-holder.ts'
import { Liveness } from './liveness.ts'
import { loadShard } from './load-shard.ts'
import { ownerIn } from './owner.ts'
import { Reader } from './reader.ts'
import { prepareDatabase } from './start.ts'
import { Writer } from './writer.ts'

export type PostgresOptions = {
  readonly url: string
  /** Identifies this service and has no records; created if it does not exist. */
  readonly folder: string
  readonly shard?: number
  /** An older engine refuses a shard that a newer one has written. */
  readonly engineVersion?: number
  /** Another service holds the shard: the process must end. */
  readonly onFatal: (cause: Error) => void
  readonly now?: () => number
  /** Asked before the shard is claimed; a service with a problem claims nothing. */
  readonly timeProblem?: TimeProblem
}

/** Throws a StoreCannotOpen. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, shard = 0, engineVersion = presentEngineVersion, now = Date.now } = options
  const folder = resolve(options.folder)
  const lock = lockFolder(folder)
  const start = { url, shard, engineVersion, ...holderIn(folder) }
  try {
    await prepareDatabase(start, options.timeProblem)
  } catch (error) {
    lock.release()
    throw error
  }

  let isLost = false
  const onLost = (cause: Error) => {
    if (!isLost) options.onFatal(cause)
    isLost = true
  }
  const writer = new Writer({ ...start, onLost })
  const leaseHolder = new LeaseHolder({ ...start, onLost, renewedAt: () => writer.renewedAt })
  const reader = new Reader(openPool(url))
  const liveness = new Liveness(url)
  let closing: Promise<void> | null = null
  const close = async () => {
    liveness.close()
    try {
      await writer.close()
      await Promise.all([leaseHolder.close(), reader.close()])
    } finally {
      lock.release()
    }
  }
  return {
    shard: {
      claim: () => writer.claim(),
      load: () => loadShard({ url, shard, keysFrom: now() - keyLifetimeMs }),
      commit: (turn) => writer.commit(turn),
      probe: () => leaseHolder.probe(),
      prune: (request) => leaseHolder.prune(request),
    },
    reads: recordStore(reader),
    registry: registryStore(leaseHolder, reader),
    webhookCursors: {
      all: () => reader.read(allCursors),
      save: (cursors) => leaseHolder.write(() => putCursors(cursors)),
      delete: (webhookId) => leaseHolder.write(() => deleteCursor(webhookId)),
    },
    isAnswering: () => liveness.isAnswering,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

function holderIn(folder: string): { owner: string; place: string } {
  const { name, place } = ownerIn(folder)
  return { owner: name, place }
}

function recordStore(reader: Reader): RecordStore {
  return {
    market: (serial) => reader.read(() => readMarket(serial)),
    markets: (query) => reader.read(() => readMarkets(query)),
    marketRecord: (serial) => reader.read(() => recordOfMarket(serial)),
    order: (operatorNumber, serial) => reader.read(() => readOrder({ operatorNumber, serial })),
    orders: (query) => reader.read(() => readOrders(query)),
    openOrders: (query) => reader.read(() => readOpenOrders(query)),
    byTransactionId: (operatorNumber, transactionId) =>
      reader.read(() => readReplayable({ operatorNumber, transactionId })),
    placementTrades: (query) => reader.read(() => readPlacementTrades(query)),
    trades: (query) => reader.read(() => readTrades(query)),
    tape: (query) => reader.read(() => readTape(query)),
    candles: (query) => reader.read(() => readCandles(query)),
    positions: (query) => reader.read(() => readPositions(query)),
    settlements: (query) => reader.read(() => readSettlements(query)),
    settlement: (operatorNumber, serial) =>
      reader.read(() => readSettlement({ operatorNumber, serial })),
    settlementCounts: (query) => reader.read(() => countSettlements(query)),
    exposure: (query) => reader.read(() => readExposure(query)),
    reconciliation: (market) => reader.readLong(() => readReconciliation(market)),
    marketCounts: (operatorNumber) => reader.read(() => countMarkets(operatorNumber)),
    events: (query) => reader.read(() => readEvents(query)),
  }
}

function registryStore(leaseHolder: LeaseHolder, reader: Reader): RegistryStore {
  const collection = <Item extends { readonly id: string }>(
    table: TableName,
  ): Collection<Item> => ({
    // The table has a column for every field of the item's type; see registry-tables.ts.
    all: async () =>
      (await reader.read(() => allItems(table))) as readonly unknown[] as readonly Item[],
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
