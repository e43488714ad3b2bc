// The plain records that a shard is saved to and loaded from: the state that the rules need. A
// store has more than this, such as closed orders, trades and events.

import type { FeeSchedule } from '../fee.ts'
import type { Serial } from '../ids.ts'
import type { VolumeBucket } from '../memory/volume.ts'
import type { ControlsRecord } from '../state/controls.ts'
import type { JobProgress } from '../state/facts.ts'
import type { GroupFills, OrderGroupStatus } from '../state/fill-window.ts'
import type {
  FailedSettlement,
  MarketTerms,
  PriceBand,
  Resolution,
  StoredBytes,
} from '../state/market.ts'
import type { DeadManState, OperatorSettings } from '../state/operator.ts'
import type { MarketStatus, Side } from '../words.ts'

export type HeadRecord = {
  readonly now: number
  readonly lastSerial: number
  readonly commandSequence: number
}

export type { ControlsRecord } from '../state/controls.ts'
export type OperatorRecord = OperatorSettings & { readonly eventSequence: number }

export type OutcomeRecord = {
  readonly serial: Serial
  readonly createdAt: number
  readonly name: string
  readonly version: number
  readonly lastPrice: number
  readonly volume: readonly VolumeBucket[]
}

/** Without the texts that only the store has. */
export type MarketRecord = MarketTerms & {
  readonly storedBytes: StoredBytes
  readonly serial: Serial
  readonly createdAt: number
  readonly updatedAt: number
  readonly ownerId: string
  readonly currency: string
  readonly isShared: boolean
  readonly hasCompleteSetMatching: boolean
  readonly feeSchedule: FeeSchedule | null
  readonly priceBand: PriceBand | null
  readonly status: MarketStatus
  readonly resolution: Resolution | null
  readonly volume: bigint
  readonly tradeCount: number
  readonly setsMinted: bigint
  readonly setsRedeemed: bigint
  readonly participantIds: readonly string[]
  readonly outcomes: readonly OutcomeRecord[]
  readonly job: JobProgress | null
  readonly failedSettlements: readonly FailedSettlement[]
}

export type PositionRecord = {
  readonly serial: Serial
  readonly createdAt: number
  readonly outcomeSerial: Serial
  readonly operatorId: string
  readonly playerId: string
  readonly shares: number
  readonly cost: bigint
  readonly profit: bigint
}

/** An order that rests. */
export type OrderRecord = {
  readonly serial: Serial
  readonly createdAt: number
  readonly queueSerial: Serial
  readonly outcomeSerial: Serial
  readonly operatorId: string
  readonly playerId: string
  readonly side: Side
  readonly price: number
  readonly shares: number
  readonly filled: number
  readonly cost: number
  readonly expiresAt: number | null
  /** As options.ts packs them. */
  readonly options: number
  readonly transactionId: string | null
  /** That of the order group that it is in. */
  readonly groupSerial: Serial | null
}

/** An order group, unless it is deleted and has nothing to cancel. */
export type OrderGroupRecord = {
  readonly serial: Serial
  readonly createdAt: number
  readonly operatorId: string
  readonly playerId: string
  readonly limitShares: number
  readonly windowMs: number
  readonly status: OrderGroupStatus
  readonly cancelUpTo: number
  readonly generation: number
  /** What its window has, oldest first. */
  readonly fills: readonly GroupFills[]
}

/** A dead-man switch, unless it is cleared and has nothing to cancel. */
export type DeadManRecord = {
  readonly operatorId: string
  /** null for the whole operator. */
  readonly playerId: string | null
  readonly state: DeadManState
  readonly timeoutMs: number
  readonly deadline: number
  readonly cancelUpTo: number
}

/** A whole shard. */
export type Records = {
  readonly head: HeadRecord
  readonly operators: Iterable<OperatorRecord>
  readonly deadMen: Iterable<DeadManRecord>
  readonly orderGroups: Iterable<OrderGroupRecord>
  readonly controls: Iterable<ControlsRecord>
  readonly markets: Iterable<MarketRecord>
  /** By serial. */
  readonly positions: Iterable<PositionRecord>
  /** By their place in the queue. */
  readonly orders: Iterable<OrderRecord>
}
