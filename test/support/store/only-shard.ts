// The shard of a store that has only one, and a store whose shards are changed.

import assert from 'node:assert/strict'
import type { ShardStore, Store } from '../../../src/store/store.ts'

export function onlyShard({ shards }: Pick<Store, 'shards'>): ShardStore {
  const [shard] = shards
  assert(shard !== undefined && shards.length === 1, 'the store has one shard')
  return shard
}

export function withShards(store: Store, changed: (shard: ShardStore) => ShardStore): Store {
  return { ...store, shards: store.shards.map(changed) }
}
