// Which connections share the answer to a query.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ids } from '../../core/ids.ts'
import { type ShardAccess, Shards } from '../shards.ts'
import { Snapshots } from './snapshots.ts'

const marketId = '01a1e000-0000-7000-8000-000000000001'
const outcome = { marketId, outcomeId: '01a1e000-0000-7000-8000-000000000002' }

test('equal queries share an answer, unless changes may have been missed between them', () => {
  let queries = 0
  const submit = () => {
    queries += 1
    return new Promise<never>(() => {})
  }
  // Nothing else of the shard is used here.
  const shard = { ids: new Ids({ shard: 0, key: [1, 2] }), submit } as Partial<ShardAccess>
  const outbox = { resyncs: 0 }
  const shards = new Shards([shard as ShardAccess])
  const snapshots = new Snapshots({ shards, outbox, now: () => 0 })
  for (let count = 0; count < 3; count += 1) {
    void snapshots.book(outcome)
    void snapshots.prices(outcome)
  }
  assert.equal(queries, 2)
  outbox.resyncs += 1
  void snapshots.book(outcome)
  void snapshots.prices(outcome)
  assert.equal(queries, 4)
})
