// Wiring only: creates the parts of the service, starts them in order, and stops them.

import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { GrpcServer } from '../api/grpc/server.ts'
import { createServer } from '../api/rest/server.ts'
import { Shards } from '../api/shards.ts'
import { type StreamSettings, usualSettings } from '../api/ws/context.ts'
import { streamDocument } from '../api/ws/document.ts'
import { StreamServer } from '../api/ws/server.ts'
import type { ShardHost } from '../cluster/shard-host.ts'
import { type Config, ConfigError } from '../config.ts'
import { assert } from '../core/assert.ts'
import { Ids } from '../core/ids.ts'
import type { Rules } from '../core/state/exchange.ts'
import { Clock } from '../engine/clock.ts'
import { failureReporter, type ReportFailure } from '../ops/edge-failures.ts'
import { hostProblem } from '../ops/host.ts'
import { createLog, type Log } from '../ops/log.ts'
import { Metrics } from '../ops/metrics.ts'
import { startMessage } from '../ops/start-message.ts'
import { version } from '../ops/version.ts'
import { adminCheck } from '../registry/key-files.ts'
import type { Registry } from '../registry/registry.ts'
import { isReject } from '../registry/reject.ts'
import type { Store } from '../store/store.ts'
import {
  type Base,
  type OpenShards,
  openShards,
  type Role,
  type StoreOptions,
  usualRole,
} from './shards.ts'

const consoleFolder = fileURLToPath(new URL('../../console/dist/', import.meta.url))

export type Service = {
  readonly url: string
  readonly port: number
  readonly grpcPort: number
  /** The text to print when the service has started. */
  readonly startMessage: string
  readonly reportFailure: ReportFailure
  stop(): Promise<void>
}

export type Overrides = {
  /** Wraps the store, to measure it. */
  readonly wrapStore?: (store: Store) => Store
  /** For tests with shorter times and lower limits. */
  readonly stream?: Partial<StreamSettings>
}

export async function startService(config: Config, overrides: Overrides = {}): Promise<Service> {
  const { stream, wrapStore = (store: Store) => store } = overrides
  const role = usualRole(config)
  const openStore = async (options: StoreOptions) => wrapStore(await role.openStore(options))
  return serve(config, { base: newBase(config), role: { ...role, openStore }, stream })
}

type Serving = {
  readonly base: Base
  readonly role: Role
  readonly stream?: Partial<StreamSettings> | undefined
  /** Whether other processes of this service listen on the port, too. */
  readonly isPortShared?: boolean
  /** Awaited before the service listens. */
  readonly untilReady?: (isReady: () => boolean) => Promise<void>
  /** The metrics; those of this process by default. */
  readonly metricsText?: () => Promise<string>
}

/** Opens the parts of the service and serves clients. */
export async function serve(config: Config, serving: Serving): Promise<Service> {
  await checkHost(config)
  const { base, isPortShared = false, role } = serving
  const { eventRetentionMs, host, rules } = config
  const { clock, log, metrics, reportFailure } = base
  const opened = await openShards(config, base, role)
  const { store, keys, registry, outbox, feeds, deliveries, host: shardHost } = opened

  const common = {
    log,
    reportFailure,
    now: () => clock.now(),
    metrics,
    rules,
    eventRetentionMs,
    registry,
    outbox,
    shards: shardsOf(store, shardHost, rules),
    admission: opened.admission,
    isReady: () => shardHost.isReady,
  }
  const server = createServer({
    ...common,
    metrics: {
      request: (measures) => metrics.request(measures),
      text: serving.metricsText ?? (() => metrics.text()),
      contentType: metrics.contentType,
    },
    version,
    clockBehindMs: () => clock.behindMs,
    streamDocument: () => streamDocument(version),
    consoleFolder,
    cluster: shardHost.administration,
    deliveries,
    isAdmin: adminCheck(keys.admin.text),
  })
  const stream = new StreamServer({
    ...common,
    settings: { ...usualSettings, ...serving.stream },
  })
  stream.attach(server)
  const grpc = new GrpcServer(common)
  registry.listen({
    onOperatorChanged: (id) => {
      feeds.onOperatorChanged(id)
      stream.checkKeysOf(id)
    },
    onKeyRevoked: (operatorId) => stream.checkKeysOf(operatorId),
    onWebhookChanged: (id) => feeds.onWebhookChanged(id),
    onWritten: (registryVersion) => shardHost.waitForNodes(registryVersion),
  })

  await serving.untilReady?.(() => shardHost.isReady)
  const grpcPort = await grpc.listen({ host, port: config.grpcPort })
  await server.acceptQueues.listen({ host, port: config.port, isShared: isPortShared })
  // Last, because its key is shown only once: a start that fails must not use it up.
  const demoKey = config.hasDemoOperator ? await createDemoOperator(registry) : null
  const { port, url } = addressOf(config, server.addresses())
  return {
    url,
    port,
    grpcPort,
    reportFailure,
    startMessage: messageOf(config, { url, grpcPort, keys, demoKey }),
    stop: async () => {
      log.info('stopping')
      await shardHost.leave()
      await shardHost.stop(Promise.all([server.close(), grpc.stop()]))
      await store.close()
    },
  }
}

type Started = Pick<Service, 'url' | 'grpcPort'> &
  Pick<OpenShards, 'keys'> & { readonly demoKey: string | null }

export function messageOf({ dataDir }: Config, { url, grpcPort, keys, demoKey }: Started): string {
  const grpcAddress = `${new URL(url).hostname}:${grpcPort}`
  const adminKeyPath = keys.admin.path
  return startMessage({ version, url, grpcAddress, dataDir, adminKeyPath, demoKey })
}

export function newBase({ logLevel }: Config): Base {
  const log = createLog({ level: logLevel })
  const metrics = new Metrics()
  const clock = newClock(log)
  metrics.watchClock(clock)
  return { log, metrics, reportFailure: failureReporter({ log, metrics }), clock }
}

// Before anything is opened: a server that cannot listen would report it as an error of its port.
export async function checkHost({ host }: Config): Promise<void> {
  const problem = await hostProblem(host)
  if (problem === null) return
  const expected = 'an address or a name of this machine, or 0.0.0.0 for all of its addresses'
  throw new ConfigError(`HOST must be ${expected}: "${host}" ${problem}.`)
}

function newClock(log: Log): Clock {
  return new Clock({
    wall: () => Date.now(),
    steady: () => performance.now(),
    onJump: (ms) => log.error('system clock jumped, jump ignored', { ms }),
  })
}

function shardsOf({ shards }: Store, host: ShardHost, rules: Rules): Shards {
  return new Shards(
    shards.map(({ shard, idKey: key, reads, readsFor }) => {
      const ids = new Ids({ shard, key })
      const { submit, submitAll, costOf } = host.commandsOf(shard)
      return { ids, rules, submit, submitAll, costOf, reads, readsFor }
    }),
  )
}

/** Returns the key of the new operator, or null if there are operators already. */
export async function createDemoOperator({ operators }: Registry): Promise<string | null> {
  const demo = { name: 'demo', supportedCurrencies: ['USD'], feeRate: null }
  const created = await operators.createFirst(demo)
  return isReject(created) ? null : created.apiKey
}

// A service that listens on all addresses is reached at the loopback address.
function addressOf({ host }: Config, [listening]: readonly (AddressInfo | string)[]) {
  assert(typeof listening === 'object', 'a server that listens has an address')
  const { port } = listening
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return { port, url: `http://${name.includes(':') ? `[${name}]` : name}:${port}` }
}
