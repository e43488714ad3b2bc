// Wiring only: creates the parts of the service, starts them in order, and stops them.

import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ClientAddresses } from '../api/admission/client-address.ts'
import { metricsCheck } from '../api/admission/metrics-key.ts'
import { AuditLog } from '../api/audit/audit-log.ts'
import { GrpcServer } from '../api/grpc/server.ts'
import { KeptAnswers } from '../api/idempotency/kept-answers.ts'
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
import { type DemoOperator, startMessage } from '../ops/start-message.ts'
import { version } from '../ops/version.ts'
import { isSameKey } from '../registry/key-files.ts'
import type { Registry } from '../registry/registry.ts'
import { isReject } from '../registry/reject.ts'
import { newUuid } from '../registry/uuid.ts'
import type { Store } from '../store/store.ts'
import { openPorts } from './listen.ts'
import { metricsPortOf, noMetricsPort } from './metrics-port.ts'
import {
  type Base,
  type OpenShards,
  openShards,
  type Role,
  type StoreOptions,
  usualRole,
} from './shards.ts'

const consoleFolder = fileURLToPath(new URL('../../console/dist/', import.meta.url))
const guideFolder = fileURLToPath(new URL('../../guide/dist/', import.meta.url))

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
  /** The metrics, if another process serves their own port; those of this one by default. */
  readonly metricsText?: () => Promise<string>
}

/** Opens the parts of the service and serves clients. */
export async function serve(config: Config, serving: Serving): Promise<Service> {
  await checkHost(config)
  const { base, isPortShared = false, role } = serving
  const { eventRetentionMs, host, rules } = config
  const { clock, log, metrics, reportFailure } = base
  const opened = await openShards(config, base, role)
  const text = serving.metricsText ?? (() => metrics.text())
  const metricsSource = { text, contentType: metrics.contentType }
  const metricsPort =
    serving.metricsText === undefined
      ? metricsPortOf(config, metricsSource, reportFailure)
      : noMetricsPort
  const { store, keys, keyUses, registry, outbox, feeds, deliveries, host: shardHost } = opened
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
    addresses: new ClientAddresses(config.trustedProxies),
    isReady: () => shardHost.isReady,
  }
  const keptAnswers = keptAnswersOf(store, base)
  const audit = auditLogOf(store, config, base)
  const server = createServer({
    ...common,
    keptAnswers,
    audit,
    keyUses,
    metrics: { ...metricsSource, request: (measures) => metrics.request(measures) },
    metricsRoute:
      config.metricsPort === null ? { isAllowed: metricsCheck(config.metricsKey) } : null,
    version,
    clockBehindMs: () => clock.behindMs,
    streamDocument: () => streamDocument(version),
    consoleFolder,
    guideFolder,
    cluster: shardHost.administration,
    deliveries,
    isAdmin: isSameKey(keys.admin.text),
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
  const [grpcPort, port, metricsOn] = await openPorts([
    {
      setting: 'GRPC_PORT',
      port: config.grpcPort,
      open: (wanted) => grpc.listen({ host, port: wanted }),
    },
    {
      setting: 'PORT',
      port: config.port,
      open: async (wanted) => {
        await server.acceptQueues.listen({ host, port: wanted, isShared: isPortShared })
        return portOf(server.addresses())
      },
    },
    ...metricsPort.openings,
  ])
  assert(grpcPort !== undefined && port !== undefined, 'both ports are open')
  // Last, because its key is shown only once: a start that fails must not use it up.
  const demo = config.hasDemoOperator ? await demoOperator(registry) : null
  const url = urlOf(config, port)
  return {
    url,
    port,
    grpcPort,
    reportFailure,
    startMessage: messageOf(config, { url, grpcPort, metricsOn, keys, demo }),
    stop: async () => {
      log.info('stopping')
      keptAnswers.close()
      audit.close()
      await shardHost.leave()
      const closed = Promise.all([server.close(), grpc.stop(), metricsPort.close()])
      await shardHost.stop(closed.then(() => keyUses.stop()))
      await store.close()
    },
  }
}

function keptAnswersOf(store: Store, { clock, reportFailure }: Base): KeptAnswers {
  return new KeptAnswers({
    store: store.keptAnswers,
    isOnlyProcess: store.cluster === null,
    now: () => clock.now(),
    newId: () => newUuid(clock.now()),
    reportFailure,
  })
}

function auditLogOf(store: Store, config: Config, { clock, reportFailure }: Base): AuditLog {
  return new AuditLog({
    store: store.audit,
    retentionMs: config.auditRetentionMs,
    // The processes of a machine agree in it.
    now: () => clock.wall(),
    newId: newUuid,
    reportFailure,
  })
}

type Started = Pick<Service, 'url' | 'grpcPort'> &
  Pick<OpenShards, 'keys'> & {
    /** The port of the metrics, if they have one. */
    readonly metricsOn: number | undefined
    readonly demo: DemoOperator | null
  }

export function messageOf(config: Config, started: Started): string {
  const { url, grpcPort, metricsOn, keys, demo } = started
  return startMessage({
    version,
    url,
    grpcAddress: `${new URL(url).hostname}:${grpcPort}`,
    metricsUrl: metricsOn === undefined ? null : `${urlOf(config, metricsOn)}/metrics`,
    isOnAllInterfaces: isEveryAddress(config.host),
    hasConsole: existsSync(join(consoleFolder, 'index.html')),
    hasGuide: existsSync(join(guideFolder, 'index.html')),
    dataDir: config.dataDir,
    adminKeyPath: keys.admin.path,
    demo,
  })
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

/** Creates it if there are no operators; null if there are others only. */
export async function demoOperator({ operators }: Registry): Promise<DemoOperator | null> {
  const demo = { name: 'demo', supportedCurrencies: ['USD'], feeRate: null }
  const created = await operators.createFirst(demo)
  if (!isReject(created)) return { id: created.operator.id, key: created.apiKey }
  const known = operators.list().find(({ name, isActive }) => name === demo.name && isActive)
  return known === undefined ? null : { id: known.id, key: null }
}

function portOf([listening]: readonly (AddressInfo | string)[]): number {
  assert(typeof listening === 'object', 'a server that listens has an address')
  return listening.port
}

// A service that listens on all addresses is reached at the loopback address.
function urlOf({ host }: Config, port: number): string {
  const name = isEveryAddress(host) ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}
