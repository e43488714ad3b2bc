// Wiring only: builds every room, starts them in order, and stops them in the reverse order.

import { flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Admission } from './api/admission/admission.ts'
import { GrpcCannotListen, GrpcServer } from './api/grpc/server.ts'
import { createServer } from './api/rest/server.ts'
import { type StreamSettings, usualSettings } from './api/ws/context.ts'
import { streamDocument } from './api/ws/document.ts'
import { encodersOf } from './api/ws/encode.ts'
import { StreamServer } from './api/ws/server.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { assert } from './core/assert.ts'
import type { FeeRate } from './core/money.ts'
import { Clock } from './engine/clock.ts'
import { Engine } from './engine/engine.ts'
import { Feed, type FeedOptions } from './feed/feed.ts'
import { Outbox } from './feed/outbox.ts'
import { hostFault } from './ops/host.ts'
import { createLog, type Log } from './ops/log.ts'
import { Metrics } from './ops/metrics.ts'
import { complaintAboutPort } from './ops/ports.ts'
import { onStopSignal } from './ops/signals.ts'
import { startMessage } from './ops/start-message.ts'
import { version } from './ops/version.ts'
import {
  adminCheck,
  type KeyFile,
  KeyFileError,
  readAdminKey,
  readSecretsKey,
  secretKeyOf,
  wrongSecretsKey,
} from './registry/key-files.ts'
import { Registry } from './registry/registry.ts'
import { isReject } from './registry/reject.ts'
import { DecryptionError } from './registry/secrets-key.ts'
import { checkWebhookUrl, isPublicAddress } from './registry/webhook-url.ts'
import { openPostgresStore } from './store/postgres/postgres-store.ts'
import {
  openSqliteStore,
  type SqliteOptions,
  StoreCannotOpen,
} from './store/sqlite/sqlite-store.ts'
import type { OperatorRow, Store } from './store/store.ts'

/** As sysexits.h has them. */
const exitCodes = { wrongSetting: 78, cannotStart: 69, storeLost: 70 } as const
const nodeVersionMin = 24
const consoleFolder = fileURLToPath(new URL('../console/dist/', import.meta.url))

export type Service = {
  readonly url: string
  readonly port: number
  readonly grpcPort: number
  /** What a start says to whoever started it. */
  readonly addParticipant: string
  stop(): Promise<void>
}

export type Overrides = {
  /** Stands between the service and its store; for measuring. */
  readonly wrapStore?: (store: Store) => Store
  /** For tests that cannot wait so long or open so many. */
  readonly stream?: Partial<StreamSettings>
}

export async function startService(config: Config, overrides: Overrides = {}): Promise<Service> {
  await checkHost(config)
  const rooms = await openRooms(config, overrides)
  const { engine, feed, log, now, registry, secrets, store } = rooms
  const { eventRetentionMs, rateLimits, rules } = config
  const { keys } = registry
  const limits = { ...rateLimits, public: rateLimits.publicRequests }
  const outbox = new Outbox(engine.ids, encodersOf(eventRetentionMs))
  engine.onCommitted((turn) => outbox.deliver(turn))
  const common = {
    ...{ log, now, registry, eventRetentionMs, rules, outbox },
    metrics: rooms.metrics,
    isReady: () => engine.isReady,
    admission: new Admission({ keys, limits, now }),
    submit: engine.submit,
    submitAll: engine.submitAll,
    reads: store.reads,
    ids: engine.ids,
  }
  const server = createServer({
    ...common,
    version,
    streamDocument: () => streamDocument(version),
    consoleFolder,
    deliveries: feed.dispatcher,
    isAdmin: adminCheck(secrets.admin),
  })
  const settings = { ...usualSettings, ...overrides.stream }
  const stream = new StreamServer({ ...common, settings })
  stream.attach(server)
  rooms.streams.push(stream)
  const grpc = new GrpcServer(common)
  const { host } = config
  const grpcPort = await grpc.listen({ host, port: config.grpcPort })
  await server.listen({ host, port: config.port })
  // Not before: its key is shown once, and a start that ends at a port in use shows nothing.
  const demoKey = config.hasDemoOperator ? await makeDemoOperator(registry) : null
  const { port, url } = addressOf(config, server.addresses())
  const grpcAddress = `${new URL(url).hostname}:${grpcPort}`
  const { adminPath: adminKeyPath } = secrets
  const { dataDir } = config
  const addParticipant = startMessage({ version, url, grpcAddress, dataDir, adminKeyPath, demoKey })
  return {
    url,
    port,
    grpcPort,
    addParticipant,
    stop: async () => {
      log.info('stopping')
      await Promise.all([server.close(), grpc.stop(), engine.stop(), feed.stop()])
      await store.close()
    },
  }
}

// Before anything is opened; a server that cannot listen would lay it on its port.
async function checkHost({ host }: Config): Promise<void> {
  const fault = await hostFault(host)
  if (fault === null) return
  const takes = 'it takes an address or a name of this machine'
  throw new ConfigError(`HOST is "${host}", ${fault}; ${takes}, or 0.0.0.0 for all of them.`)
}

/** All that stands behind the interfaces, started. */
async function openRooms(config: Config, { wrapStore }: Overrides) {
  const log = createLog({ level: config.logLevel })
  const metrics = new Metrics()
  const { now } = clockOf(log)
  const engines: Engine[] = []
  const feeds: Feed[] = []
  const streams: StreamServer[] = []
  const opened = await openStore(config, {
    folder: config.dataDir,
    now,
    onFatal: (error) => endWithStore(error, engines, log),
  })
  const store = wrapStore?.(opened) ?? opened
  const secrets = await readSecrets(config)
  const engine = await Engine.start({ store, rules: config.rules, now, log, metrics })
  engines.push(engine)
  const registry = await Registry.open({
    store: store.registry,
    now,
    secretKey: secretKeyOf(secrets.sealing.text),
    allowInsecureWebhooks: config.allowsInsecureWebhooks,
    onOperatorStored: async (operator) => engine.putOperator(shardOperator(operator)),
    onOperatorChanged: (id) => {
      feeds[0]?.dispatcher.onOperatorChanged(id)
      streams[0]?.checkKeysOf(id)
    },
    onKeyRevoked: (operatorId) => streams[0]?.checkKeysOf(operatorId),
    onWebhookChanged: async (id) => feeds[0]?.dispatcher.onWebhookChanged(id),
  }).catch(async (error: unknown) => {
    throw error instanceof DecryptionError ? await wrongSecretsKey(secrets.sealing.kept) : error
  })
  const feed = feedOf(config, registry, { store, ids: engine.ids, now, log, metrics })
  feeds.push(feed)
  engine.onCommitted(({ eventRecords }) => feed.onCommitted(eventRecords))
  await feed.start()
  return { engine, feed, log, metrics, now, registry, secrets, store, streams }
}

function openStore({ databaseUrl: url }: Config, options: SqliteOptions): Promise<Store> {
  return url === null ? openSqliteStore(options) : openPostgresStore({ ...options, url })
}

type FeedParts = Pick<FeedOptions, 'store' | 'ids' | 'now' | 'log' | 'metrics'>

function feedOf(config: Config, registry: Registry, parts: FeedParts): Feed {
  const { operators, webhooks } = registry
  const { allowsInsecureWebhooks: allowInsecure, eventRetentionMs } = config
  return new Feed({
    ...parts,
    eventRetentionMs,
    allowsPrivateNames: allowInsecure,
    addressFilter: {
      urlError: (url) => checkWebhookUrl(url, { allowInsecure })?.message ?? null,
      isAllowed: (address) => allowInsecure || isPublicAddress(address),
    },
    webhooks: {
      all: () => webhooks.all(),
      find: (id) => webhooks.find(id),
      secretOf: (webhook) => webhooks.secretOf(webhook),
      isOperatorActive: (id) => operators.get(id)?.isActive === true,
      operatorNumber: (id) => {
        const operator = operators.get(id)
        assert(operator !== undefined, 'a webhook belongs to an operator')
        return operator.number
      },
    },
  })
}

// Long enough for the answers that are under way to leave.
const exitDelayMs = 200

function endWithStore(error: Error, engines: readonly Engine[], log: Log): void {
  log.error('store lost', { error })
  for (const engine of engines) engine.fail(error)
  setTimeout(() => process.exit(exitCodes.storeLost), exitDelayMs)
}

function clockOf(log: Log): { now: () => number } {
  const clock = new Clock({
    wall: () => Date.now(),
    steady: () => performance.now(),
    onJump: (ms) => log.error('the clock of this machine jumped and is not followed', { ms }),
  })
  return { now: () => clock.now() }
}

async function readSecrets(config: Config) {
  const keptSealing = config.secretsKey === null ? await readSecretsKey(config.dataDir) : null
  const sealing = { text: config.secretsKey ?? keptSealing!.text, kept: keptSealing }
  if (config.adminApiKey !== null) return { sealing, admin: config.adminApiKey, adminPath: null }
  const kept: KeyFile = await readAdminKey(config.dataDir)
  return { sealing, admin: kept.text, adminPath: kept.path }
}

/** On the first start of all. Its key, or null where there are operators already. */
async function makeDemoOperator({ operators }: Registry): Promise<string | null> {
  if (operators.list().length > 0) return null
  const demo = { name: 'demo', supportedCurrencies: ['USD'], feeRate: null }
  const made = await operators.create(demo)
  return isReject(made) ? null : made.apiKey
}

function shardOperator({ id, number, supportedCurrencies, feeRate }: OperatorRow) {
  return { id, number, supportedCurrencies, feeRate: feeRate as FeeRate | null }
}

// Where one asks that listens everywhere: at home.
function addressOf({ host }: Config, [listening]: readonly (AddressInfo | string)[]) {
  assert(typeof listening === 'object', 'a server that listens has an address')
  const { port } = listening
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return { port, url: `http://${name.includes(':') ? `[${name}]` : name}:${port}` }
}

/** One line for whoever starts the service, and the code it ends with. */
function startFailure(error: unknown): { readonly line: string; readonly code: number } {
  if (error instanceof ConfigError) return { line: error.message, code: exitCodes.wrongSetting }
  const code = exitCodes.cannotStart
  const known = [StoreCannotOpen, KeyFileError, GrpcCannotListen]
  if (error instanceof Error && known.some((kind) => error instanceof kind)) {
    return { line: error.message, code }
  }
  const line = complaintAboutListening(error)
  if (line !== null) return { line, code }
  return { line: error instanceof Error ? (error.stack ?? error.message) : String(error), code }
}

function complaintAboutListening(error: unknown): string | null {
  if (!(error instanceof Error && 'port' in error && typeof error.port === 'number')) return null
  return complaintAboutPort(error, error.port, 'PORT')
}

async function main(): Promise<void> {
  try {
    if (Number.parseInt(process.versions.node, 10) < nodeVersionMin) {
      throw new ConfigError(
        `Node ${nodeVersionMin} or newer is needed; this is ${process.version}.`,
      )
    }
    const service = await startService(readConfig(process.env))
    process.stdout.write(service.addParticipant)
    onStopSignal({ stop: () => service.stop(), exit: (code) => process.exit(code) })
    // Where NODE_COMPILE_CACHE names a folder, the next start finds its code there.
    flushCompileCache()
  } catch (error) {
    const { line, code } = startFailure(error)
    process.stderr.write(`${line}\n`)
    process.exit(code)
  }
}

if (import.meta.main) await main()
