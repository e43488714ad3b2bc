// What the stream works with, and its settings, which tests override.

import type { Outbox } from '../../feed/outbox.ts'
import type { ReportFailure } from '../../ops/edge-failures.ts'
import type { Log } from '../../ops/log.ts'
import type { Keys } from '../../registry/keys.ts'
import type { Operators } from '../../registry/operators.ts'
import type { Admission } from '../admission/admission.ts'
import type { ClientAddresses } from '../admission/client-address.ts'
import {
  type ConnectionLimitSettings,
  usualConnectionLimits,
} from '../admission/connection-limits.ts'
import type { Shards } from '../shards.ts'
import { type Bounds, usualSendBounds } from './send-buffer.ts'

export type StreamContext = {
  readonly shards: Shards
  readonly admission: Pick<Admission, 'authenticate' | 'consume' | 'consumeMore' | 'isInTouch'>
  readonly addresses: ClientAddresses
  readonly registry: {
    readonly keys: Pick<Keys, 'list'>
    readonly operators: Pick<Operators, 'get'>
  }
  readonly outbox: Outbox
  /** Unix milliseconds. */
  readonly now: () => number
  readonly eventRetentionMs: number
  readonly log: Pick<Log, 'warn'>
  readonly reportFailure: ReportFailure
  readonly settings: StreamSettings
}

export type StreamSettings = Bounds &
  ConnectionLimitSettings & {
    readonly heartbeatMs: number
    readonly pingMs: number
    /** How often keys are checked for expiry; a revoked key is noticed at once. */
    readonly keyCheckMs: number
    /** How often connections are checked for clients that stopped reading. */
    readonly stallCheckMs: number
    /** How long a closed connection may take to read the reason. */
    readonly closeMs: number
    readonly messagesPerSecond: number
    readonly messagesBurst: number
  }

export const usualSettings: StreamSettings = {
  ...usualSendBounds,
  ...usualConnectionLimits,
  heartbeatMs: 10_000,
  pingMs: 30_000,
  keyCheckMs: 2_000,
  stallCheckMs: 1_000,
  closeMs: 10_000,
  messagesPerSecond: 10,
  messagesBurst: 20,
}
