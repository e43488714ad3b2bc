// What the routes work with; main.ts provides it.

import type { Ids } from '../../core/ids.ts'
import type { Rules } from '../../core/state/exchange.ts'
import type { CostOf, Submit, SubmitAll } from '../../engine/commands.ts'
import type { Dispatcher } from '../../feed/webhooks/dispatch.ts'
import type { ReportFailure } from '../../ops/edge-failures.ts'
import type { Log } from '../../ops/log.ts'
import type { Categories } from '../../registry/categories.ts'
import type { Keys } from '../../registry/keys.ts'
import type { Operators } from '../../registry/operators.ts'
import type { Webhooks } from '../../registry/webhooks.ts'
import type { ReadsFor, RecordStore } from '../../store/store.ts'
import type { Admission } from '../admission/admission.ts'

export type Context = {
  readonly submit: Submit
  readonly submitAll: SubmitAll
  readonly costOf: CostOf
  /** For commands: an answer to one that was carried out must not be refused. */
  readonly reads: RecordStore
  /** For requests that only read. */
  readonly readsFor: ReadsFor
  readonly registry: RegistryOfRest
  readonly deliveries: Pick<Dispatcher, 'recent' | 'test'>
  readonly ids: Ids
  readonly rules: Rules
  readonly admission: Admission
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
  readonly version: string
  /** The AsyncAPI document of the stream. */
  readonly streamDocument: () => object
  /** The folder of the built console; it may not exist. */
  readonly consoleFolder: string
}

/** The part of the registry that the routes use. */
type RegistryOfRest = {
  readonly operators: Pick<Operators, 'create' | 'get' | 'list' | 'update'>
  readonly keys: Pick<Keys, 'create' | 'list' | 'revoke' | 'authenticate'>
  readonly categories: Pick<
    Categories,
    'create' | 'get' | 'isUsableBy' | 'list' | 'textBytesOf' | 'update'
  >
  readonly webhooks: Pick<Webhooks, 'create' | 'get' | 'list' | 'update' | 'delete' | 'secretOf'>
}

export type Metrics = {
  request(request: { method: string; route: string; status: number; seconds: number }): void
  text(): Promise<string>
  readonly contentType: string
}
