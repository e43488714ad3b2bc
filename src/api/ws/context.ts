// What the stream works with, handed in once; and its bounds and times, which tests shorten.

import type { Ids } from '../../core/ids.ts'
import type { Submit } from '../../engine/commands.ts'
import type { Outbox } from '../../feed/outbox.ts'
import type { Log } from '../../ops/log.ts'
import type { Keys } from '../../registry/keys.ts'
import type { Operators } from '../../registry/operators.ts'
import type { RecordStore } from '../../store/store.ts'
import { type Bounds, usualSendBounds } from './send-buffer.ts'

export type StreamContext = {
  readonly submit: Submit
  readonly reads: Pick<RecordStore, 'events'>
  readonly registry: {
    readonly keys: Pick<Keys, 'authenticate' | 'list'>
    readonly operators: Pick<Operators, 'get'>
  }
  readonly ids: Ids
  readonly outbox: Outbox
  /** Unix milliseconds. */
  readonly now: () => number
  readonly eventRetentionMs: number
  readonly log: Pick<Log, 'warn' | 'error'>
  readonly settings: StreamSettings
}

export type StreamSettings = Bounds & {
  readonly heartbeatMs: number
  readonly pingMs: number
  /** How often it is looked at whether keys have expired; what is revoked is seen at once. */
  readonly keyCheckMs: number
  /** How often it is looked at whether clients read. */
  readonly stallCheckMs: number
  /** How long a client that was told to go may take to hear it. */
  readonly closeMs: number
  readonly connectionsMax: number
  /** Of those without a key. */
  readonly connectionsPerAddressMax: number
  readonly connectionsPerOperatorMax: number
  readonly messagesPerSecond: number
  readonly messagesBurst: number
}

export const usualSettings: StreamSettings = {
  ...usualSendBounds,
  heartbeatMs: 10_000,
  pingMs: 30_000,
  keyCheckMs: 2_000,
  stallCheckMs: 1_000,
  closeMs: 10_000,
  connectionsMax: 10_000,
  connectionsPerAddressMax: 2_000,
  connectionsPerOperatorMax: 1_000,
  messagesPerSecond: 10,
  messagesBurst: 20,
}
