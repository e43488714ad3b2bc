// The service and the callers read in lanes of their own.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { serial } from '../../test/support/core/steps.ts'
import { ReadLanes, type RecordReader } from './read-lanes.ts'
import type { LaneName } from './store.ts'

/** Lanes in which reads start and never end. */
function stuckLanes() {
  const started: string[] = []
  const reader = (lane: LaneName): RecordReader => ({
    read: (_shard, name) => {
      started.push(`${lane} ${name}`)
      return new Promise(() => {})
    },
    abandon: () => undefined,
    close: async () => undefined,
  })
  const readers = {
    service: [reader('service')],
    callers: [reader('callers'), reader('callers')],
    long: [reader('long')],
  }
  return { lanes: new ReadLanes({ readers }), started }
}

const caller = (party: number | string) => ({ party, isGone: () => false })
const orders = {
  operatorNumber: 1,
  marketSerial: null,
  outcomeSerial: null,
  playerId: null,
  side: null,
  type: null,
  statuses: null,
  transactionId: null,
  after: null,
  limit: 10,
}
const events = {
  operatorNumber: 1,
  since: 0,
  types: null,
  marketSerial: null,
  limit: 10,
  notBefore: 0,
}

suite('the lanes of a store', () => {
  test('a repeated request and a stream do not wait for the lists of callers', () => {
    const { lanes, started } = stuckLanes()
    for (const party of [1, 2, 3]) void lanes.readsForCallers(0)(caller(party)).orders(orders)
    assert.deepEqual(started, ['callers orders', 'callers orders'])
    void lanes.readsOf(0).byTransactionId(1, 'tx')
    assert.deepEqual(started.slice(2), ['service byTransactionId'])
    const other = stuckLanes()
    for (const party of [1, 2, 3]) void other.lanes.readsForCallers(0)(caller(party)).events(events)
    void other.lanes.readsOf(0).events(events)
    assert.deepEqual(other.started, ['callers events', 'callers events', 'service events'])
  })

  test('a read that may take seconds occupies none of the usual readers', () => {
    const { lanes, started } = stuckLanes()
    void lanes.readsForCallers(0)(caller(1)).reconciliation(serial(1))
    void lanes.readsOf(0).reconciliation(serial(1))
    void lanes.readsForCallers(0)(caller(1)).order(1, serial(1))
    assert.deepEqual(started, ['long reconciliation', 'callers order'])
  })

  test('the reads of the service are in round robin over the operators', async () => {
    const { promise, resolve } = Promise.withResolvers<never>()
    const started: unknown[] = []
    const reader: RecordReader = {
      read: (_shard, _name, argument) => {
        started.push(argument)
        return promise
      },
      abandon: () => undefined,
      close: async () => undefined,
    }
    const lanes = new ReadLanes({ readers: { service: [reader], callers: [], long: [] } })
    const all = ['a', 'b', 'c'].map((transactionId) =>
      lanes.readsOf(0).byTransactionId(1, transactionId),
    )
    all.push(lanes.readsOf(0).byTransactionId(2, 'other'))
    resolve(null as never)
    await Promise.all(all)
    const order = started.map((argument) => (argument as { transactionId: string }).transactionId)
    assert.deepEqual(order, ['a', 'b', 'other', 'c'])
  })

  test('markets and trades that the service reads for an operator wait in its line', async () => {
    const { promise, resolve } = Promise.withResolvers<never>()
    const started: string[] = []
    const reader: RecordReader = {
      read: (_shard, name) => {
        started.push(name)
        return promise
      },
      abandon: () => undefined,
      close: async () => undefined,
    }
    const lanes = new ReadLanes({ readers: { service: [reader], callers: [], long: [] } })
    const reads = lanes.readsOf(0)
    const all: Promise<unknown>[] = [1, 2, 3].map((at) => reads.marketRecord(serial(at), 1))
    all.push(reads.placementTrades({ orderSerial: serial(4), limit: 10 }, 2))
    all.push(reads.market(serial(5), 3))
    resolve(null as never)
    await Promise.all(all)
    const others = ['placementTrades', 'market']
    assert.deepEqual(started, ['marketRecord', 'marketRecord', ...others, 'marketRecord'])
  })
})
