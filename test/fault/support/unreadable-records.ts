// A store with records that cannot be sent: answers with the orders of one player fail when they
// are encoded, as an answer does that is longer than any text may be, and the events of one market
// cannot be read.

import type { OrderRow, RecordStore, Store } from '../../../src/store/store.ts'
import { withShards } from '../../support/store/only-shard.ts'

export const unreadablePlayer = 'unreadable'
export const unreadableTitle = 'Unreadable?'

const failing = {
  toJSON: () => fail(),
  toString: () => fail(),
} as never as string

function fail(): never {
  throw new RangeError('Invalid string length')
}

export function withUnreadableRecords(store: Store): Store {
  return withShards(store, (shard) => ({
    ...shard,
    reads: unreadableReads(shard.reads),
    readsFor: (caller) => unreadableReads(shard.readsFor(caller)),
  }))
}

function unreadableReads(reads: RecordStore): RecordStore {
  return {
    ...reads,
    order: async (operatorNumber, serial) => {
      const order = await reads.order(operatorNumber, serial)
      return order === null ? null : unreadable(order)
    },
    byTransactionId: async (operatorNumber, transactionId) => {
      const found = await reads.byTransactionId(operatorNumber, transactionId)
      return found?.kind === 'ORDER' ? { ...found, order: unreadable(found.order) } : found
    },
    events: async (query) => {
      const page = await reads.events(query)
      const rows = page.rows.map((row) => {
        return row.body.includes(unreadableTitle) ? { ...row, body: '{' } : row
      })
      return { ...page, rows }
    },
  }
}

function unreadable(order: OrderRow): OrderRow {
  return order.playerId === unreadablePlayer ? { ...order, transactionId: failing } : order
}
