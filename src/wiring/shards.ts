// Opens the store and the registry, and runs the shards: all of them, or those of a node.

import { Admission } from '../api/admission/admission.ts'
import { OperatorLimits } from '../api/admission/shared-limits.ts'
import { encodersOf } from '../api/ws/encode.ts'
import { clockOffMsMax } from '../cluster/node.ts'
import { OwnedShards } from '../cluster/owned-shards.ts'
import { LoneHost, type ShardHost } from '../cluster/shard-host.ts'
import type { Config } from '../config.ts'
import type { FeeRate } from '../core/money.ts'
import type { Clock } from '../engine/clock.ts'
import { Engine } from '../engine/engine.ts'
import { Feeds } from '../feed/feeds.ts'
import { Outbox } from '../feed/outbox.ts'
import type { ReportFailure } from '../ops/edge-failures.ts'
import type { Log } from '../ops/log.ts'
import type { Metrics } from '../ops/metrics.ts'
import { version } from '../ops/version.ts'
import {
  type KeyFile,
  readAdminKey,
  readSecretsKey,
  secretKeyOf,
  wrongSecretsKey,
} from '../registry/key-files.ts'
import { KeyUses } from '../registry/key-uses.ts'
import { Registry } from '../registry/registry.ts'
import { DecryptionError } from '../registry/secrets-key.ts'
import { eventFormOf, presentEngineVersion } from '../store/engine-version.ts'
import { openPostgresStore, type PostgresOptions } from '../store/postgres/postgres-store.ts'
import { openSqliteStore, type SqliteOptions } from '../store/sqlite/sqlite-store.ts'
import type { BrakeRow, OperatorRow, ShardStore, Store } from '../store/store.ts'
import { answerOf, RoutedDeliveries } from './deliveries.ts'
import { exitCodes } from './exit-codes.ts'
import { clusterSetup, joinCluster, type NodeSetup, newNode } from './node.ts'
import { newFeed } from './shard-feed.ts'
import { continueFrom } from './stored-time.ts'
import { receiverOf, remoteTurns } from './turns.ts'

/** What every process of the service has. */
export type Base = {
  readonly log: Log
  readonly metrics: Metrics
  readonly reportFailure: ReportFailure
  readonly clock: Clock
}

/** What differs between the processes of the service. */
export type Role = {
  readonly openStore: (options: StoreOptions) => Promise<Store>
  /** Whether it owns every shard from the start, whatever nodes there are. */
  readonly ownsAll: boolean
  /** null for a process that is alone on its database. */
  readonly nodeSetup: (store: Store, owned: OwnedShards) => NodeSetup | null
}

export type StoreOptions = SqliteOptions & Pick<PostgresOptions, 'onLost' | 'ownsShards'>

export type OpenShards = Awaited<ReturnType<typeof openShards>>

export async function openShards(config: Config, base: Base, role: Role) {
  const { clock, log, metrics, reportFailure } = base
  const { dataDir, eventRetentionMs, rules } = config
  const [now, wall] = [() => clock.now(), () => clock.wall()]

  // The store can fail at any time from here on, also before the shards have started.
  const onFatal = (error: Error) => exitWithoutStore(error, owned, log)
  const onLost = (shard: number, cause: Error) => {
    if (config.cluster === null) onFatal(cause)
    else node?.lose(shard, cause)
  }
  const timeProblem = (time: number) => (config.acceptsClockBehind ? null : clock.problemWith(time))
  const onDerivationFailed = (error: Error) => log.error('tables not derived', { error })
  const onEvents = { onFatal, onLost, onDerivationFailed }
  const opening = { folder: dataDir, metrics, now, timeProblem, ...onEvents }
  const store = await role.openStore(opening)
  const behindMsUsual = config.cluster === null ? 0 : 2 * clockOffMsMax
  const onStoredTime = (time: number) => continueFrom(time, { clock, log, behindMsUsual })
  const isStoreAnswering = () => store.isAnswering()
  const reporting = { log, metrics, reportFailure }
  const start = async (own: ShardStore) => {
    if (node !== null) await registry.refresh()
    const eventForm = () => eventFormOf(node?.oldestEngineVersion ?? presentEngineVersion)
    const times = { now, onStoredTime }
    const parts = { store: own, rules, ...times, isStoreAnswering, eventForm, ...reporting }
    const engine = await Engine.start(parts)
    const { ids } = engine
    const feedParts = { shard: own.shard, store: own, ids, now, wall, ...reporting }
    const feed = newFeed(config, registry, feedParts)
    engine.onCommitted((turn) => outbox.deliver(turn, ids))
    if (node !== null) engine.onCommitted((turn) => node.publish(own.shard, turn))
    engine.onCommitted(({ eventRows, traces }) => feed.onCommitted(eventRows, traces))
    try {
      await feeds.start(own.shard, feed)
    } catch (error) {
      await Promise.allSettled([engine.handOver(), feed.stop()])
      throw error
    }
    return { engine, stop: (waitMs?: number) => feeds.stop(own.shard, waitMs) }
  }
  const putOperator = (operator: OperatorRow) => {
    if (operator.shard >= store.shards.length) {
      const { id: operatorId, shard } = operator
      log.warn('shard of an operator is unknown until a restart', { operatorId, shard })
    }
    owned.get(operator.shard)?.engine.putOperator(shardOperator(operator))
  }
  const onBrake = (brake: BrakeRow) => putBrake(owned, brake)
  // The registry may have changed since the shard was loaded.
  const onStarted = (shard: number) => {
    const operators = registry.operators.list()
    for (const operator of operators) if (operator.shard === shard) putOperator(operator)
    // The former owner's last turns may not have arrived.
    if (node !== null) outbox.resync(shard)
    putBrake(owned, registry.brakes.current)
  }
  const owned: OwnedShards = new OwnedShards({ stores: store.shards, start, onStarted, log })
  const keys = await readKeys(config)
  warnOfMoreShards(config, store, log)

  const registry = await openRegistry(config, keys.secrets, { store, now, putOperator, onBrake })
  const outbox = new Outbox(encodersOf(eventRetentionMs), reportFailure)
  const feeds = new Feeds({
    shardOf: (operatorId) => registry.operators.get(operatorId)?.shard,
    webhook: (id) => registry.webhooks.find(id),
  })
  const secretsKey = secretKeyOf(keys.secrets.text)
  const onReplaced = () => onFatal(new Error('Another process runs as this node.'))
  const limits = new OperatorLimits({
    foreignShardOf: (operatorId) => {
      const shard = registry.operators.get(operatorId)?.shard
      return shard === undefined || owned.get(shard) !== undefined ? null : shard
    },
    now: wall,
  })
  const receiver = receiverOf(outbox, store)
  const answer = (name: string, body: unknown) => answerOf(feeds, name, body)
  const { shards } = store
  const parts = { shards, owned, registry, limits, secretsKey, metrics, log }
  const setup = role.nodeSetup(store, owned)
  const node =
    setup === null ? null : newNode(config, setup, { ...parts, onReplaced, receiver, answer })
  if (node !== null) outbox.setRemote(remoteTurns(node, store))
  if (role.ownsAll) for (const { shard } of shards) await owned.acquire(shard)
  const host: ShardHost = node ?? new LoneHost(owned, version)
  if (node !== null) await joinCluster(node, metrics)
  await host.start()
  const deliveries = node === null ? feeds : new RoutedDeliveries(feeds, node, registry)
  const onFailure = (error: unknown) => log.warn('uses of keys not stored', { error })
  const keyUses = new KeyUses({ store: store.keyUses, now, onFailure })
  const admission = new Admission({
    keys: registry.keys,
    keyUses,
    limits: { ...config.rateLimits, public: config.rateLimits.publicRequests },
    now: wall,
    isInTouch: () => host.isInTouch,
    shared: node === null ? null : limits,
  })
  return { store, keys, registry, outbox, feeds, deliveries, host, admission, keyUses }
}

/** A process that serves clients, and owns all shards or those of a node. */
export function usualRole(config: Config): Role {
  return {
    openStore: (options) => openStore(config, options),
    ownsAll: config.cluster === null,
    nodeSetup: ({ cluster }) =>
      config.cluster === null || cluster === null ? null : clusterSetup(config.cluster, cluster),
  }
}

export function openStore(
  { cluster, databaseUrl: url, shardCount }: Config,
  { onLost, ownsShards = cluster === null || cluster.nodeShardsMax > 0, ...options }: StoreOptions,
): Promise<Store> {
  if (url === null) return openSqliteStore({ ...options, servesCallers: true })
  const shared = { ...options, url, shardCount, onLost, ownsShards }
  if (cluster === null) return openPostgresStore(shared)
  return openPostgresStore({ ...shared, isNode: true, leaseMs: cluster.leaseMs })
}

function warnOfMoreShards({ shardCount }: Config, { shards }: Store, log: Log): void {
  if (shards.length <= shardCount) return
  log.warn('the database has more shards than SHARDS, all of them are used', {
    shards: shards.length,
    setting: shardCount,
  })
}

// Enough to send the answers that are ready.
const exitDelayMs = 200

function exitWithoutStore(error: Error, owned: OwnedShards, log: Log): void {
  log.error('store failed', { error })
  owned.fail(error)
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
  readonly now: () => number
  readonly putOperator: (operator: OperatorRow) => void
  readonly onBrake: (brake: BrakeRow) => void
}

async function openRegistry(
  config: Config,
  secrets: SecretsKeySource,
  { store, now, putOperator, onBrake }: RegistryParts,
): Promise<Registry> {
  try {
    return await Registry.open({
      store: store.registry,
      now,
      secretKey: secretKeyOf(secrets.text),
      allowInsecureWebhooks: config.allowsInsecureWebhooks,
      shardCount: store.shards.length,
      onOperatorStored: async (operator) => putOperator(operator),
      onBrakeStored: onBrake,
    })
  } catch (error) {
    throw error instanceof DecryptionError ? await wrongSecretsKey(secrets.file) : error
  }
}

/** That on the exchange; null if there was never one. */
function putBrake(owned: OwnedShards, brake: BrakeRow | null): void {
  if (brake === null) return
  for (const shard of owned.numbers) owned.get(shard)?.engine.putBrake(brake)
}

function shardOperator({ id, number, supportedCurrencies, feeRate, feeSchedule }: OperatorRow) {
  return { id, number, supportedCurrencies, feeRate: feeRate as FeeRate | null, feeSchedule }
}
