// The rate limits of operators over several nodes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OperatorLimits } from './shared-limits.ts'
import { TokenBuckets } from './token-buckets.ts'

const perSecond = 100

/** A node with its own buckets; `owns` says whether it owns the shard of the operator. */
function nodeAt(clock: { now: number }, owns: boolean) {
  const limits = new OperatorLimits({
    foreignShardOf: () => (owns ? null : 3),
    now: () => clock.now,
  })
  const onConsumed = (id: string, count: number) => limits.note('orders', id, count)
  const orders = new TokenBuckets({ capacity: perSecond, perSecond, onConsumed })
  limits.use({ orders })
  const send = (count: number) => {
    let allowed = 0
    for (let sent = 0; sent < count; sent += 1) {
      if (orders.consume('operator', clock.now).isAllowed) allowed += 1
    }
    return allowed
  }
  return { limits, send }
}

/** Tells the owner what was used at the node, as the link does. */
function exchange(node: ReturnType<typeof nodeAt>, owner: ReturnType<typeof nodeAt>): void {
  for (const used of node.limits.takeUsed().values()) node.limits.setLeft(owner.limits.count(used))
}

test('what is used at one node is missing at the others', () => {
  const clock = { now: 0 }
  const [owner, one, other] = [nodeAt(clock, true), nodeAt(clock, false), nodeAt(clock, false)]
  assert.equal(one.send(60), 60)
  exchange(one, owner)
  assert.equal(other.send(1), 1)
  exchange(other, owner)
  assert.equal(other.send(100), 39)
  exchange(other, owner)
  assert.equal(owner.send(100), 0)
})

test('over some seconds three nodes together allow the limit, and one burst', () => {
  const clock = { now: 0 }
  const nodes = [nodeAt(clock, true), nodeAt(clock, false), nodeAt(clock, false)] as const
  const seconds = 5
  let allowed = 0
  for (; clock.now < seconds * 1_000; clock.now += 10) {
    for (const node of nodes) allowed += node.send(10)
    if (clock.now % 50 === 0) for (const node of nodes.slice(1)) exchange(node, nodes[0])
  }
  const most = perSecond * seconds * (1 + nodes.length / 20) + perSecond
  assert.ok(allowed <= most, `${allowed} of at most ${most}`)
  assert.ok(allowed >= perSecond * seconds, `${allowed}`)
})

test('a node that was refused asks again, and continues when there are tokens', () => {
  const clock = { now: 0 }
  const [owner, node] = [nodeAt(clock, true), nodeAt(clock, false)]
  assert.equal(owner.send(100), 100)
  assert.equal(node.send(10), 10, 'it does not know yet')
  exchange(node, owner)
  assert.equal(node.send(10), 0)
  clock.now += 500
  exchange(node, owner)
  assert.equal(node.send(100), 40)
})

test('what is used while the owner answers is not part of its answer', () => {
  const clock = { now: 0 }
  const [owner, node] = [nodeAt(clock, true), nodeAt(clock, false)]
  assert.equal(node.send(60), 60)
  for (const used of node.limits.takeUsed().values()) {
    const left = owner.limits.count(used)
    assert.equal(node.send(10), 10)
    node.limits.setLeft(left)
  }
  assert.equal(node.send(100), 30)
})

test('what operators of its own shards use is not sent to other nodes', () => {
  const owner = nodeAt({ now: 0 }, true)
  owner.send(5)
  assert.equal(owner.limits.takeUsed().size, 0)
})
