// Makes the service a node of a cluster.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { createSecureContext } from 'node:tls'
import type { OperatorLimits } from '../api/admission/shared-limits.ts'
import type { TurnReceiver } from '../cluster/interests.ts'
import type { LinkTls } from '../cluster/link/frame-socket.ts'
import { CannotJoin } from '../cluster/live-nodes.ts'
import { ClusterNode, type ClusterNodeOptions, clockOffMsMax } from '../cluster/node.ts'
import type { OwnedShards } from '../cluster/owned-shards.ts'
import { type ClusterConfig, type Config, ConfigError } from '../config.ts'
import type { Log } from '../ops/log.ts'
import type { Metrics } from '../ops/metrics.ts'
import { version } from '../ops/version.ts'
import type { Registry } from '../registry/registry.ts'
import { SecretsKey } from '../registry/secrets-key.ts'
import { presentEngineVersion } from '../store/engine-version.ts'
import { SetupProblem, StoreCannotOpen } from '../store/start-errors.ts'
import { type ClusterStore, type ShardStore, StoreUnavailable } from '../store/store.ts'

type NodeParts = {
  readonly shards: readonly ShardStore[]
  readonly owned: OwnedShards
  readonly registry: Registry
  readonly limits: OperatorLimits
  readonly secretsKey: Uint8Array
  readonly metrics: Metrics
  readonly log: Log
  readonly onReplaced: () => void
  readonly receiver: TurnReceiver
  readonly answer: (name: string, body: unknown) => Promise<unknown>
}

/** How a process is a node: what differs between a node, a primary and a front end. */
export type NodeSetup = Pick<ClusterNodeOptions, 'store' | 'listenOn' | 'addressOf' | 'tls'> & {
  readonly shardsMax: number
}

export function newNode(config: Config, setup: NodeSetup, parts: NodeParts): ClusterNode {
  const { shardsMax, ...own } = setup
  const { shards, registry, secretsKey, metrics, ...rest } = parts
  return new ClusterNode({
    ...own,
    ...rest,
    shards,
    registry: {
      get version() {
        return registry.version
      },
      refresh: () => registry.refresh(),
      operatorNumber: (id) => registry.operators.get(id)?.number,
    },
    about: {
      version,
      engineVersion: presentEngineVersion,
      settingsHash: settingsHash(config, secretsKey),
      shardsMax,
    },
    secretsKey,
    metrics: metrics.addCluster(),
  })
}

/** Of a cluster on PostgreSQL. */
export function clusterSetup(cluster: ClusterConfig, store: ClusterStore): NodeSetup {
  const { address, host, nodeShardsMax, port } = cluster
  return {
    store,
    listenOn: hostAndPort(host, port),
    addressOf: (bound) => address ?? hostAndPort(ownName(host), bound),
    tls: readTls(cluster),
    shardsMax: nodeShardsMax,
  }
}

/** No node opens a link to a front end on PostgreSQL: the front end opens links to the owners. */
export function frontEndSetup(cluster: ClusterConfig, store: ClusterStore): NodeSetup {
  return { ...clusterSetup(cluster, store), listenOn: null, shardsMax: 0 }
}

/** Throws StoreCannotOpen. */
export async function joinCluster(node: ClusterNode, metrics: Metrics): Promise<void> {
  try {
    await node.join()
  } catch (error) {
    if (error instanceof CannotJoin) throw new SetupProblem(error.message, { cause: error })
    if (!(error instanceof StoreUnavailable)) throw error
    throw new StoreCannotOpen(`The node cannot join the cluster: ${error.message}`, {
      cause: error,
    })
  }
  metrics.watchRegistry(node)
  const offMs = Math.round(node.clockOffMs)
  if (Math.abs(offMs) <= clockOffMsMax) return
  await node.stop(Promise.resolve())
  throw new SetupProblem(
    `The clock of this machine differs by ${Math.abs(offMs)} ms from that of the database, ` +
      `more than ${clockOffMsMax}; synchronise the clocks.`,
  )
}

/** Of the settings that must be the same on every node. */
function settingsHash(
  { eventRetentionMs, rateLimits, rules }: Config,
  secretsKey: Uint8Array,
): string {
  // A database without any secret does not show that a node has another key.
  const { keyId } = new SecretsKey(secretsKey)
  const text = JSON.stringify([rules, eventRetentionMs, rateLimits, keyId])
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

// A node that listens on all addresses is reached by the name of its machine.
function ownName(host: string): string {
  return host === '0.0.0.0' || host === '::' ? hostname() : host
}

function hostAndPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

function readTls({ tls }: ClusterConfig): LinkTls | null {
  if (tls === null) return null
  const files = { cert: read('CERT', tls.cert), key: read('KEY', tls.key), ca: read('CA', tls.ca) }
  try {
    createSecureContext(files)
  } catch (error) {
    throw new ConfigError(
      'CLUSTER_TLS_CERT, CLUSTER_TLS_KEY and CLUSTER_TLS_CA must be PEM files that fit together: ' +
        `${reasonOf(error)}.`,
    )
  }
  return files
}

function read(name: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new ConfigError(`CLUSTER_TLS_${name} cannot be read: ${reasonOf(error)}.`)
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
