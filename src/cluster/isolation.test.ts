// When an owner that most nodes do not reach hands its shards over.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShardState } from '../store/store.ts'
import { Isolation, isolatedMs, leaveEveryMs } from './isolation.ts'
import type { PlacementNode } from './placement.ts'

const node = (nodeId: string, callers: readonly string[] | null): PlacementNode => {
  const usual = { isActive: true, mayClaim: true, isBackingOff: false, isLinked: true }
  return { nodeId, callers, shardsMax: 16, ...usual }
}

const shardOf = (nodeId: string, shard = 0, pinnedTo: string | null = null): ShardState => {
  const free = { lastNodeId: nodeId, leaseUntil: null, successor: null }
  return { shard, epoch: 1, nodeId, pinnedTo, ...free }
}

const isolated = [node('a', []), node('b', ['a', 'c']), node('c', ['a', 'b'])]
const placement = { self: 'a', nodes: isolated, shards: [shardOf('a', 0), shardOf('b', 1)] }
const reached = [node('a', ['b']), ...isolated.slice(1)]

test('an owner hands over after 5 s without links of most nodes, to one that they reach', () => {
  const isolation = new Isolation()
  assert.equal(isolation.nextHandOver(placement, 0), null)
  assert.equal(isolation.nextHandOver(placement, isolatedMs - 1), null)
  assert.deepEqual(isolation.nextHandOver(placement, isolatedMs), { shard: 0, to: 'c' })
})

test('an owner that half of the others reach keeps its shards', () => {
  const isolation = new Isolation()
  for (const now of [0, isolatedMs, 2 * isolatedMs]) {
    assert.equal(isolation.nextHandOver({ ...placement, nodes: reached }, now), null)
  }
})

test('the 5 s begin again when the links are back', () => {
  const isolation = new Isolation()
  isolation.nextHandOver(placement, 0)
  isolation.nextHandOver({ ...placement, nodes: reached }, isolatedMs - 1)
  assert.equal(isolation.nextHandOver(placement, isolatedMs), null)
  assert.notEqual(isolation.nextHandOver(placement, 2 * isolatedMs), null)
})

test('shards leave at most once a minute, all of them', () => {
  const isolation = new Isolation()
  const both = { ...placement, shards: [shardOf('a', 0), shardOf('a', 1)] }
  isolation.nextHandOver(both, 0)
  assert.equal(isolation.nextHandOver(both, isolatedMs)?.shard, 0)
  const one = { ...placement, shards: [shardOf('c', 0), shardOf('a', 1)] }
  assert.deepEqual(isolation.nextHandOver(one, isolatedMs + 1), { shard: 1, to: 'b' })
  assert.equal(isolation.nextHandOver(both, 3 * isolatedMs), null)
  assert.notEqual(isolation.nextHandOver(both, isolatedMs + leaveEveryMs), null)
})

test('pinned shards stay, and so do all if no other node is reached better', () => {
  for (const changed of [
    { shards: [shardOf('a', 0, 'a')] },
    { nodes: [node('a', []), node('b', []), node('c', [])] },
    { nodes: [node('a', [])] },
    { nodes: [node('a', null), node('b', ['a'])] },
  ]) {
    const isolation = new Isolation()
    isolation.nextHandOver({ ...placement, ...changed }, 0)
    assert.equal(isolation.nextHandOver({ ...placement, ...changed }, isolatedMs), null)
  }
})
