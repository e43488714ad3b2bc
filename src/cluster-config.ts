// The settings of a service that shares its database or its machine with other processes.

import {
  filePath,
  hostAndPort,
  hostIn,
  isLoopback,
  trueOrFalse,
  wholeNumber,
} from './setting-kinds.ts'
import {
  ConfigError,
  type Env,
  optional,
  optionalValueIn,
  type Setting,
  textIn,
  valueIn,
  withDefault,
} from './settings.ts'

export type ClusterConfig = {
  /** Whether it has only the processes of this machine: a primary and its front ends. */
  readonly isOneMachine: boolean
  /** How many shards this node owns at most. */
  readonly nodeShardsMax: number
  /** Where this node listens to others. */
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** Where others reach this node; null for its host name and port. */
  readonly address: string | null
  readonly leaseMs: number
  /** Files for mutual TLS; null for none. */
  readonly tls: { readonly cert: string; readonly key: string; readonly ca: string } | null
}

/** What is read elsewhere, and must fit. */
type Others = {
  readonly databaseUrl: string | null
  readonly host: string
  /** Every node must have the same: a file of one node is not enough. */
  readonly secrets: readonly Setting[]
}

export const shardsMax = 4_096
const frontEndsMax = 64
const port = wholeNumber(0, 65_535)

export const clusterTable = {
  cluster: withDefault(
    'CLUSTER',
    'false',
    trueOrFalse(),
    'Whether to share the PostgreSQL database with other nodes',
  ),
  nodeShardsMax: optional(
    'NODE_SHARDS_MAX',
    wholeNumber(0, shardsMax),
    'Shards that this node owns at most; 0 for a front end. Default: all',
  ),
  clusterPort: withDefault('CLUSTER_PORT', '50056', port, 'Port for other nodes; 0 for any'),
  nodeAddress: optional(
    'NODE_ADDRESS',
    hostAndPort(),
    'Where other nodes reach this one. Default: the host name and `CLUSTER_PORT`',
  ),
  clusterTlsCert: optional('CLUSTER_TLS_CERT', filePath(), 'Certificate of this node for others'),
  clusterTlsKey: optional('CLUSTER_TLS_KEY', filePath(), 'Private key of that certificate'),
  clusterTlsCa: optional(
    'CLUSTER_TLS_CA',
    filePath(),
    'Certificate authority that has signed the certificates of all nodes',
  ),
  clusterPlaintext: withDefault(
    'CLUSTER_PLAINTEXT',
    'false',
    trueOrFalse(),
    'Whether nodes on other machines are called without TLS',
  ),
  shardLeaseMs: withDefault(
    'SHARD_LEASE_MS',
    '3000',
    wholeNumber(2_000, 30_000),
    'Milliseconds until another node takes over a shard whose owner is silent',
  ),
  frontEnds: withDefault(
    'FRONT_ENDS',
    '0',
    wholeNumber(0, frontEndsMax),
    'Processes that serve clients for this one; 0 if it serves them itself',
  ),
} as const

export function readCluster(env: Env, others: Others): ClusterConfig | null {
  const isNode = valueIn(env, clusterTable.cluster)
  const allowsPlaintext = valueIn(env, clusterTable.clusterPlaintext)
  const cluster = {
    isOneMachine: !isNode,
    nodeShardsMax: optionalValueIn(env, clusterTable.nodeShardsMax) ?? shardsMax,
    host: others.host,
    port: valueIn(env, clusterTable.clusterPort),
    address: optionalValueIn(env, clusterTable.nodeAddress),
    leaseMs: valueIn(env, clusterTable.shardLeaseMs),
    tls: readTls(env),
  }
  if (isNode) checkCluster(env, { ...cluster, allowsPlaintext }, others)
  else if (others.databaseUrl === null || valueIn(env, clusterTable.frontEnds) === 0) return null
  return Object.freeze(isNode ? cluster : { ...cluster, ...ofOneMachine })
}

/** Without CLUSTER, front ends and their primary are a cluster that no other machine reaches. */
const ofOneMachine = {
  nodeShardsMax: shardsMax,
  host: '127.0.0.1',
  port: 0,
  address: null,
  tls: null,
}

type CheckedCluster = ClusterConfig & { readonly allowsPlaintext: boolean }

function checkCluster(env: Env, cluster: CheckedCluster, { databaseUrl, secrets }: Others): void {
  if (databaseUrl === null) throw new ConfigError('CLUSTER=true needs DATABASE_URL.')
  for (const setting of secrets) {
    if (textIn(env, setting) !== null) continue
    throw new ConfigError(`CLUSTER=true needs ${setting.name}, the same for every node.`)
  }
  const { address, allowsPlaintext, host, tls } = cluster
  const hosts = address === null ? [host] : [host, hostIn(address)]
  if (tls === null && !allowsPlaintext && !hosts.every(isLoopback)) {
    throw new ConfigError(
      'CLUSTER=true needs CLUSTER_TLS_CERT, CLUSTER_TLS_KEY and CLUSTER_TLS_CA, or ' +
        'CLUSTER_PLAINTEXT=true, unless HOST and NODE_ADDRESS are loopback addresses.',
    )
  }
}

function readTls(env: Env): ClusterConfig['tls'] {
  const files = [clusterTable.clusterTlsCert, clusterTable.clusterTlsKey, clusterTable.clusterTlsCa]
  const [cert = null, key = null, ca = null] = files.map((each) => optionalValueIn(env, each))
  if (cert !== null && key !== null && ca !== null) return { cert, key, ca }
  if (cert === null && key === null && ca === null) return null
  const missing = files.find((each) => textIn(env, each) === null)!
  throw new ConfigError(`${missing.name} must be set if the other files for TLS are.`)
}
