// When a node stops relying on what it has in memory, and when others stop waiting for it.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { frontEndAbout as about } from '../../test/support/cluster/front-end-about.ts'
import { LocalCluster } from './front-ends/local-cluster.ts'
import { Membership } from './membership.ts'

/** A member, in a cluster of the same process, that refreshes its registry when it is notified. */
async function memberOf(t: TestContext, { canRefresh = true } = {}) {
  let stored = 0
  let beats = 0
  const registry = {
    version: 0,
    refresh: async () => {
      if (!canRefresh) throw new Error('the registry cannot be read')
      registry.version = stored
    },
  }
  const cluster = new LocalCluster({
    nodeId: 'primary',
    epochs: () => [],
    registryVersion: async () => stored,
  })
  const nodes = cluster.openNodes({ node: 'a', incarnation: '1' })
  const membership = new Membership({
    store: {
      ...nodes,
      join: (beat) => nodes.join(about, beat),
      beat: (beat) => {
        beats += 1
        return nodes.beat(beat)
      },
    },
    registry,
    onReplaced: () => assert.fail('replaced'),
  })
  await membership.start()
  t.after(() => membership.stop())
  assert.equal(membership.isInTouch, true)
  const write = () => {
    stored += 1
  }
  /** Returns how many beats were sent. */
  const beat = async () => {
    const before = beats
    membership.beatSoon()
    await new Promise((resolve) => setImmediate(resolve))
    return beats - before
  }
  return { membership, cluster, write, beat }
}

/** Returns the function that moves the clock by so much. */
function movable(t: TestContext, clock: typeof Date | Performance): (ms: number) => void {
  let movedMs = 0
  const now = clock.now.bind(clock)
  t.mock.method(clock, 'now', () => now() + movedMs)
  return (ms) => {
    movedMs += ms
  }
}

for (const [name, clock] of [
  ['monotonic', performance],
  ['system', Date],
] as const) {
  test(`a node is out of touch 2.5 s after its last beat by the ${name} clock`, async (t) => {
    const { membership } = await memberOf(t)
    const move = movable(t, clock)
    move(2_000)
    assert.equal(membership.isInTouch, true)
    move(500)
    assert.equal(membership.isInTouch, false)
  })
}

// The monotonic clock stands still meanwhile, and the system clock may be set back.
test('a node is out of touch when its machine was suspended', async (t) => {
  const { membership } = await memberOf(t)
  movable(t, performance)(-3_000)
  membership.beatSoon()
  assert.equal(membership.isInTouch, false)
})

test('a node that was removed is out of touch until it has applied the changes', async (t) => {
  const { membership, cluster, write, beat } = await memberOf(t, { canRefresh: false })
  cluster.remove('a')
  write()
  await beat()
  assert.equal(membership.isInTouch, false)
  await beat()
  assert.equal(membership.isInTouch, false)
})

test('a node that cannot apply a change for a second stops beating', async (t) => {
  const { write, beat } = await memberOf(t, { canRefresh: false })
  write()
  assert.equal(await beat(), 1)
  const move = movable(t, performance)
  move(900)
  assert.equal(await beat(), 1)
  move(200)
  assert.equal(await beat(), 0)
})
