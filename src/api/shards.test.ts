// The shard of an operator and of a public id.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serial } from '../../test/support/core/steps.ts'
import { Ids } from '../core/ids.ts'
import { Unavailable } from '../engine/commands.ts'
import { type ShardAccess, Shards } from './shards.ts'

const key = [1, 2] as const
const idsOf = (shard: number) => new Ids({ shard, key })
// Nothing else of a shard is used here.
const access = (shard: number) => ({ ids: idsOf(shard) }) as ShardAccess
const three = [0, 1, 2].map(access)
const shards = new Shards(three)

test('an id is looked up in its shard', () => {
  for (const [number, shard] of three.entries()) {
    const id = shard.ids.textOf(serial(7), 1_000)
    assert.equal(shards.ofId(id), shard)
    assert.equal(shards.of({ shard: number }), shard)
  }
})

test('an operator of a shard that was added after the start can be served by other nodes', () => {
  assert.throws(() => shards.of({ shard: 3 }), Unavailable)
})

test('an id of no shard, or of one that does not exist, is found in none', () => {
  for (const id of ['', 'x', idsOf(3).textOf(serial(7), 1_000)]) {
    assert.equal(shards.ofId(id).ids.serialOf(id), null)
  }
})
