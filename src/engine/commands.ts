// What can be asked of a shard, and what it answers: plain data both ways, so that it does not
// matter whether the shard is in this process. Ids are serials, operators go by their public id.

import type { Depth, DepthLevel, Prices } from '../core/book/prices.ts'
import type { OrderAnswer, Placement } from '../core/events/answer.ts'
import type { NewOutcomeText } from '../core/markets/create-market.ts'
import type { Payout } from '../core/markets/lifecycle.ts'
import type { Price, Shares } from '../core/money.ts'
import type { Preview } from '../core/orders/preview.ts'
import type { Reject } from '../core/reject.ts'
import type { MarketText } from '../core/state/market.ts'
import type { MarketStatus, OrderType, Side } from '../core/words.ts'

type OperatorCommand = { readonly operatorId: string }
type MarketCommand = OperatorCommand & { readonly marketSerial: number }

export type PlaceOrder = MarketCommand & {
  readonly outcomeSerial: number
  readonly playerId: string
  readonly side: Side
  readonly type: OrderType
  readonly shares: Shares
  readonly price: Price | null
  readonly expiresAt: number | null
  /** As core/orders/options.ts packs them. */
  readonly options: number
  readonly transactionId: string | null
}

/** What an order would do now. Nothing is kept of it, so it has no transactionId. */
export type PreviewQuery = Omit<PlaceOrder, 'transactionId'>

/** A replay shows the order as it is now, with the trades of its placement. */
export type PlaceAnswer = Placement & { readonly isReplay: boolean }

export type CancelOrder = OperatorCommand & { readonly orderSerial: number }

/** By serial; what is not open, or another's, is passed over. */
export type CancelOrders = OperatorCommand & { readonly orderSerials: readonly number[] }

export type AmendOrder = OperatorCommand & {
  readonly orderSerial: number
  /** The new total, and the new price; null leaves each as it is. */
  readonly shares: Shares | null
  readonly price: Price | null
}

export type ChangeSets = MarketCommand & {
  readonly kind: 'MINT' | 'REDEEM'
  readonly playerId: string
  readonly shares: Shares
  readonly transactionId: string | null
}

export type SetsAnswer = {
  readonly id: string
  readonly marketId: string
  readonly playerId: string
  readonly kind: 'MINT' | 'REDEEM'
  readonly shares: number
  readonly transactionId: string | null
  readonly createdAt: number
  /** One for each outcome. */
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
    /** Left out: Yes and No. */
    readonly outcomes: readonly NewOutcomeText[] | null
    readonly isShared: boolean
    readonly hasCompleteSetMatching: boolean
  }

export type EditMarket = MarketCommand & { readonly changes: Partial<MarketText> }

export type ManageMarket = MarketCommand &
  (
    | { readonly action: 'open' | 'resume' | 'close' }
    | { readonly action: 'suspend' | 'cancel'; readonly reason: string }
    | (ResolveMarket & { readonly winningOutcomeSerial: number })
    | (ResolveMarket & { readonly payouts: readonly Payout[] })
  )

type ResolveMarket = {
  readonly action: 'resolve'
  readonly source: string
  readonly notes: string | null
}

/** What became of a market; its records are the store's to read. */
export type MarketAnswer = { readonly marketSerial: number; readonly status: MarketStatus }

export type SettleAnswer = {
  readonly cancelledOrders: number
  readonly settled: number
  /** In micro-units. */
  readonly payout: bigint
}

/** The settlements that were taken back to COMPLETED, by serial, and what they pay in all. */
export type RetryAnswer = { readonly settlementSerials: readonly number[]; readonly payout: bigint }

export type AcknowledgeSettlement = OperatorCommand & {
  readonly settlementSerial: number
  readonly transactionId: string
  readonly status: 'COMPLETED' | 'FAILED'
  readonly errorMessage: string | null
}

/** Public: any market that is no DRAFT. */
export type BookQuery = {
  readonly marketSerial: number
  readonly outcomeSerial: number
  readonly depth: number
  /** Whether what complete sets would offer is asked for too. */
  readonly withImplied?: boolean
}

export type BookAnswer = {
  readonly marketId: string
  readonly outcomeId: string
  /** In steps, best first. */
  readonly bids: readonly DepthLevel[]
  readonly asks: readonly DepthLevel[]
  /** The same with what complete sets would offer among them, where it was asked for. */
  readonly withImplied?: Depth
  readonly version: number
  readonly timestamp: number
}

/** Of one outcome, or of all where it is null. */
export type PricesQuery = { readonly marketSerial: number; readonly outcomeSerial: number | null }

export type PricesAnswer = readonly (Prices & {
  readonly marketId: string
  readonly outcomeId: string
  readonly outcomeName: string
  /** Of its book, which has these prices. */
  readonly version: number
  /** In hundredths of a share. */
  readonly volume24h: number
})[]

/** Every command with what it asks and what it answers. */
export type Commands = {
  place: { command: PlaceOrder; answer: PlaceAnswer }
  cancel: { command: CancelOrder; answer: OrderAnswer }
  cancelMany: { command: CancelOrders; answer: { readonly cancelled: number } }
  amend: { command: AmendOrder; answer: Placement }
  changeSets: { command: ChangeSets; answer: SetsAnswer }
  createMarket: { command: CreateMarket; answer: MarketAnswer }
  editMarket: { command: EditMarket; answer: MarketAnswer }
  manage: { command: ManageMarket; answer: MarketAnswer }
  /** Answers when the last position is settled. */
  settle: { command: MarketCommand; answer: SettleAnswer }
  retrySettlements: { command: MarketCommand; answer: RetryAnswer }
  acknowledge: { command: AcknowledgeSettlement; answer: { readonly settlementSerial: number } }
  preview: { command: PreviewQuery; answer: Preview }
  book: { command: BookQuery; answer: BookAnswer }
  prices: { command: PricesQuery; answer: PricesAnswer }
}

export type CommandKind = keyof Commands

export type Result<Answer> =
  | { readonly isAccepted: true; readonly answer: Answer }
  | {
      readonly isAccepted: false
      readonly reject: Reject
      /** It repeats what was said when the order was first placed, and REJECTED. */
      readonly isReplay?: true
    }

/** Resolves when what was decided is durable. Throws Unavailable or CommitUnknown. */
export type Submit = <Kind extends CommandKind>(
  kind: Kind,
  command: Commands[Kind]['command'],
) => Promise<Result<Commands[Kind]['answer']>>

/** Several at once, so that they share a turn; each is answered by itself. */
export type SubmitAll = <Kind extends CommandKind>(
  kind: Kind,
  asks: readonly Commands[Kind]['command'][],
) => readonly Promise<Result<Commands[Kind]['answer']>>[]

/** The command was not carried out: try again later. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}

/** It is not known yet whether the command was carried out: ask again with its transactionId. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown'
}
