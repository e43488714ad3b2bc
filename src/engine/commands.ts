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

type Ask = { readonly operatorId: string }
type MarketAsk = Ask & { readonly marketId: number }

export type PlaceAsk = MarketAsk & {
  readonly outcomeId: number
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
export type PreviewAsk = Omit<PlaceAsk, 'transactionId'>

/** A replay shows the order as it is now, with the trades of its placement. */
export type PlaceAnswer = Placement & { readonly isReplay: boolean }

export type CancelAsk = Ask & { readonly orderId: number }

/** By serial; what is not open, or another's, is passed over. */
export type CancelManyAsk = Ask & { readonly orders: readonly number[] }

export type AmendAsk = Ask & {
  readonly orderId: number
  /** The new total, and the new price; null leaves each as it is. */
  readonly shares: Shares | null
  readonly price: Price | null
}

export type SetsAsk = MarketAsk & {
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

export type CreateMarketAsk = Ask &
  MarketText & {
    readonly currency: string
    /** Left out: Yes and No. */
    readonly outcomes: readonly NewOutcomeText[] | null
    readonly isShared: boolean
    readonly hasCompleteSetMatching: boolean
  }

export type EditMarketAsk = MarketAsk & { readonly changes: Partial<MarketText> }

export type ManageAsk = MarketAsk &
  (
    | { readonly action: 'open' | 'resume' | 'close' }
    | { readonly action: 'suspend' | 'cancel'; readonly reason: string }
    | (ResolveAsk & { readonly winningOutcomeId: number })
    | (ResolveAsk & { readonly payouts: readonly Payout[] })
  )

type ResolveAsk = {
  readonly action: 'resolve'
  readonly source: string
  readonly notes: string | null
}

/** What became of a market; its records are the store's to read. */
export type MarketAnswer = { readonly marketId: number; readonly status: MarketStatus }

export type SettleAnswer = {
  readonly cancelledOrders: number
  readonly settled: number
  /** In micro-units. */
  readonly payout: bigint
}

/** The settlements that were taken back to COMPLETED, by serial, and what they pay in all. */
export type RetryAnswer = { readonly settlements: readonly number[]; readonly payout: bigint }

export type AcknowledgeAsk = Ask & {
  readonly settlementId: number
  readonly transactionId: string
  readonly status: 'COMPLETED' | 'FAILED'
  readonly errorMessage: string | null
}

/** Public: any market that is no DRAFT. */
export type BookAsk = {
  readonly marketId: number
  readonly outcomeId: number
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
export type PricesAsk = { readonly marketId: number; readonly outcomeId: number | null }

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
  place: { ask: PlaceAsk; answer: PlaceAnswer }
  cancel: { ask: CancelAsk; answer: OrderAnswer }
  cancelMany: { ask: CancelManyAsk; answer: { readonly cancelled: number } }
  amend: { ask: AmendAsk; answer: Placement }
  changeSets: { ask: SetsAsk; answer: SetsAnswer }
  createMarket: { ask: CreateMarketAsk; answer: MarketAnswer }
  editMarket: { ask: EditMarketAsk; answer: MarketAnswer }
  manage: { ask: ManageAsk; answer: MarketAnswer }
  /** Answers when the last position is settled. */
  settle: { ask: MarketAsk; answer: SettleAnswer }
  retrySettlements: { ask: MarketAsk; answer: RetryAnswer }
  acknowledge: { ask: AcknowledgeAsk; answer: { readonly settlementId: number } }
  preview: { ask: PreviewAsk; answer: Preview }
  book: { ask: BookAsk; answer: BookAnswer }
  prices: { ask: PricesAsk; answer: PricesAnswer }
}

export type CommandKind = keyof Commands

export type Result<Answer> =
  | { readonly isTaken: true; readonly answer: Answer }
  | {
      readonly isTaken: false
      readonly reject: Reject
      /** It repeats what was said when the order was first placed, and REJECTED. */
      readonly isReplay?: true
    }

/** Resolves when what was decided is durable. Throws Unavailable or CommitUnknown. */
export type Submit = <Kind extends CommandKind>(
  kind: Kind,
  ask: Commands[Kind]['ask'],
) => Promise<Result<Commands[Kind]['answer']>>

/** Several at once, so that they share a turn; each is answered by itself. */
export type SubmitAll = <Kind extends CommandKind>(
  kind: Kind,
  asks: readonly Commands[Kind]['ask'][],
) => readonly Promise<Result<Commands[Kind]['answer']>>[]

/** The command was not carried out: try again later. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}

/** It is not known yet whether the command was carried out: ask again with its transactionId. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown'
}
