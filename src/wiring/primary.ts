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
import { openPorts } from './listen.ts'
import { metricsPortOf } from './metrics-port.ts'
import type { NodeSetup } from './node.ts'
import { openShards, type Role, usualRole } from './shards.ts'
import { checkHost, demoOperator, messageOf, newBase, type Service } from './start.ts'

export async function startPrimary(config: Config): Promise<Service> {
  await checkHost(config)
  const base = newBase(config)
  const { clock, log, metrics, reportFailure } = base
  const link = openLinkAddress()
  const sqlite = config.databaseUrl === null ? new SqlitePrimary(config, link) : null
  const opened = await openShards(config, base, sqlite ?? postgresRole(config, link))
  const { feeds, host, keys, registry, store } = opened
  registry.listen({
    onOperatorChanged: (id) => feeds.onOperatorChanged(id),
    onWebhookChanged: (id) => feeds.onWebhookChanged(id),
    onWritten: (registryVersion) => host.waitForNodes(registryVersion),
  })
  const allMetrics = new FrontEndMetrics(() => metrics.text())
  const { contentType } = metrics
  const metricsSource = { text: () => allMetrics.text(), contentType }
  const metricsPort = metricsPortOf(config, metricsSource, reportFailure)
  const supervisor = new Supervisor({
    count: config.frontEnds,
    now: () => clock.now(),
    callsOf: (frontEnd) => {
      allMetrics.add(frontEnd.nodeId, {
        name: `front-${frontEnd.number}`,
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
    await host.stop(metricsPort.close())
    await store.close()
    link.close()
  }
  try {
    const [metricsOn] = await openPorts(metricsPort.openings)
    const { url, port, grpcPort } = await supervisor.start()
    // Last, because its key is shown only once: a start that fails must not use it up.
    const demo = config.hasDemoOperator ? await demoOperator(registry) : null
    const message = messageOf(config, { url, grpcPort, metricsOn, keys, demo })
    return { url, port, grpcPort, reportFailure, startMessage: message, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** On SQLite the primary is all that its front ends have: they cannot write the database. */
class SqlitePrimary implements Role {
  readonly #link: Link
  readonly #nodeId = randomUUID()
  readonly #incarnation = randomUUID()
  readonly openStore: Role['openStore']
  readonly ownsAll = true
  #opened: { readonly store: Store; readonly cluster: LocalCluster } | null = null

  constructor(config: Config, link: Link) {
    this.#link = link
    this.openStore = usualRole(config).openStore
  }

  nodeSetup(store: Store, owned: OwnedShards): NodeSetup {
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
      listenOn: this.#link.listenOn,
      addressOf: this.#link.addressOf,
      tls: null,
      shardsMax: store.shards.length,
    }
  }

  callsOf({ channel, nodeId, incarnation }: FrontEnd): StoreCalls {
    const { cluster, store } = this.#opened!
    const { audit, keptAnswers, keyUses } = store
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
      untilReadable: async () => {
        await Promise.all(store.shards.map((shard) => shard.untilReadable()))
      },
      pin: (shard, id) => directory.pin(shard, id),
      registryVersion: () => registry.version(),
      changesSince: (since) => registry.changesSince(since),
      put: (kind, row, decidedOn) => registry[kind].put(row as never, decidedOn),
      delete: (kind, id, decidedOn) => registry[kind].delete(id, decidedOn),
      addOperator: (operator, key, decidedOn) => registry.addOperator(operator, key, decidedOn),
      beginKept: (request) => keptAnswers.begin(request),
      renewKept: (attempt, busyUntil) => keptAnswers.renew(attempt, busyUntil),
      finishKept: (attempt, answer) => keptAnswers.finish(attempt, answer),
      dropKept: (attempt) => keptAnswers.drop(attempt),
      keptSince: (requests) => keptAnswers.answersSince(requests),
      pruneKept: (before, atMost) => keptAnswers.prune(before, atMost),
      writeAudit: (changes) => audit.write(changes),
      pruneAudit: (before, atMost) => audit.prune(before, atMost),
      saveKeyUses: (uses) => keyUses.save(uses),
    }
  }

  /** The front end has ended. */
  remove(nodeId: string): void {
    this.#opened?.cluster.remove(nodeId)
  }
}

/** A node of a cluster, or of one machine, where no other machine can call it. */
function postgresRole(config: Config, { listenOn, addressOf }: Link): Role {
  const role = usualRole(config)
  if (!config.cluster!.isOneMachine) return role
  const nodeSetup: Role['nodeSetup'] = (...opened) => {
    const setup = role.nodeSetup(...opened)
    return setup && { ...setup, listenOn, addressOf }
  }
  return { ...role, nodeSetup }
}

type Link = ReturnType<typeof openLinkAddress>

/** A socket in a folder that only this user can open; Windows has none. */
function openLinkAddress() {
  if (process.platform === 'win32') {
    const addressOf = (port: number) => `127.0.0.1:${port}`
    return { listenOn: addressOf(0), addressOf, close: () => {} }
  }
  const folder = mkdtempSync(join(tmpdir(), 'outcry-link-'))
  const address = `unix:${join(folder, 'link')}`
  const close = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', close)
  return { listenOn: address, addressOf: () => address, close }
}
