// What the naive model remembers: plain objects in plain arrays, nothing sorted, nothing summed up.
// Whatever can be found by scanning these is found by scanning, each time anew.

import type {
  EventType,
  MarketStatus,
  OrderStatus,
  OrderType,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../src/core/words.ts'
import type { Step, TestEvent } from './step.ts'

/** Bounds and fee rate in steps: hundredths of a share, ticks, hundredths of a percent. */
export type Rules = {
  readonly sharesMin: number
  readonly sharesMax: number
  readonly priceMin: number
  readonly priceMax: number
  readonly feeRate: number
}

export type Setup = {
  /** A fee rate of null stands for that of the rules. */
  readonly operators: readonly {
    readonly currencies: readonly string[]
    readonly feeRate: number | null
  }[]
  readonly rules: Rules
}

export type State = {
  readonly rules: Rules
  readonly operators: readonly Operator[]
  readonly markets: Market[]
  /** Every order that was taken, so that its place is its number. */
  readonly orders: Order[]
  readonly settlements: Settlement[]
  now: number
  tradesMade: number
  /** How many orders went to the back of a queue: new ones, and some that were amended. */
  queued: number
  positionsMade: number
  /** Those of the step under way. */
  events: TestEvent[]
}

export type Operator = {
  readonly currencies: readonly string[]
  feeRate: number | null
  sequence: number
}

export type Market = {
  readonly number: number
  readonly id: string
  readonly owner: number
  readonly currency: string
  readonly isShared: boolean
  readonly hasCompleteSets: boolean
  readonly books: readonly Book[]
  readonly positions: Position[]
  /** Operators other than the owner, in the order in which they came with an order or a mint. */
  readonly participants: number[]
  title: string
  tradingStartsAt: number | null
  tradingEndsAt: number | null
  status: MarketStatus
  isSettling: boolean
  setsOutstanding: number
  winner: number | null
  /** In ticks, by outcome. */
  payouts: readonly number[] | null
}

/** An outcome and what is traded in it. */
export type Book = {
  readonly id: string
  readonly name: string
  readonly outcome: number
  /** First come first. Closed ones are swept out after the step that closed them. */
  orders: Order[]
  readonly trades: Trade[]
  version: number
}

export type Order = {
  readonly number: number
  /** When it went to the back of its queue, counted over all. */
  place: number
  readonly id: string
  readonly operator: number
  readonly player: string
  readonly market: Market
  readonly book: Book
  readonly side: Side
  readonly type: OrderType
  price: number | null
  shares: number
  readonly expiresAt: number | null
  readonly timeInForce: TimeInForce
  readonly isPostOnly: boolean
  readonly selfTradePrevention: SelfTradePrevention
  filled: number
  /** What its fills came to, in micro-units. */
  cost: number
  status: OrderStatus
}

export type Trade = {
  readonly id: string
  readonly price: number
  readonly shares: number
  readonly time: number
  readonly fees: readonly Fee[]
}

/** In units of 1e-10. */
export type Fee = { readonly operator: number; readonly fee: bigint }

/** Cost and profit are in micro-units. */
export type Position = {
  readonly id: string
  readonly market: Market
  readonly book: Book
  readonly operator: number
  readonly player: string
  shares: number
  cost: bigint
  profit: bigint
}

export type Settlement = {
  readonly id: string
  readonly position: Position
  /** In ticks. */
  readonly payoutPerShare: number
  status: 'COMPLETED' | 'FAILED'
}

/** An event on its way to an operator; its time and sequence are added when it is told. */
export type News = {
  readonly operator: number
  readonly eventType: EventType
  readonly payload: Readonly<Record<string, unknown>>
}

/** The code of a refusal, or null when the step was taken. */
export type Refusal = string | null

/** The step, or the kind of steps, with that word. */
export type StepOf<Do extends Step['do']> = Extract<Step, { readonly do: Do }>

export function emptyState({ operators, rules }: Setup): State {
  return {
    rules,
    operators: operators.map((operator) => ({ ...operator, sequence: 0 })),
    markets: [],
    orders: [],
    settlements: [],
    now: 0,
    tradesMade: 0,
    queued: 0,
    positionsMade: 0,
    events: [],
  }
}

export function isOpen(order: Order): boolean {
  return order.status === 'PENDING' || order.status === 'PARTIAL'
}

export function openOrdersOf(market: Market): Order[] {
  return market.books.flatMap((book) => book.orders.filter(isOpen))
}

export function isTrading(market: Market, now: number): boolean {
  if (market.status !== 'OPEN') return false
  const hasStarted = market.tradingStartsAt === null || market.tradingStartsAt <= now
  const hasEnded = market.tradingEndsAt !== null && market.tradingEndsAt <= now
  return hasStarted && !hasEnded
}

export function isVisible(state: State, market: Market, operator: number): boolean {
  if (market.owner === operator) return true
  if (!market.isShared || market.status === 'DRAFT') return false
  return state.operators[operator]!.currencies.includes(market.currency)
}

/** The market of that number, unless it is unknown or hidden from the operator. */
export function visibleMarket(
  state: State,
  step: { readonly operator: number; readonly market: number },
): Market | undefined {
  const market = state.markets[step.market]
  if (market === undefined || !isVisible(state, market, step.operator)) return undefined
  return market
}

/** Whether nothing is left to do in the market, so that its positions are no longer shown. */
export function isForgotten(market: Market): boolean {
  if (market.status === 'SETTLED') return true
  return market.status === 'CANCELLED' && openOrdersOf(market).length === 0
}

/** Remembers that an operator came to a market with an order or a mint. */
export function addParticipant(market: Market, operator: number): void {
  if (operator !== market.owner && !market.participants.includes(operator))
    market.participants.push(operator)
}
