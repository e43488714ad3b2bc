// What the routes work with; main.ts provides it.

import type { Rules } from '../../core/state/exchange.ts'
import type { Deliveries } from '../../feed/feeds.ts'
import type { ReportFailure } from '../../ops/edge-failures.ts'
import type { Log } from '../../ops/log.ts'
import type { Brakes } from '../../registry/brakes.ts'
import type { Categories } from '../../registry/categories.ts'
import type { KeyUses } from '../../registry/key-uses.ts'
import type { Keys } from '../../registry/keys.ts'
import type { Operators } from '../../registry/operators.ts'
import type { Webhooks } from '../../registry/webhooks.ts'
import type { Admission } from '../admission/admission.ts'
import type { ClientAddresses } from '../admission/client-address.ts'
import type { MetricsCheck } from '../admission/metrics-key.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import type { ClusterCode } from '../errors.ts'
import type { MetricsSource } from '../http/metrics-page.ts'
import type { KeptAnswers } from '../idempotency/kept-answers.ts'
import type { ClusterView, NodeView, ShardView } from '../present/cluster.ts'
import type { Shards } from '../shards.ts'

export type Context = {
  readonly shards: Shards
  readonly registry: RegistryOfRest
  readonly cluster: ClusterAdmin
  readonly deliveries: Deliveries
  readonly rules: Rules
  readonly admission: Admission
  readonly addresses: ClientAddresses
  /** Of requests with an Idempotency-Key. */
  readonly keptAnswers: Pick<KeptAnswers, 'answer'>
  readonly audit: Pick<AuditLog, 'carryOut'>
  readonly keyUses: Pick<KeyUses, 'of'>
  readonly isAdmin: (key: string) => boolean
  /** Whether commands can be committed. */
  readonly isReady: () => boolean
  readonly clockBehindMs: () => number
  /** Unix milliseconds. */
  readonly now: () => number
  readonly eventRetentionMs: number
  readonly log: Log
  readonly reportFailure: ReportFailure
  readonly metrics: Metrics
  /** null if the metrics are served on a port of their own. */
  readonly metricsRoute: { readonly isAllowed: MetricsCheck } | null
  readonly version: string
  /** The AsyncAPI document of the stream. */
  readonly streamDocument: () => object
  /** The folder of the built console; it may not exist. */
  readonly consoleFolder: string
  /** The folder of the built guide; it may not exist. */
  readonly guideFolder: string
}

/** The part of the registry that the routes use. */
type RegistryOfRest = {
  readonly operators: Pick<Operators, 'create' | 'get' | 'list' | 'update'>
  readonly keys: Pick<Keys, 'create' | 'list' | 'revoke' | 'authenticate'>
  readonly categories: Pick<
    Categories,
    'create' | 'get' | 'isUsableBy' | 'list' | 'textBytesOf' | 'update'
  >
  readonly brakes: Pick<Brakes, 'current' | 'put'>
  readonly webhooks: Pick<
    Webhooks,
    | 'create'
    | 'get'
    | 'list'
    | 'update'
    | 'rotateSecret'
    | 'delete'
    | 'secretOf'
    | 'previousSecretUntil'
  >
}

/** The nodes and shards; a process that is alone shows itself as one node. */
export type ClusterAdmin = {
  view(): Promise<ClusterView>
  /** Resolves once the node runs the shard; null lets the nodes balance it. */
  move(shard: number, nodeId: string | null): Promise<ShardView | ClusterReject>
  drain(nodeId: string): Promise<NodeView | ClusterReject>
}

type ClusterReject = { readonly code: ClusterCode | 'UNAVAILABLE'; readonly message: string }

export type Metrics = MetricsSource & {
  request(request: { method: string; route: string; status: number; seconds: number }): void
}
