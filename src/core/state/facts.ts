// What a command has done, as facts. The answer to the caller, the events and the rows of the store
// are all made from them. A fact carries each value that a later command of the same turn could
// change; the rest is read from the rows that it names, which remain until the turn ends.

import type { Serial } from '../ids.ts'
import type { BookSide } from '../memory/ladders.ts'
import type { OrderRow, PositionRow } from '../memory/memory.ts'
import type {
  CancelReason,
  ControlScope,
  GroupCause,
  MarketStatus,
  OrderStatus,
  SettlementStatus,
} from '../words.ts'
import type { ControlsRecord } from './controls.ts'
import type { Book, Job, Market, PriceBand, ResolutionText, StoredText } from './market.ts'
import type { DeadMan, Operator, OrderGroup, Player } from './operator.ts'

/** Quantities in steps. Fees in units of 1e-10. */
export type Fact =
  | OrderAccepted
  | OrderReplaced
  | OrderClosed
  | TradeMade
  | LegMade
  | PositionChanged
  | LevelChanged
  | BookChanged
  | SetsChanged
  | SettlementWritten
  | MarketChanged
  | DeadManChanged
  | ControlsChanged
  | GroupChanged
  | GroupFilled

/** Of the kinds of fact, one. */
export type FactOf<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>

/**
 * An order was accepted, or amended. It comes before the trades of the order; status, filled and
 * cost are those at the end of the placement.
 */
export type OrderAccepted = {
  readonly kind: 'ORDER_ACCEPTED'
  readonly order: OrderRow
  status: OrderStatus
  filled: number
  cost: number
  /** Whether it is REJECTED because of a price band. */
  isOutsideBand: boolean
}

/** The ORDER_ACCEPTED behind it is no new order: it replaces the order in that row. */
export type OrderReplaced = { readonly kind: 'ORDER_REPLACED'; readonly old: OrderRow }

/** An open order was closed, or what is left of one that does not rest. */
export type OrderClosed = {
  readonly kind: 'ORDER_CLOSED'
  readonly order: OrderRow
  readonly status: 'CANCELLED' | 'EXPIRED'
  readonly reason: CancelReason
}

/** The incoming order has matched a resting one. */
export type TradeMade = {
  readonly kind: 'TRADE'
  readonly serial: Serial
  readonly incoming: OrderRow
  readonly resting: OrderRow
  readonly price: number
  readonly shares: number
  /** Of each order, all its fills so far, this one included. */
  readonly incomingFilled: number
  readonly restingFilled: number
  readonly incomingFee: number
  readonly restingFee: number
}

/** One order's part in a match by complete sets; the leg of the incoming order comes first. */
export type LegMade = {
  readonly kind: 'LEG'
  readonly serial: Serial
  /** The serial that all legs of the match share. */
  readonly match: Serial
  readonly tradeKind: 'MINT' | 'MERGE'
  readonly order: OrderRow
  readonly isIncoming: boolean
  readonly price: number
  readonly shares: number
  readonly filled: number
  readonly fee: number
}

/** A position has changed; the last fact of a command counts. Sums are bigints past 2^52. */
export type PositionChanged = {
  readonly kind: 'POSITION'
  readonly position: PositionRow
  readonly shares: number
  readonly cost: number | bigint
  readonly profit: number | bigint
}

/** A level has changed; the last fact of a command counts. Without orders, the level is gone. */
export type LevelChanged = {
  readonly kind: 'LEVEL'
  readonly side: BookSide
  readonly price: number
  readonly shares: number
  readonly orderCount: number
}

/** A book as it is at the end of a command that has changed it; noPrice where there is none. */
export type BookChanged = {
  readonly kind: 'BOOK'
  readonly book: Book
  readonly bestBid: number
  readonly bestAsk: number
  readonly lastPrice: number
}

/** Complete sets were minted or redeemed by command. */
export type SetsChanged = {
  readonly kind: 'SETS'
  readonly serial: Serial
  readonly market: Market
  readonly player: Player
  readonly change: 'MINT' | 'REDEEM'
  readonly shares: number
  readonly transactionId: string | null
}

/** A settlement record was made, or has another status. */
export type SettlementWritten = {
  readonly kind: 'SETTLEMENT'
  readonly serial: Serial
  readonly createdAt: number
  readonly book: Book
  readonly player: Player
  readonly positionSerial: Serial
  readonly positionCreatedAt: number
  readonly shares: number
  readonly payoutPerShare: number
  readonly status: SettlementStatus
  /** Whether an event is published about it. */
  readonly hasEvent: boolean
}

export type MarketChanged = { readonly kind: 'MARKET'; readonly market: Market } & (
  | {
      readonly change: 'CREATED'
      readonly title: string
      readonly categoryId: string | null
      readonly text: StoredText
      /** By index. */
      readonly outcomeDescriptions: readonly (string | null)[]
      readonly hasPublicPage: boolean
      /** Whether the command has stated the fee schedule or the price band: both are in memory. */
      readonly statesFees: boolean
      readonly statesBand: boolean
    }
  /** With what is not in memory, where it is changed. */
  | {
      readonly change: 'EDITED'
      readonly text: Partial<StoredText>
      readonly hasPublicPage: boolean | null
      readonly statesFees: boolean
      readonly statesBand: boolean
    }
  | {
      readonly change: 'STATUS'
      readonly from: MarketStatus
      readonly to: MarketStatus
      readonly reason: string | null
      /** Of a market that becomes RESOLVED; null otherwise. */
      readonly resolution: ResolutionText | null
      /** Whether its event is the last of the command. */
      readonly isLast: boolean
      /** The operators that get an event. */
      readonly audience: readonly Operator[]
    }
  /** Its price band was changed, or its trading window after it had opened, with a reason. */
  | {
      readonly change: 'UPDATED'
      readonly tradingEndsAt: number | null
      readonly reason: string | null
      readonly priceBand: PriceBand | null
      /** The operators that get an event. */
      readonly audience: readonly Operator[]
    }
  /** The progress of a job after a slice. */
  | { readonly change: 'JOB'; readonly job: JobProgress }
)

/** A dead-man switch was armed, renewed, triggered or cleared, or has cancelled orders. */
export type DeadManChanged = {
  readonly kind: 'DEAD_MAN'
  readonly deadMan: DeadMan
  readonly deadline: number
  readonly timeoutMs: number
  /** Whether its deadline has passed in this command, which is then reported by an event. */
  readonly isTriggered: boolean
}

export type JobProgress = Omit<Job, 'payout'> & { readonly payout: bigint }

/** A brake on trading was changed, or the sweep of its orders has gone on. */
export type ControlsChanged = {
  readonly kind: 'CONTROLS'
  readonly record: ControlsRecord
  readonly scope: ControlScope
  /** As the audience sees it. */
  readonly shownReason: string | null
  /** The operators that get an event. */
  readonly audience: readonly Operator[]
}

/** An order group was made, changed, triggered, reset or deleted, or has cancelled orders. */
export type GroupChanged = {
  readonly kind: 'ORDER_GROUP'
  readonly group: OrderGroup
  /** Where it was triggered, which is reported by an event; null otherwise. */
  readonly cause: GroupCause | null
  readonly matchedShares: number
  readonly limitShares: number
}

/** Orders of a group were filled, which its window counts. */
export type GroupFilled = { readonly kind: 'ORDER_GROUP_FILL'; readonly group: OrderGroup }
