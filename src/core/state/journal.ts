// What the commands of a turn did, as rows of numbers: small enough to write at full speed,
// complete enough to store, to answer and to tell from. Where later commands of the same turn
// could change a value, the fact carries it as of its moment; the rest stands in the rows that
// the fact names, and they stay until the turn ends.

import * as asserts from '../assert.ts'
import type { MarketStatus } from '../words.ts'
import type { Job } from './market.ts'
import type { Operator } from './operator.ts'

// V8 folds what the module itself declares, but reads an import anew at each use.
const { fail } = asserts

/** The kinds of fact. A command's facts start with COMMAND. */
export const COMMAND = 0
export const ORDER_ACCEPTED = 1
export const ORDER_CLOSED = 2
export const TRADE = 3
export const POSITION = 4
export const LEVEL = 5
export const BOOK = 6
export const SETS = 7
export const SETTLEMENT = 8
export const MARKET = 9
export const LEG = 10
export const AMENDED = 11

// Where each field stands, counted from the start of its fact; the kind itself stands at 0.
/** Status, filled and cost are those at the end of its placement. */
export const acceptedFact = { order: 1, status: 2, filled: 3, cost: 4 } as const
/** The ORDER_TAKEN behind it is no new order: it takes the place of that row. */
export const amendedFact = { was: 1 } as const
/** An open order, or the rest of one that does not rest. What was filled stands in its row. */
export const closedFact = { order: 1, status: 2, reason: 3 } as const
export const tradeFact = {
  serial: 1,
  incoming: 2,
  resting: 3,
  price: 4,
  shares: 5,
  incomingFilled: 6,
  restingFilled: 7,
  incomingFee: 8,
  restingFee: 9,
} as const
/** One order's part in a match by minting or merging; that of the incoming order comes first. */
export const legFact = {
  serial: 1,
  /** The serial that all legs of the match share. */
  match: 2,
  order: 3,
  kind: 4,
  price: 5,
  shares: 6,
  filled: 7,
  fee: 8,
} as const
/** A holding that has changed; the last of a command counts. Sums have two parts. */
export const positionFact = {
  position: 1,
  shares: 2,
  costLow: 3,
  costCarries: 4,
  profitLow: 5,
  profitCarries: 6,
} as const
/** A level that has changed; the last of a command counts. */
export const levelFact = { side: 1, rank: 2, shares: 3, orderCount: 4 } as const
/** A book that has changed, when the command is done with it. Prices are 0 where there is none. */
export const bookFact = { book: 1, bestBid: 2, bestAsk: 3, lastPrice: 4 } as const
/** Complete sets, minted or redeemed. */
export const setsFact = {
  serial: 1,
  market: 2,
  player: 3,
  isRedeem: 4,
  shares: 5,
  transactionId: 6,
} as const
export const settlementFact = {
  serial: 1,
  createdAt: 2,
  book: 3,
  player: 4,
  positionSerial: 5,
  positionCreatedAt: 6,
  shares: 7,
  payoutPerShare: 8,
  status: 9,
  /** 1 where an event tells of it. */
  hasEvent: 10,
} as const
/** A change of a market, told in full by a note. */
export const marketFact = { market: 1, note: 2 } as const

const sizes: readonly number[] = [1, 5, 4, 10, 7, 5, 5, 7, 11, 3, 9, 2]
/** By kind: how many numbers a fact of it takes. */
export const factSizes = sizes

export type MarketNote =
  | { readonly change: 'CREATED'; readonly title: string; readonly categoryId: string | null }
  | { readonly change: 'EDITED' }
  | {
      readonly change: 'STATUS'
      readonly from: MarketStatus
      readonly to: MarketStatus
      readonly reason: string | null
      /** Whom it is told. */
      readonly audience: readonly Operator[]
    }
  /** A slice of a run, as it stood then. */
  | { readonly change: 'JOB'; readonly job: Omit<Job, 'payout'> & { readonly payout: bigint } }

const firstCapacity = 1 << 14
/** Numbers that a command may write before it makes room again: more than one trade does. */
const roomMax = 64
// So that V8 knows a place to be small and positive, and adds to it without a check.
const placeMax = 0x3fffffff

export class Journal {
  facts = new Float64Array(firstCapacity)
  capacity = firstCapacity
  length = 0
  /** Where the facts of the last command start. */
  start = 0
  readonly notes: MarketNote[] = []
  readonly texts: string[] = []

  /** Adds one fact of that kind and size, to be filled in; says where it stands. */
  add(kind: number, size: number): number {
    this.reserve()
    return this.addReady(kind, size)
  }

  /** The same where room was made. The facts stay where they are, so V8 need not look again. */
  addReady(kind: number, size: number): number {
    const at = this.length
    const end = at + size
    if (end > this.capacity) fail('there is room for the fact')
    this.facts[at] = kind
    this.length = end
    return at & placeMax
  }

  /** Opens a command, where room was made for its first facts: what stood before is done. */
  begin(): void {
    this.start = this.length
    this.addReady(0, 1)
  }

  /** To be called again before each part of a command that has no fixed number of parts. */
  reserve(): void {
    if (this.length + roomMax > this.capacity) this.grow()
  }

  /** Where the facts of the command that starts there end. */
  endOf(start: number): number {
    let at = start
    do at = this.after(at)
    while (at < this.length && this.facts[at] !== COMMAND)
    return at
  }

  /** Where the fact behind that one stands. */
  after(at: number): number {
    return at + sizes[this.facts[at]!]!
  }

  /** The number under which a text is kept, or -1 for none. */
  keep(text: string | null): number {
    if (text === null) return -1
    this.texts.push(text)
    return this.texts.length - 1
  }

  textAt(index: number): string | null {
    return index < 0 ? null : this.texts[index]!
  }

  clear(): void {
    this.length = 0
    this.start = 0
    if (this.notes.length > 0) this.notes.length = 0
    if (this.texts.length > 0) this.texts.length = 0
  }

  private grow(): void {
    this.capacity *= 2
    if (this.capacity > placeMax) fail('the facts of one turn fit into 8 GiB')
    const facts = new Float64Array(this.capacity)
    facts.set(this.facts)
    this.facts = facts
  }
}
