// The state of the naive model: plain objects in plain arrays, neither sorted nor summed up.
// Everything else is computed by scanning them, every time.

import type {
  EventType,
  MarketStatus,
  OrderStatus,
  OrderType,
  SelfTradePrevention,
  Side,
  TimeInForce,
  TradingMode,
} from '../../src/core/words.ts'
import type { FeeSchedule, Holder, Limits, PriceBand, Step, TestEvent } from './step.ts'

export type { Holder, Limits } from './step.ts'

/** In hundredths of a share, ticks, and hundredths of a percent. */
export type Rules = {
  readonly sharesMin: number
  readonly sharesMax: number
  /** How many trades an order may make at once; 0: any number. */
  readonly orderFillsMax: number
  /** How many orders of triggered groups a command cancels at most. */
  readonly groupCancelsMax: number
  readonly priceMin: number
  readonly priceMax: number
  readonly feeRate: number
  /** Of what has not ended; 0 for no limit. */
  readonly operatorMarketsMax: number
  readonly operatorOutcomesMax: number
  readonly operatorTextMbMax: number
}

export type Setup = {
  /** A fee rate of null means that of the rules. */
  readonly operators: readonly {
    readonly currencies: readonly string[]
    readonly feeRate: number | null
    readonly feeSchedule: FeeSchedule | null
  }[]
  readonly rules: Rules
}

export type State = {
  readonly rules: Rules
  readonly operators: readonly Operator[]
  readonly markets: Market[]
  /** Every accepted order; its index is its number. */
  readonly orders: Order[]
  readonly settlements: Settlement[]
  deadMen: DeadMan[]
  /** Deleted ones, too; the index of a group is its number. */
  readonly groups: OrderGroup[]
  /** Without those that were released and have no limits; that of the exchange stays. */
  readonly brakes: Brake[]
  now: number
  tradesMade: number
  /** How many orders went to the end of a queue: new ones and some amended ones. */
  queued: number
  positionsMade: number
  /** The events of the current step. */
  events: TestEvent[]
}

export type Brake = {
  readonly holder: Holder
  mode: TradingMode
  reason: string | null
  until: number | null
  limits: Limits | null
  /** The orders that it still cancels; null if it does not. */
  left: Order[] | null
  /** How many it has cancelled so far. */
  cancelled: number
  /** After a rebuild: which of them are left is to be looked for again. */
  isForgotten: boolean
  /** Of the exchange: the operators that were told. */
  told: number[]
}

export type Operator = {
  readonly currencies: readonly string[]
  feeRate: number | null
  feeSchedule: FeeSchedule | null
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
  /** Operators other than the owner, in the order of their first order or mint. */
  readonly participants: number[]
  title: string
  description: string | null
  imageUrl: string | null
  /** Of the owner's own sides; null for those of the owner. */
  feeSchedule: FeeSchedule | null
  priceBand: PriceBand | null
  tradingStartsAt: number | null
  tradingEndsAt: number | null
  status: MarketStatus
  isSettling: boolean
  /** The job of a cancellation is done, even if it had nothing to do. */
  isCancelDone: boolean
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
  /** In the order of arrival. Closed orders are removed after the step that closed them. */
  orders: Order[]
  readonly trades: Trade[]
  version: number
}

export type Order = {
  readonly number: number
  /** Its time priority: the value of `queued` when it went to the end of its queue. */
  place: number
  readonly id: string
  readonly operator: number
  readonly player: string
  readonly transactionId: string | null
  readonly market: Market
  readonly book: Book
  readonly side: Side
  readonly type: OrderType
  price: number | null
  shares: number
  /** In micro-units; null for an order by shares. */
  readonly amount: number | null
  /** Of an order by amount: with fees, in units of 1e-10. */
  spent: bigint
  readonly expiresAt: number | null
  readonly timeInForce: TimeInForce
  readonly isPostOnly: boolean
  readonly selfTradePrevention: SelfTradePrevention
  readonly group: OrderGroup | null
  filled: number
  /** The sum of its fills, in micro-units. */
  cost: number
  status: OrderStatus
}

export type OrderGroup = {
  readonly id: string
  readonly number: number
  readonly operator: number
  readonly player: string
  limitShares: number
  readonly windowMs: number
  status: 'ACTIVE' | 'TRIGGERED' | 'DELETED'
  fills: { readonly time: number; readonly shares: number }[]
  /** Open orders with lower numbers are to be cancelled. */
  cancelsBelow: number
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

export type DeadMan = {
  readonly operator: number
  /** null for the whole operator. */
  readonly player: string | null
  state: 'ARMED' | 'TRIGGERED' | 'CLEARED'
  timeoutMs: number
  deadline: number
  /** Orders with lower numbers are still to be cancelled. */
  cancelsBelow: number
}

/** An event without its time and sequence, which are added when it is published. */
export type NewEvent = {
  readonly operator: number
  readonly eventType: EventType
  readonly payload: Readonly<Record<string, unknown>>
}

/** The code of a rejection, or null if the step was accepted. */
export type Rejection = string | null

/** The kind of step with that value of `do`. */
export type StepOf<Do extends Step['do']> = Extract<Step, { readonly do: Do }>

export function emptyState({ operators, rules }: Setup): State {
  return {
    rules,
    operators: operators.map((operator) => ({ ...operator, sequence: 0 })),
    markets: [],
    orders: [],
    settlements: [],
    deadMen: [],
    groups: [],
    brakes: [],
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

/** The market of that number, unless it does not exist or is not visible to the operator. */
export function visibleMarket(
  state: State,
  step: { readonly operator: number; readonly market: number },
): Market | undefined {
  const market = state.markets[step.market]
  if (market === undefined || !isVisible(state, market, step.operator)) return undefined
  return market
}

/** Whether the market is SETTLED, or CANCELLED without open orders: its positions are not shown. */
export function isEnded(market: Market): boolean {
  if (market.status === 'SETTLED') return true
  return market.status === 'CANCELLED' && openOrdersOf(market).length === 0
}

/** Records that an operator has placed an order or minted sets in a market. */
export function addParticipant(market: Market, operator: number): void {
  if (operator !== market.owner && !market.participants.includes(operator))
    market.participants.push(operator)
}
