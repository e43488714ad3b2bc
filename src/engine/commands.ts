// The commands and queries of a shard and their answers: plain data both ways, so that the shard
// may run in another process. Serials identify records; operators have their public id.

import type { Depth, DepthLevel } from '../core/book/depth.ts'
import type { Prices } from '../core/book/prices.ts'
import type { ChangeControls as ControlsChange } from '../core/controls/change-controls.ts'
import type { OrderAnswer, Placement } from '../core/events/answer.ts'
import type { Serial } from '../core/ids.ts'
import type { NewOutcomeText } from '../core/markets/create-market.ts'
import type { Payout } from '../core/markets/verdict.ts'
import type { Price, Shares } from '../core/money.ts'
import type { Preview } from '../core/orders/preview.ts'
import type { Reject } from '../core/reject.ts'
import type { ControlsTerms } from '../core/state/controls.ts'
import type { MarketText } from '../core/state/market.ts'
import type { MarketStatus, OrderType, Side } from '../core/words.ts'

type OperatorCommand = {
  readonly operatorId: string
  /** The trace that the request belongs to, if it names one; the command does the same with it. */
  readonly traceId?: string
}
type MarketCommand = OperatorCommand & { readonly marketSerial: Serial }

export type PlaceOrder = MarketCommand & {
  readonly outcomeSerial: Serial
  readonly playerId: string
  readonly side: Side
  readonly type: OrderType
  /** 0 for an order by amount. */
  readonly shares: Shares
  /** In micro-units; left out for an order by shares. */
  readonly amount?: number
  readonly price: Price | null
  readonly expiresAt: number | null
  /** A bit set, see core/orders/options.ts. */
  readonly options: number
  /** The idempotency key: a second command with the same one replays the first answer. */
  readonly transactionId: string | null
  /** The order group that it is to be in; left out: none. */
  readonly orderGroupSerial?: Serial | null
}

/** What an order would do if it was placed now. Nothing is stored, so it has no transactionId. */
export type PreviewQuery = Omit<PlaceOrder, 'transactionId'>

/** A replay has the order as it is now, and the trades of its placement. */
export type PlaceAnswer = Placement & { readonly isReplay: boolean }

export type CancelOrder = OperatorCommand & { readonly orderSerial: Serial }

/** Orders that are not open, or that another operator placed, are skipped. */
export type CancelOrders = OperatorCommand & { readonly orderSerials: readonly Serial[] }

export type AmendOrder = OperatorCommand & {
  readonly orderSerial: Serial
  /** The new total, filled shares included; null keeps it. */
  readonly shares: Shares | null
  /** The new price; null keeps it. */
  readonly price: Price | null
}

export type ChangeSets = MarketCommand & {
  readonly kind: 'MINT' | 'REDEEM'
  readonly playerId: string
  readonly shares: Shares
  readonly transactionId: string | null
}

/** A command that can carry a transactionId. */
export type KeyedCommand = PlaceOrder | ChangeSets

export type SetsAnswer = {
  readonly id: string
  readonly marketId: string
  readonly playerId: string
  readonly kind: 'MINT' | 'REDEEM'
  readonly shares: number
  readonly transactionId: string | null
  readonly createdAt: number
  /** One per outcome. */
  readonly positions: readonly PositionAnswer[]
  readonly isReplay: boolean
}

export type PositionAnswer = {
  readonly id: string
  readonly marketId: string
  readonly outcomeId: string
  readonly operatorId: string
  readonly playerId: string
  readonly shares: number
  readonly reserved: number
  readonly cost: bigint
  readonly profit: bigint
  readonly createdAt: number
  readonly updatedAt: number
}

export type CreateMarket = OperatorCommand &
  MarketText & {
    readonly currency: string
    /** null for Yes and No. */
    readonly outcomes: readonly NewOutcomeText[] | null
    readonly isShared: boolean
    readonly hasCompleteSetMatching: boolean
  }

export type EditMarket = MarketCommand & { readonly changes: Partial<MarketText> }

export type ManageMarket = MarketCommand &
  (
    | { readonly action: 'open' | 'resume' | 'close' }
    | { readonly action: 'suspend' | 'cancel'; readonly reason: string }
    | (ResolveMarket & { readonly winningOutcomeSerial: Serial })
    | (ResolveMarket & { readonly payouts: readonly Payout[] })
  )

type ResolveMarket = {
  readonly action: 'resolve'
  readonly source: string
  readonly notes: string | null
}

export type ChangeTradingWindow = MarketCommand & {
  readonly tradingEndsAt: number
  readonly reason: string
}

/** operatorId is that of the holder; null for the whole exchange. */
export type ChangeControls = ControlsChange & { readonly operatorId: string | null }

export type ControlsAnswer = {
  readonly terms: ControlsTerms
  readonly changedAt: number
  /** How many orders were cancelled. */
  readonly cancelled: number
}

/** The rest of the market is read from the store. */
export type MarketAnswer = { readonly marketSerial: Serial; readonly status: MarketStatus }

export type SettleAnswer = {
  readonly cancelledOrders: number
  readonly settled: number
  /** In micro-units. */
  readonly payout: bigint
}

/** The settlements that went from FAILED to COMPLETED, and the sum of their payouts. */
export type RetryAnswer = { readonly settlementSerials: readonly Serial[]; readonly payout: bigint }

export type AcknowledgeSettlement = OperatorCommand & {
  readonly settlementSerial: Serial
  readonly transactionId: string
  readonly status: 'COMPLETED' | 'FAILED'
  readonly errorMessage: string | null
}

/** playerId is null for the whole operator. */
export type DeadManQuery = OperatorCommand & { readonly playerId: string | null }
export type ArmDeadMan = DeadManQuery & { readonly timeoutMs: number }

export type DeadManAnswer = {
  readonly playerId: string | null
  readonly state: 'ARMED' | 'TRIGGERED'
  readonly deadline: number
  readonly timeoutMs: number
}

export type CreateOrderGroup = OperatorCommand & {
  readonly playerId: string
  readonly limitShares: Shares
  readonly windowMs: number
}

export type OrderGroupCommand = OperatorCommand & { readonly groupSerial: Serial }
export type LimitOrderGroup = OrderGroupCommand & { readonly limitShares: Shares }

export type OrderGroupAnswer = {
  readonly id: string
  readonly playerId: string
  /** In hundredths of a share. */
  readonly limitShares: number
  readonly windowMs: number
  readonly matchedShares: number
  readonly status: 'ACTIVE' | 'TRIGGERED'
  readonly createdAt: number
}

/** Newest first; of all players without a playerId. */
export type OrderGroupsQuery = OperatorCommand & {
  readonly playerId: string | null
  readonly after: Serial | null
  readonly limit: number
}

export type OrderGroupsAnswer = {
  readonly groups: readonly OrderGroupAnswer[]
  readonly total: number
  readonly hasMore: boolean
}

/** Orders that are not open, or that another operator placed, are left out. */
export type QueueQuery = OperatorCommand & { readonly orderSerials: readonly Serial[] }

export type QueueAnswer = readonly {
  readonly orderId: string
  readonly ordersAhead: number
  /** In hundredths of a share. */
  readonly sharesAhead: number
  /** Of the book. */
  readonly version: number
}[]

/** Public, for any market that is not in DRAFT. */
export type BookQuery = {
  readonly marketSerial: Serial
  readonly outcomeSerial: Serial
  readonly depth: number
  /** Whether the answer includes the levels that complete-set matching implies. */
  readonly withImplied?: boolean
}

export type BookAnswer = {
  readonly marketId: string
  readonly outcomeId: string
  /** In ticks, best first. */
  readonly bids: readonly DepthLevel[]
  readonly asks: readonly DepthLevel[]
  /** The same with implied levels merged in, if the query requests them. */
  readonly withImplied?: Depth
  readonly version: number
  readonly timestamp: number
}

/** Public, for one outcome, or for all of a market if outcomeSerial is null. */
export type PricesQuery = { readonly marketSerial: Serial; readonly outcomeSerial: Serial | null }

export type PricesAnswer = readonly (Prices & {
  readonly marketId: string
  readonly outcomeId: string
  readonly outcomeName: string
  /** The version of the book from which the prices were read. */
  readonly version: number
  /** In hundredths of a share. */
  readonly volume24h: number
})[]

/** Every kind of command and query with its answer. */
export type Commands = {
  place: { command: PlaceOrder; answer: PlaceAnswer }
  cancel: { command: CancelOrder; answer: OrderAnswer }
  cancelMany: { command: CancelOrders; answer: { readonly cancelled: number } }
  amend: { command: AmendOrder; answer: Placement }
  changeSets: { command: ChangeSets; answer: SetsAnswer }
  createMarket: { command: CreateMarket; answer: MarketAnswer }
  editMarket: { command: EditMarket; answer: MarketAnswer }
  manage: { command: ManageMarket; answer: MarketAnswer }
  changeTradingWindow: { command: ChangeTradingWindow; answer: MarketAnswer }
  /** Answered when the last order is cancelled. */
  changeControls: { command: ChangeControls; answer: ControlsAnswer }
  /** Answered when the last position is settled. */
  settle: { command: MarketCommand; answer: SettleAnswer }
  retrySettlements: { command: MarketCommand; answer: RetryAnswer }
  acknowledge: { command: AcknowledgeSettlement; answer: { readonly settlementSerial: Serial } }
  armDeadMan: { command: ArmDeadMan; answer: DeadManAnswer }
  clearDeadMan: { command: DeadManQuery; answer: null }
  deadMan: { command: DeadManQuery; answer: DeadManAnswer }
  createOrderGroup: { command: CreateOrderGroup; answer: OrderGroupAnswer }
  limitOrderGroup: { command: LimitOrderGroup; answer: OrderGroupAnswer }
  /** Answered when the last order is cancelled; the same for deleteOrderGroup. */
  triggerOrderGroup: { command: OrderGroupCommand; answer: OrderGroupAnswer }
  resetOrderGroup: { command: OrderGroupCommand; answer: OrderGroupAnswer }
  deleteOrderGroup: { command: OrderGroupCommand; answer: null }
  orderGroup: { command: OrderGroupCommand; answer: OrderGroupAnswer }
  orderGroups: { command: OrderGroupsQuery; answer: OrderGroupsAnswer }
  preview: { command: PreviewQuery; answer: Preview }
  book: { command: BookQuery; answer: BookAnswer }
  prices: { command: PricesQuery; answer: PricesAnswer }
  queue: { command: QueueQuery; answer: QueueAnswer }
}

export type CommandKind = keyof Commands

export type Result<Answer> = {
  /** What it has cost, see cost.ts; 1 if it is not set. */
  readonly cost?: number
} & (
  | {
      readonly isAccepted: true
      readonly answer: Answer
    }
  | {
      readonly isAccepted: false
      readonly reject: Reject
      /** The order was REJECTED when it was first placed with this transactionId. */
      readonly isReplay?: true
    }
)

/** Resolves when the command is executed and committed. Throws Unavailable or CommitUnknown. */
export type Submit = <Kind extends CommandKind>(
  kind: Kind,
  command: Commands[Kind]['command'],
) => Promise<Result<Commands[Kind]['answer']>>

/** Submits several commands that share a turn if possible; each has its own answer. */
export type SubmitAll = <Kind extends CommandKind>(
  kind: Kind,
  commands: readonly Commands[Kind]['command'][],
) => readonly Promise<Result<Commands[Kind]['answer']>>[]

/**
 * What a command costs, as far as that is known before it is submitted; at least 1. null where the
 * state of the shard is not known.
 */
export type CostOf = <Kind extends CommandKind>(
  kind: Kind,
  command: Commands[Kind]['command'],
) => number | null

/** The command was not executed; the caller may send it again. */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable'
}

/** Another process owns the shard. The command was not executed; it can be sent to the owner. */
export class NotOwner extends Unavailable {
  override readonly name: string = 'NotOwner'

  constructor() {
    super('Another process owns the shard; send the command again.')
  }
}

/** The command may have been executed; send it again with its transactionId to find out. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown'
}
