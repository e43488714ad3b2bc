// What a front end knows of a write that it has left to the primary, and for which front ends the
// primary waits.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frontEndAbout as about } from '../../../test/support/cluster/front-end-about.ts'
import {
  CommitFailure,
  RegistryBehind,
  type RegistryStore,
  StoreUnavailable,
} from '../../store/store.ts'
import type { PrimaryCalls } from './calls.ts'
import { Channel, type Wire } from './channel.ts'
import { LocalCluster } from './local-cluster.ts'
import { remoteKeptAnswers, remoteRegistry } from './remote-stores.ts'

type Calls = Readonly<Record<string, (...args: never[]) => unknown>>

/** Two ends of a channel; messages are copied, as between processes. */
function wires(): [Wire, Wire] {
  const listeners: ((message: unknown) => void)[] = []
  const wireTo = (own: number, other: number): Wire => ({
    send: (message) => {
      const copy = structuredClone(message)
      setImmediate(() => listeners[other]?.(copy))
    },
    onMessage: (listener) => {
      listeners[own] = listener
    },
  })
  return [wireTo(0, 1), wireTo(1, 0)]
}

function primaryWith(calls: Calls): Channel<PrimaryCalls> {
  const [own, other] = wires()
  new Channel<never>(other, calls)
  return new Channel<PrimaryCalls>(own, {})
}

/** Nothing is read from the tables here. */
const tables = {
  operators: {},
  keys: {},
  categories: {},
  webhooks: {},
  brakes: {},
} as RegistryStore

const failing = async (error: Error) => {
  const registry = remoteRegistry(primaryWith({ delete: () => Promise.reject(error) }), tables)
  return registry.keys.delete('key', 7).then(
    () => assert.fail('it must fail'),
    (failure: unknown) => failure,
  )
}

test('a front end learns why the primary has not stored a write', async () => {
  const behind = await failing(new RegistryBehind(7, 9))
  assert.ok(behind instanceof RegistryBehind)
  assert.deepEqual([behind.decidedOn, behind.version], [7, 9])
  for (const outcome of ['unknown', 'aborted'] as const) {
    const failure = await failing(new CommitFailure('no', { outcome }))
    assert.ok(failure instanceof CommitFailure && failure.outcome === outcome, outcome)
  }
  assert.ok((await failing(new Error('no'))) instanceof StoreUnavailable)
})

test('the outcome of a write is unknown if the primary does not answer', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const silent = primaryWith({
    delete: () => new Promise(() => {}),
    changesSince: () => new Promise(() => {}),
  })
  const registry = remoteRegistry(silent, tables)
  const write = assert.rejects(registry.keys.delete('key', 7), (error) => {
    assert.ok(error instanceof CommitFailure)
    return error.outcome === 'unknown'
  })
  const read = assert.rejects(registry.changesSince(7), StoreUnavailable)
  t.mock.timers.tick(5_000)
  await Promise.all([write, read])
})

test('a front end lets the primary delete kept answers that are too old', async () => {
  const left = [5, 6, 7]
  const pruneKept = (before: number, atMost: number) => {
    assert.deepEqual([before, atMost], [9, 2])
    left.splice(0, atMost)
    return { hasMore: left.length > 0 }
  }
  const keptAnswers = remoteKeptAnswers(primaryWith({ pruneKept }))
  assert.deepEqual(await keptAnswers.prune(9, 2), { hasMore: true })
  assert.deepEqual(await keptAnswers.prune(9, 2), { hasMore: false })
  assert.deepEqual(left, [])
})

test('a write waits for the front ends that run, which hear of it, and for no other', async () => {
  let version = 0
  const cluster = new LocalCluster({
    nodeId: 'primary',
    epochs: () => [1],
    registryVersion: async () => version,
  })
  const beat = { registrySeen: 0, load: {}, state: 'ACTIVE' } as const
  const notified: string[] = []
  const members = ['primary', 'one', 'other'].map((node) => {
    const nodes = cluster.openNodes({ node, incarnation: '1' })
    nodes.listen(() => notified.push(node))
    return nodes
  })
  for (const member of members) await member.join(about, beat)
  const [primary, one] = members
  version = 1
  await one!.beat({ ...beat, registrySeen: 1 })
  assert.equal(await primary!.registrySeenByOthers(), 0)
  assert.deepEqual(notified, ['other'])
  cluster.remove('other')
  assert.equal(await primary!.registrySeenByOthers(), 1)
  cluster.remove('one')
  assert.equal(await primary!.registrySeenByOthers(), null)
})
