// A market: a question, its outcomes, each with an order book, and the state of its lifecycle.
//
// DRAFT -> open -> OPEN, or UPCOMING until its trading starts; OPEN <-> SUSPENDED; both -> CLOSED
// -> RESOLVED -> SETTLED. Until it is resolved it can be CANCELLED. lifecycle.ts has the rules.

import type { FeeSchedule } from '../fee.ts'
import type { Serial } from '../ids.ts'
import { BookSide } from '../memory/ladders.ts'
import { none, type PositionRow } from '../memory/memory.ts'
import type { BookHandle, MarketHandle } from '../memory/slots.ts'
import { Sum } from '../memory/sum.ts'
import { Volume } from '../memory/volume.ts'
import { noPrice } from '../money.ts'
import type { MarketStatus } from '../words.ts'
import type { Operator } from './operator.ts'

export class Market {
  readonly handle: MarketHandle
  readonly serial: Serial
  /** Its public id. */
  readonly id: string
  readonly createdAt: number
  readonly owner: Operator
  readonly currency: string
  /** Other operators may trade in it. */
  readonly isShared: boolean
  /** Orders may match by minting and merging complete sets. */
  readonly hasCompleteSetMatching: boolean
  readonly books: Book[] = []
  status: MarketStatus = 'DRAFT'
  updatedAt: number
  title: string
  categoryId: string | null
  tradingStartsAt: number | null
  tradingEndsAt: number | null
  /** How long its texts are that only the store has. */
  storedBytes: StoredBytes
  /** What the owner's own side of a trade pays here; null for what it pays elsewhere. */
  feeSchedule: FeeSchedule | null
  /** How far one command may trade from the reference price; null for any distance. */
  priceBand: PriceBand | null
  resolution: Resolution | null = null
  /** Shares traded, and in how many trades. */
  readonly volume = new Sum()
  tradeCount = 0
  /** Complete sets minted and redeemed, in hundredths; their difference is outstanding. */
  readonly setsMinted = new Sum()
  readonly setsRedeemed = new Sum()
  setsOutstanding = 0
  /** Every other operator that holds or held an order or a position in it. */
  readonly participants: Operator[] = []
  /** Its positions in the order in which they were made, linked through their rows. */
  firstPosition: PositionRow = none
  lastPosition: PositionRow = none
  /** Work on it that is done in slices, and its progress; it remains when the work is done. */
  job: Job | null = null
  /** The first position that is not settled yet, while a settlement runs. */
  nextToSettle: PositionRow = none
  /** Settlements that the operator could not pay out, by serial; null before the first. */
  failedSettlements: Map<Serial, FailedSettlement> | null = null

  constructor(handle: MarketHandle, id: string, market: NewMarket) {
    this.handle = handle
    this.id = id
    this.serial = market.serial
    this.createdAt = market.createdAt
    this.updatedAt = market.createdAt
    this.owner = market.owner
    this.currency = market.currency
    this.isShared = market.isShared
    this.hasCompleteSetMatching = market.hasCompleteSetMatching
    this.title = market.title
    this.categoryId = market.categoryId
    this.tradingStartsAt = market.tradingStartsAt
    this.tradingEndsAt = market.tradingEndsAt
    this.storedBytes = market.storedBytes
    this.feeSchedule = market.feeSchedule
    this.priceBand = market.priceBand
  }

  /** Whether orders are accepted at that time. */
  isTrading(now: number): boolean {
    if (this.status !== 'OPEN') return false
    if (this.tradingStartsAt !== null && now < this.tradingStartsAt) return false
    return this.tradingEndsAt === null || now < this.tradingEndsAt
  }

  /** SETTLED or CANCELLED, and nothing is left to do. */
  get hasEnded(): boolean {
    if (this.status !== 'SETTLED' && this.status !== 'CANCELLED') return false
    return this.job === null || this.job.phase === 'DONE'
  }

  get hasOpenOrders(): boolean {
    return this.books.some((book) => !book.bids.isEmpty || !book.asks.isEmpty)
  }

  /** Remembers an operator that holds an order or a position here and is not the owner. */
  addParticipant(operator: Operator): void {
    if (operator === this.owner || this.participants.includes(operator)) return
    this.participants.push(operator)
  }
}

/** An outcome of a market and its order book. */
export class Book {
  readonly handle: BookHandle
  readonly market: Market
  /** Of the outcome: its place in the market, its serial and public id, its name. */
  readonly index: number
  readonly serial: Serial
  readonly id: string
  readonly createdAt: number
  readonly name: string
  readonly bids: BookSide
  readonly asks: BookSide
  lastPrice: number = noPrice
  readonly volume = new Volume()
  /** What the events have published: the version grows with each command that changes the book. */
  version = 0
  publishedBid: number = noPrice
  publishedAsk: number = noPrice
  publishedPrice: number = noPrice

  constructor(handle: BookHandle, id: string, market: Market, outcome: NewOutcome) {
    this.handle = handle
    this.id = id
    this.market = market
    this.index = outcome.index
    this.serial = outcome.serial
    this.createdAt = outcome.createdAt
    this.name = outcome.name
    this.bids = new BookSide(handle, true)
    this.asks = new BookSide(handle, false)
  }

  /** The side on which an order of that kind rests. */
  sideOf(isSell: boolean): BookSide {
    return isSell ? this.asks : this.bids
  }

  /** The side with which an incoming order of that kind matches. */
  oppositeOf(isSell: boolean): BookSide {
    return isSell ? this.bids : this.asks
  }

  /** The books of the market's other outcomes. */
  get others(): readonly Book[] {
    return this.market.books.filter((book) => book !== this)
  }
}

/** What its operator states about a market, and may edit. */
export type MarketText = MarketTerms &
  StoredText & {
    /** Whether anybody may read it on a page of its own; only the store keeps it. */
    readonly hasPublicPage?: boolean
    /** Left out in a new market: null. */
    readonly feeSchedule?: FeeSchedule | null
    readonly priceBand?: PriceBand | null
  }

/** See orders/price-band.ts. */
export type PriceBand = {
  /** In ticks. */
  readonly maxMove: number
  /** Whether the market is suspended when an order meets prices outside of the band. */
  readonly suspendOnBand: boolean
}

/** What the rules and the events need. */
export type MarketTerms = {
  readonly title: string
  readonly categoryId: string | null
  readonly tradingStartsAt: number | null
  readonly tradingEndsAt: number | null
}

/** What is only shown: it may be long, so the store has it and the memory does not. */
export type StoredText = {
  readonly description: string | null
  readonly imageUrl: string | null
  /** The operator's own JSON. */
  readonly metadata: string | null
}

/** Bytes of UTF-8; 0 for null. */
export type StoredBytes = Readonly<Record<keyof StoredText | 'outcomeDescriptions', number>>

export type NewMarket = MarketTerms & {
  readonly storedBytes: StoredBytes
  readonly serial: Serial
  readonly createdAt: number
  readonly owner: Operator
  readonly currency: string
  readonly isShared: boolean
  readonly hasCompleteSetMatching: boolean
  readonly feeSchedule: FeeSchedule | null
  readonly priceBand: PriceBand | null
}

export type NewOutcome = {
  readonly index: number
  readonly serial: Serial
  readonly createdAt: number
  readonly name: string
}

export type Resolution = {
  /** What a share of each outcome pays, in ticks, by index; they sum to one unit. */
  readonly payouts: readonly number[]
  /** The index of the outcome that pays everything, or null where the payout is divided. */
  readonly winner: number | null
  readonly resolvedAt: number
}

/** What is only shown of a resolution: the store has it and the memory does not. */
export type ResolutionText = { readonly source: string; readonly notes: string | null }

/** CANCELLING removes open orders, PAYING settles positions; see markets/settle.ts. */
export type Job = {
  readonly kind: 'CANCEL' | 'SETTLE'
  phase: 'CANCELLING' | 'PAYING' | 'DONE'
  cancelledOrders: number
  /** The last position that was settled, by serial; 0 before the first. */
  lastPosition: number
  settled: number
  readonly payout: Sum
}

export type FailedSettlement = {
  readonly serial: Serial
  readonly createdAt: number
  readonly positionSerial: Serial
  readonly positionCreatedAt: number
  readonly outcome: number
  readonly operatorId: string
  readonly playerId: string
  readonly shares: number
  readonly payoutPerShare: number
}
