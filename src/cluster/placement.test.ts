// Which node should own which shard.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShardState } from '../store/store.ts'
import {
  balancingHandOver,
  dueHandOver,
  lastHandOvers,
  type PlacementNode,
  ranksOf,
} from './placement.ts'

const node = (nodeId: string, changes: Partial<PlacementNode> = {}): PlacementNode => ({
  nodeId,
  shardsMax: 16,
  isActive: true,
  mayClaim: true,
  isBackingOff: false,
  isLinked: true,
  callers: null,
  ...changes,
})

const shardAt = (
  shard: number,
  nodeId: string | null,
  changes: Partial<ShardState> = {},
): ShardState => ({
  shard,
  epoch: 1,
  nodeId,
  lastNodeId: nodeId,
  leaseUntil: null,
  successor: null,
  pinnedTo: null,
  ...changes,
})

const ranksFor = (free: ShardState, nodes: readonly PlacementNode[], shards: ShardState[]) =>
  nodes.map(({ nodeId }) => ranksOf({ self: nodeId, nodes, shards }).get(free.shard) ?? null)

test('every node has another rank for a free shard', () => {
  const nodes = ['a', 'b', 'c'].map((id) => node(id))
  const shards = Array.from({ length: 16 }, (_, shard) => shardAt(shard, null))
  for (const free of shards) {
    const ranks = ranksFor(free, nodes, shards)
    assert.deepEqual(ranks.toSorted(), [0, 1, 2])
  }
})

test('many free shards are spread over the nodes, of which each knows its own', () => {
  const nodes = ['a', 'b', 'c'].map((id) => node(id))
  const shards = Array.from({ length: 16 }, (_, shard) => shardAt(shard, null))
  const first = nodes.map(({ nodeId: self }) => {
    const ranks = ranksOf({ self, nodes, shards })
    return shards.filter(({ shard }) => ranks.get(shard) === 0).map(({ shard }) => shard)
  })
  assert.deepEqual(
    first.flat().sort((a, b) => a - b),
    shards.map(({ shard }) => shard),
  )
  for (const own of first) assert.ok(own.length >= 4 && own.length <= 6, `${own.length} shards`)
})

test('nodes with less than an equal share come first', () => {
  const nodes = ['a', 'b'].map((id) => node(id))
  const free = shardAt(3, null)
  const shards = [shardAt(0, 'a'), shardAt(1, 'a'), shardAt(2, 'b'), free]
  assert.deepEqual(ranksFor(free, nodes, shards), [1, 0])
})

test('a node without capacity, or one that drains, has no rank', () => {
  const nodes = [node('a', { shardsMax: 0 }), node('b', { isActive: false }), node('c')]
  const free = shardAt(0, null)
  assert.deepEqual(ranksFor(free, nodes, [free]), [null, null, 0])
})

test('only the successor acquires a shard that was released for it', () => {
  const nodes = ['a', 'b', 'c'].map((id) => node(id))
  const free = shardAt(0, null, { successor: 'b' })
  assert.deepEqual(ranksFor(free, nodes, [free]), [null, 0, null])
})

test('a shard goes to the node that it was moved to, and stays there', () => {
  const ids = ['a', 'b', 'c']
  const nodes = ids.map((id) => node(id))
  for (const pinnedTo of ids) {
    const others = ids.filter((id) => id !== pinnedTo)
    for (const self of others) {
      const moved = [shardAt(0, self, { pinnedTo }), shardAt(1, pinnedTo), shardAt(2, pinnedTo)]
      assert.deepEqual(dueHandOver({ self, nodes, shards: moved }), { shard: 0, to: pinnedTo })
    }
    const there = [shardAt(0, pinnedTo, { pinnedTo })]
    assert.equal(dueHandOver({ self: pinnedTo, nodes, shards: there }), null)
    // It returns when its node was away.
    const free = shardAt(0, null, { lastNodeId: others[0]!, pinnedTo })
    assert.equal(ranksOf({ self: pinnedTo, nodes, shards: [free] }).get(0), 0)
  }
})

test('a shard stays where it is if the node that it was moved to is not alive', () => {
  const nodes = [node('a'), node('b')]
  const shards = [shardAt(0, 'a', { pinnedTo: 'gone' })]
  assert.equal(dueHandOver({ self: 'a', nodes, shards }), null)
})

test('a node that drains hands over each of its shards, if another node takes them', () => {
  const nodes = [node('a', { isActive: false }), node('b')]
  const shards = [shardAt(0, 'a'), shardAt(1, 'a')]
  assert.deepEqual(dueHandOver({ self: 'a', nodes, shards }), { shard: 0, to: 'b' })
  assert.equal(dueHandOver({ self: 'a', nodes: [nodes[0]!], shards }), null)
})

test('a node that stops spreads its shards, and gives no node more than it can own', () => {
  const nodes = [node('a'), node('b', { shardsMax: 1 }), node('c', { shardsMax: 2 })]
  const shards = [0, 1, 2, 3].map((shard) => shardAt(shard, 'a'))
  const to = lastHandOvers({ self: 'a', nodes, shards }).map((handOver) => handOver.to)
  assert.deepEqual(to.toSorted(), ['b', 'c', 'c'])
})

test('shards are balanced once a node has two more than another', () => {
  const nodes = [node('a'), node('b')]
  const three = [shardAt(0, 'a'), shardAt(1, 'a'), shardAt(2, 'b')]
  assert.equal(balancingHandOver({ self: 'a', nodes, shards: three }), null)
  const four = [...three, shardAt(3, 'a')]
  assert.equal(balancingHandOver({ self: 'a', nodes, shards: four })?.to, 'b')
  assert.equal(balancingHandOver({ self: 'b', nodes, shards: four }), null)
})

test('shards that were moved by hand are not balanced', () => {
  const nodes = [node('a'), node('b')]
  const shards = [0, 1, 2].map((shard) => shardAt(shard, 'a', { pinnedTo: 'a' }))
  assert.equal(balancingHandOver({ self: 'a', nodes, shards }), null)
})

test('nothing is handed over to a node without a link, which may have left', () => {
  const shards = [0, 1, 2].map((shard) => shardAt(shard, 'a'))
  const left = node('b', { isLinked: false })
  for (const nodes of [
    [node('a'), left],
    [node('a', { isActive: false }), left],
  ]) {
    assert.equal(balancingHandOver({ self: 'a', nodes, shards }), null)
    assert.equal(dueHandOver({ self: 'a', nodes, shards }), null)
    assert.deepEqual(lastHandOvers({ self: 'a', nodes, shards }), [])
  }
})

test('nothing is handed over to a node that may not claim it', () => {
  const off = node('b', { mayClaim: false })
  const shards = [0, 1, 2].map((shard) => shardAt(shard, 'a'))
  assert.equal(balancingHandOver({ self: 'a', nodes: [node('a'), off], shards }), null)
  const leaving = [node('a', { isActive: false }), off]
  assert.equal(dueHandOver({ self: 'a', nodes: leaving, shards }), null)
  const moved = [shardAt(0, 'a', { pinnedTo: 'b' })]
  assert.equal(dueHandOver({ self: 'a', nodes: [node('a'), off], shards: moved }), null)
})

test('a node that has lost shards gets none by balancing, but if it must be', () => {
  const slow = node('b', { isBackingOff: true })
  const shards = [0, 1, 2].map((shard) => shardAt(shard, 'a'))
  assert.equal(balancingHandOver({ self: 'a', nodes: [node('a'), slow], shards }), null)
  const leaving = [node('a', { isActive: false }), slow]
  assert.equal(dueHandOver({ self: 'a', nodes: leaving, shards })?.to, 'b')
  const moved = [shardAt(0, 'a', { pinnedTo: 'b' })]
  assert.equal(dueHandOver({ self: 'a', nodes: [node('a'), slow], shards: moved })?.to, 'b')
})

test('nobody waits for an owner that has ended a moment ago', () => {
  const nodes = ['a', 'b', 'c'].map((id) => node(id, { isLinked: id !== 'c' }))
  for (let shard = 0; shard < 16; shard += 1) {
    const free = shardAt(shard, null, { lastNodeId: 'c' })
    const ranks = ranksFor(free, nodes.slice(0, 2), [free])
    const seen = ['a', 'b'].map((self) => ranksOf({ self, nodes, shards: [free] }).get(shard))
    assert.deepEqual(seen, ranks)
  }
})
