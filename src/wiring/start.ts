// Wiring only: creates the parts of the service, starts them in order, and stops them.

import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Admission } from '../api/admission/admission.ts'
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
import { openShards } from './shards.ts'

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
  await checkHost(config)
  const { dataDir, eventRetentionMs, host, rateLimits, rules } = config
  const log = createLog({ level: config.logLevel })
  const metrics = new Metrics()
  const reportFailure = failureReporter({ log, metrics })
  const clock = newClock(log)
  metrics.watchClock(clock)
  const [now, wall] = [() => clock.now(), () => clock.wall()]
  const base = { log, metrics, reportFailure, clock }
  const opened = await openShards(config, { ...base, ...overrides })
  const { store, keys, registry, outbox, feeds, deliveries, host: shardHost } = opened

  const limits = { ...rateLimits, public: rateLimits.publicRequests }
  const common = {
    log,
    reportFailure,
    now,
    metrics,
    rules,
    eventRetentionMs,
    registry,
    outbox,
    shards: shardsOf(store, shardHost, rules),
    admission: new Admission({
      keys: registry.keys,
      limits,
      now: wall,
      isInTouch: () => shardHost.isInTouch,
      shared: opened.limits,
    }),
    isReady: () => shardHost.isReady,
  }
  const server = createServer({
    ...common,
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
    settings: { ...usualSettings, ...overrides.stream },
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

  const grpcPort = await grpc.listen({ host, port: config.grpcPort })
  await server.acceptQueues.listen({ host, port: config.port })
  // Last, because its key is shown only once: a start that fails must not use it up.
  const demoKey = config.hasDemoOperator ? await createDemoOperator(registry) : null
  const { port, url } = addressOf(config, server.addresses())
  return {
    url,
    port,
    grpcPort,
    reportFailure,
    startMessage: startMessage({
      version,
      url,
      grpcAddress: `${new URL(url).hostname}:${grpcPort}`,
      dataDir,
      adminKeyPath: keys.admin.path,
      demoKey,
    }),
    stop: async () => {
      log.info('stopping')
      await shardHost.leave()
      await shardHost.stop(Promise.all([server.close(), grpc.stop()]))
      await store.close()
    },
  }
}

// Before anything is opened: a server that cannot listen would report it as an error of its port.
async function checkHost({ host }: Config): Promise<void> {
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
async function createDemoOperator({ operators }: Registry): Promise<string | null> {
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
