// A market: a question, its outcomes, and where it stands in its life.
//
// DRAFT -> open -> OPEN, or UPCOMING until its trading starts; OPEN <-> SUSPENDED; both -> CLOSED
// -> RESOLVED -> SETTLED. Until it is resolved it can be CANCELLED. lifecycle.ts has the rules.

import type { Book } from '../book/book.ts'
import { none } from '../memory/memory.ts'
import { Sum } from '../memory/sum.ts'
import type { MarketStatus } from '../words.ts'
import type { Operator } from './operator.ts'

export class Market {
  readonly handle: number = 0
  readonly serial: number = 0
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
  description: string | null
  imageUrl: string | null
  categoryId: string | null
  /** The operator's own JSON, as text: nothing in the core looks inside. */
  metadata: string | null
  tradingStartsAt: number | null
  tradingEndsAt: number | null
  resolution: Resolution | null = null
  /** Shares traded, and in how many trades. */
  readonly volume = new Sum()
  tradeCount = 0
  /** Complete sets made and taken back, in hundredths; their difference is outstanding. */
  readonly setsMinted = new Sum()
  readonly setsRedeemed = new Sum()
  setsOutstanding = 0
  /** Every other operator that holds or held an order or a position in it. */
  readonly participants: Operator[] = []
  /** Its positions in the order in which they were made, linked through their rows. */
  firstPosition = none
  lastPosition = none
  /** Work on it that is done in slices: what it came to so far, or at the end. */
  job: Job | null = null
  /** The first position that is not settled yet, while a settlement runs. */
  nextToSettle = none
  /** Settlements that the operator could not pay out, by serial; null before the first. */
  failedSettlements: Map<number, FailedSettlement> | null = null

  constructor(handle: number, id: string, market: NewMarket) {
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
    this.description = market.description
    this.imageUrl = market.imageUrl
    this.categoryId = market.categoryId
    this.metadata = market.metadata
    this.tradingStartsAt = market.tradingStartsAt
    this.tradingEndsAt = market.tradingEndsAt
  }
}

export type MarketText = {
  readonly title: string
  readonly description: string | null
  readonly imageUrl: string | null
  readonly categoryId: string | null
  readonly metadata: string | null
  readonly tradingStartsAt: number | null
  readonly tradingEndsAt: number | null
}

export type NewMarket = MarketText & {
  readonly serial: number
  readonly createdAt: number
  readonly owner: Operator
  readonly currency: string
  readonly isShared: boolean
  readonly hasCompleteSetMatching: boolean
}

export type Resolution = {
  /** What a share of each outcome pays, in ticks, by index; they sum to one unit. */
  readonly payouts: readonly number[]
  /** The index of the outcome that pays everything, or null where it is divided. */
  readonly winner: number | null
  readonly source: string
  readonly notes: string | null
  readonly resolvedAt: number
}

/** CANCELLING removes open orders, PAYING settles positions; see sweep.ts and settle.ts. */
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
  readonly serial: number
  readonly createdAt: number
  readonly positionSerial: number
  readonly positionCreatedAt: number
  readonly outcome: number
  readonly operatorId: string
  readonly playerId: string
  readonly shares: number
  readonly payoutPerShare: number
}

/** Remembers an operator that holds an order or a position there, where it is not the owner. */
export function addParticipant(market: Market, operator: Operator): void {
  if (operator === market.owner) return
  // A plain loop: this runs with every order, over a list of a few.
  const { participants } = market
  for (let at = 0; at < participants.length; at += 1) if (participants[at] === operator) return
  participants.push(operator)
}

/** Whether orders are taken at that time. */
export function isTrading(market: Market, now: number): boolean {
  if (market.status !== 'OPEN') return false
  if (market.tradingStartsAt !== null && now < market.tradingStartsAt) return false
  return market.tradingEndsAt === null || now < market.tradingEndsAt
}
