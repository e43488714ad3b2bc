// Wiring only: creates the parts of the service, starts them in order, and stops them.

import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Admission } from './api/admission/admission.ts'
import { GrpcServer } from './api/grpc/server.ts'
import { createServer } from './api/rest/server.ts'
import { Shards } from './api/shards.ts'
import { type StreamSettings, usualSettings } from './api/ws/context.ts'
import { streamDocument } from './api/ws/document.ts'
import { encodersOf } from './api/ws/encode.ts'
import { StreamServer } from './api/ws/server.ts'
import { type Config, ConfigError } from './config.ts'
import { assert } from './core/assert.ts'
import type { FeeRate } from './core/money.ts'
import type { Rules } from './core/state/exchange.ts'
import { Clock } from './engine/clock.ts'
import { Engine } from './engine/engine.ts'
import { Feed, type FeedOptions } from './feed/feed.ts'
import { Feeds } from './feed/feeds.ts'
import { Outbox } from './feed/outbox.ts'
import { failureReporter, type ReportFailure } from './ops/edge-failures.ts'
import { hostProblem } from './ops/host.ts'
import { createLog, type Log } from './ops/log.ts'
import { Metrics } from './ops/metrics.ts'
import { startMessage } from './ops/start-message.ts'
import { version } from './ops/version.ts'
import {
  adminCheck,
  type KeyFile,
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
import { openSqliteStore, type SqliteOptions } from './store/sqlite/sqlite-store.ts'
import type { OperatorRow, Store, WebhookRow } from './store/store.ts'

/** From sysexits.h. */
export const exitCodes = { invalidSetting: 78, cannotStart: 69, storeFailed: 70 } as const
const consoleFolder = fileURLToPath(new URL('../console/dist/', import.meta.url))

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

  // The store can fail at any time from here on, also before the engines have started.
  const engines: Engine[] = []
  const onFatal = (error: Error) => exitWithoutStore(error, engines, log)
  const timeProblem = (time: number) => (config.acceptsClockBehind ? null : clock.problemWith(time))
  const opened = await openStore(config, { folder: dataDir, metrics, now, timeProblem, onFatal })
  const store = overrides.wrapStore?.(opened) ?? opened
  const keys = await readKeys(config)
  const onStoredTime = (time: number) => continueFrom(time, clock, log)
  const reporting = { log, metrics, reportFailure }
  const isStoreAnswering = () => store.isAnswering()
  const parts = { rules, now, onStoredTime, isStoreAnswering, ...reporting }
  for (const shard of store.shards) engines.push(await Engine.start({ store: shard, ...parts }))
  warnOfMoreShards(config, store, log)

  const registry = await openRegistry(config, keys.secrets, { store, engines, now })
  const outbox = new Outbox(encodersOf(eventRetentionMs), reportFailure)
  const feeds = newFeeds(config, registry, { store, engines, now, wall, ...reporting })
  for (const engine of engines) {
    engine.onCommitted((turn) => outbox.deliver(turn, engine.ids))
  }
  await feeds.start()

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
    shards: shardsOf(store, engines, rules),
    admission: new Admission({ keys: registry.keys, limits, now: wall }),
    isReady: () => engines.every((engine) => engine.isReady),
  }
  const server = createServer({
    ...common,
    version,
    clockBehindMs: () => clock.behindMs,
    streamDocument: () => streamDocument(version),
    consoleFolder,
    deliveries: feeds,
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
  })

  const grpcPort = await grpc.listen({ host, port: config.grpcPort })
  await server.listen({ host, port: config.port })
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
      const stopped = engines.map((engine) => engine.stop())
      await Promise.all([server.close(), grpc.stop(), feeds.stop(), ...stopped])
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

function continueFrom(storedTime: number, clock: Clock, log: Log): void {
  clock.continueFrom(storedTime)
  const { behindMs } = clock
  if (behindMs === 0) return
  log.error('system clock is behind the stored time, time passes at half pace', {
    behindMs,
    storedTime: new Date(storedTime).toISOString(),
  })
}

function openStore(
  { databaseUrl: url, shardCount }: Config,
  options: SqliteOptions,
): Promise<Store> {
  if (url === null) return openSqliteStore({ ...options, servesCallers: true })
  const onLost = (_shard: number, cause: Error) => options.onFatal(cause)
  return openPostgresStore({ ...options, url, shardCount, onLost })
}

function warnOfMoreShards({ shardCount }: Config, { shards }: Store, log: Log): void {
  if (shards.length <= shardCount) return
  log.warn('the database has more shards than SHARDS, all of them are used', {
    shards: shards.length,
    setting: shardCount,
  })
}

function shardsOf({ shards }: Store, engines: readonly Engine[], rules: Rules): Shards {
  return new Shards(
    engines.map(({ ids, submit, submitAll, costOf }, number) => {
      const { reads, readsFor } = shards[number]!
      return { ids, rules, submit, submitAll, costOf, reads, readsFor }
    }),
  )
}

// Enough to send the answers that are ready.
const exitDelayMs = 200

function exitWithoutStore(error: Error, engines: readonly Engine[], log: Log): void {
  log.error('store failed', { error })
  for (const engine of engines) engine.fail(error)
  setTimeout(() => process.exit(exitCodes.storeFailed), exitDelayMs)
}

/** From the environment, or from files in the data folder; `path` is null for the former. */
async function readKeys({ adminApiKey, dataDir, secretsKey }: Config) {
  const secretsFile = secretsKey === null ? await readSecretsKey(dataDir) : null
  const adminFile = adminApiKey === null ? await readAdminKey(dataDir) : null
  return {
    secrets: { text: secretsKey ?? secretsFile!.text, file: secretsFile },
    admin: { text: adminApiKey ?? adminFile!.text, path: adminFile?.path ?? null },
  }
}

type SecretsKeySource = { readonly text: string; readonly file: KeyFile | null }
type RegistryParts = {
  readonly store: Store
  readonly engines: readonly Engine[]
  readonly now: () => number
}

async function openRegistry(
  config: Config,
  secrets: SecretsKeySource,
  { store, engines, now }: RegistryParts,
): Promise<Registry> {
  try {
    return await Registry.open({
      store: store.registry,
      now,
      secretKey: secretKeyOf(secrets.text),
      allowInsecureWebhooks: config.allowsInsecureWebhooks,
      shardCount: store.shards.length,
      onOperatorStored: async (operator) =>
        engines[operator.shard]?.putOperator(shardOperator(operator)),
    })
  } catch (error) {
    throw error instanceof DecryptionError ? await wrongSecretsKey(secrets.file) : error
  }
}

type FeedParts = Pick<FeedOptions, 'now' | 'wall' | 'log' | 'metrics' | 'reportFailure'> & {
  readonly store: Store
  readonly engines: readonly Engine[]
}

function newFeeds(
  config: Config,
  registry: Registry,
  { store, engines, ...parts }: FeedParts,
): Feeds {
  const { operators, webhooks } = registry
  const feeds = engines.map((engine, shard) => {
    const isOwn = (webhook: WebhookRow) => operators.get(webhook.operatorId)?.shard === shard
    const own = { store: store.shards[shard]!, ids: engine.ids }
    const feed = newFeed(config, registry, { ...parts, ...own, isOwn })
    engine.onCommitted(({ eventRecords }) => feed.onCommitted(eventRecords))
    return feed
  })
  return new Feeds(feeds, {
    shardOf: (operatorId) => operators.get(operatorId)?.shard,
    webhook: (id) => webhooks.find(id),
  })
}

type ShardFeedParts = Omit<FeedOptions, keyof ReturnType<typeof webhookSettings> | 'webhooks'> & {
  readonly isOwn: (webhook: WebhookRow) => boolean
}

function newFeed(config: Config, registry: Registry, { isOwn, ...parts }: ShardFeedParts): Feed {
  const { operators, webhooks } = registry
  return new Feed({
    ...parts,
    ...webhookSettings(config),
    webhooks: {
      all: () => [...webhooks.all()].filter(isOwn),
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

function webhookSettings({ allowsInsecureWebhooks: allowInsecure, eventRetentionMs }: Config) {
  return {
    eventRetentionMs,
    allowsPrivateNames: allowInsecure,
    addressFilter: {
      urlError: (url: string) => checkWebhookUrl(url, { allowInsecure })?.message ?? null,
      isAllowed: (address: string) => allowInsecure || isPublicAddress(address),
    },
  }
}

/** Returns the key of the new operator, or null if there are operators already. */
async function createDemoOperator({ operators }: Registry): Promise<string | null> {
  if (operators.list().length > 0) return null
  const demo = { name: 'demo', supportedCurrencies: ['USD'], feeRate: null }
  const created = await operators.create(demo)
  return isReject(created) ? null : created.apiKey
}

function shardOperator({ id, number, supportedCurrencies, feeRate }: OperatorRow) {
  return { id, number, supportedCurrencies, feeRate: feeRate as FeeRate | null }
}

// A service that listens on all addresses is reached at the loopback address.
function addressOf({ host }: Config, [listening]: readonly (AddressInfo | string)[]) {
  assert(typeof listening === 'object', 'a server that listens has an address')
  const { port } = listening
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return { port, url: `http://${name.includes(':') ? `[${name}]` : name}:${port}` }
}
