// The primary process of FRONT_ENDS: it owns shards and writes, and has no port for clients.

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoreCalls } from '../cluster/front-ends/calls.ts'
import { LocalCluster } from '../cluster/front-ends/local-cluster.ts'
import { type FrontEnd, Supervisor } from '../cluster/front-ends/supervisor.ts'
import type { OwnedShards } from '../cluster/owned-shards.ts'
import type { Config } from '../config.ts'
import { FrontEndMetrics } from '../ops/front-end-metrics.ts'
import type { Store } from '../store/store.ts'
import type { NodePlace } from './node.ts'
import { openShards, type Role, usualRole } from './shards.ts'
import { checkHost, createDemoOperator, messageOf, newBase, type Service } from './start.ts'

export async function startPrimary(config: Config): Promise<Service> {
  await checkHost(config)
  const base = newBase(config)
  const { clock, log, metrics, reportFailure } = base
  const sqlite = config.databaseUrl === null ? new SqlitePrimary(config) : null
  const opened = await openShards(config, base, sqlite ?? usualRole(config))
  const { feeds, host, keys, registry, store } = opened
  registry.listen({
    onOperatorChanged: (id) => feeds.onOperatorChanged(id),
    onWebhookChanged: (id) => feeds.onWebhookChanged(id),
    onWritten: (registryVersion) => host.waitForNodes(registryVersion),
  })
  const allMetrics = new FrontEndMetrics(() => metrics.text())
  const supervisor = new Supervisor({
    count: config.frontEnds,
    now: () => clock.now(),
    callsOf: (frontEnd) => {
      allMetrics.add(frontEnd.nodeId, {
        name: `front-${frontEnd.place}`,
        text: () => frontEnd.channel.call('metrics'),
      })
      return { metrics: () => allMetrics.text(), ...sqlite?.callsOf(frontEnd) }
    },
    onEnd: ({ nodeId }) => {
      sqlite?.remove(nodeId)
      allMetrics.remove(nodeId)
    },
    log,
  })
  const stop = async () => {
    log.info('stopping')
    await supervisor.stop()
    await host.leave()
    await host.stop(Promise.resolve())
    await store.close()
    sqlite?.close()
  }
  try {
    const { url, port, grpcPort } = await supervisor.start()
    // Last, because its key is shown only once: a start that fails must not use it up.
    const demoKey = config.hasDemoOperator ? await createDemoOperator(registry) : null
    const message = messageOf(config, { url, grpcPort, keys, demoKey })
    const isReady = () => host.isReady
    return { url, port, grpcPort, reportFailure, isReady, startMessage: message, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** On SQLite the primary is all that its front ends have: they cannot write the database. */
class SqlitePrimary implements Role {
  readonly #link = openLinkAddress()
  readonly #nodeId = randomUUID()
  readonly #incarnation = randomUUID()
  readonly openStore: Role['openStore']
  readonly ownsAll = true
  #opened: { readonly store: Store; readonly cluster: LocalCluster } | null = null

  constructor(config: Config) {
    this.openStore = usualRole(config).openStore
  }

  placeOf(store: Store, owned: OwnedShards): NodePlace {
    const { address } = this.#link
    const [nodeId, incarnation] = [this.#nodeId, this.#incarnation]
    const cluster = new LocalCluster({
      nodeId,
      epochs: () => store.shards.map(({ shard }) => owned.get(shard)?.engine.epoch ?? null),
      registryVersion: () => store.registry.version(),
    })
    this.#opened = { store, cluster }
    return {
      store: {
        nodeId,
        incarnation,
        directory: cluster.directory,
        openNodes: (about) => {
          const nodes = cluster.openNodes({ node: nodeId, incarnation })
          return { ...nodes, join: (beat) => nodes.join(about, beat) }
        },
      },
      listenOn: address,
      addressOf: (port) => (address.startsWith('unix:') ? address : `127.0.0.1:${port}`),
      tls: null,
      shardsMax: store.shards.length,
    }
  }

  callsOf({ channel, nodeId, incarnation }: FrontEnd): StoreCalls {
    const { cluster, store } = this.#opened!
    const { directory } = cluster
    const { registry } = store
    const node = cluster.openNodes({ node: nodeId, incarnation })
    node.listen(() => {
      channel.call('onRegistryChanged').catch(() => undefined)
    })
    return {
      join: (about, beat) => node.join(about, beat),
      beat: (beat) => node.beat(beat),
      nodes: () => node.list(),
      drain: (id) => node.drain(id),
      registrySeenByOthers: () => node.registrySeenByOthers(),
      leave: () => node.leave(),
      shards: () => directory.list(),
      pin: (shard, id) => directory.pin(shard, id),
      registryVersion: () => registry.version(),
      changesSince: (since) => registry.changesSince(since),
      put: (kind, row, decidedOn) => registry[kind].put(row as never, decidedOn),
      delete: (kind, id, decidedOn) => registry[kind].delete(id, decidedOn),
      addOperator: (operator, key, decidedOn) => registry.addOperator(operator, key, decidedOn),
    }
  }

  /** The front end has ended. */
  remove(nodeId: string): void {
    this.#opened?.cluster.remove(nodeId)
  }

  close(): void {
    this.#link.close()
  }
}

/** A socket in a folder that only this user can open; Windows has none. */
function openLinkAddress() {
  if (process.platform === 'win32') return { address: '127.0.0.1:0', close: () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'outcry-link-'))
  const close = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', close)
  return { address: `unix:${join(folder, 'link')}`, close }
}
