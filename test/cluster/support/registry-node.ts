// A node with a registry and a membership, and nothing else. As a process of its own it answers
// over IPC whether a key is admitted, and for how long the node stays frozen is up to the test.

import { randomUUID } from 'node:crypto'
import { Admission } from '../../../src/api/admission/admission.ts'
import { Refusal } from '../../../src/api/errors.ts'
import { Membership } from '../../../src/cluster/membership.ts'
import { Registry } from '../../../src/registry/registry.ts'
import { openPool } from '../../../src/store/postgres/connection.ts'
import { PostgresNodes } from '../../../src/store/postgres/nodes.ts'
import { Reader } from '../../../src/store/postgres/reader.ts'
import { registryStore } from '../../../src/store/postgres/registry-store.ts'
import { RegistryWriter } from '../../../src/store/postgres/registry-writer.ts'

export type RegistryNodeOptions = {
  readonly url: string
  readonly node?: string
  readonly settingsHash?: string
  /** Off: the control, in which writes are answered at once. */
  readonly hasBarrier?: boolean
}

export async function startRegistryNode(options: RegistryNodeOptions) {
  const { url, node = randomUUID(), settingsHash = 'same', hasBarrier = true } = options
  const pool = openPool(url, 4)
  const reader = () => new Reader(pool, [])
  const failures: unknown[] = []
  const replaced = Promise.withResolvers<void>()
  const self = {
    node,
    // All processes of a node have the same folder.
    incarnation: `folder-${randomUUID()}`,
    address: `${node}.example:50056`,
    version: 'test',
    protocol: 1,
    engineVersion: 1,
    settingsHash,
    shardsMax: 0,
  }
  const nodes = new PostgresNodes(url, self)
  const writer = new RegistryWriter(url, self.incarnation)
  const stored = registryStore({
    read: (reading) => reader().run(null, reading),
    write: (write) => writer.write(write),
  })
  const registry = await Registry.open({
    store: stored,
    now: Date.now,
    secretKey: new Uint8Array(32).fill(7),
    onOperatorStored: async () => undefined,
  })
  const membership = new Membership({
    store: nodes,
    registry,
    onReplaced: () => replaced.resolve(),
    onFailure: (error) => failures.push(error),
  })
  registry.listen({
    onWritten: async (version) => {
      if (hasBarrier) await membership.waitForNodes(version)
    },
  })
  const unlimited = { orders: 0, requests: 0, public: 0 }
  const admission = new Admission({
    keys: registry.keys,
    limits: unlimited,
    now: Date.now,
    isInTouch: () => membership.isInTouch,
  })
  const stop = async () => {
    await membership.stop()
    await writer.close()
    await pool.end()
  }
  try {
    await membership.start()
  } catch (error) {
    await stop()
    throw error
  }
  /** ADMITTED, or the code of the refusal. */
  const verdictOn = (apiKey: string) => {
    const caller = admission.authenticate(apiKey, 'read')
    return caller instanceof Refusal ? caller.code : 'ADMITTED'
  }
  return { node, registry, membership, stored, nodes, failures, replaced, verdictOn, stop }
}

export type RegistryNode = Awaited<ReturnType<typeof startRegistryNode>>

/** Sent by the process: what it thought of the key, each time it was asked and every 2 ms. */
export type Verdict = { readonly verdict: string; readonly at: number; readonly isAnswer: boolean }

if (import.meta.main) {
  const [url = '', hasBarrier = 'true'] = process.argv.slice(2)
  const own = await startRegistryNode({ url, hasBarrier: hasBarrier === 'true' })
  let watched = ''
  const send = (isAnswer: boolean) =>
    process.send?.({ verdict: own.verdictOn(watched), at: Date.now(), isAnswer } satisfies Verdict)
  process.on('message', (apiKey: string) => {
    watched = apiKey
    send(true)
  })
  setInterval(() => watched !== '' && send(false), 2)
  process.on('disconnect', () => process.exit(0))
  process.send?.('ready')
}
