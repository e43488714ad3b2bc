// The end of a market in the model: the jobs of a cancellation and a settlement, and the
// acknowledgements of payouts.

import { queueOf } from './model-book.ts'
import { publish, settlementCompleted } from './model-events.ts'
import { changeStatus, ownedMarket } from './model-markets.ts'
import { closeOrders } from './model-orders.ts'
import {
  type Market,
  type Order,
  openOrdersOf,
  type Position,
  type Rejection,
  type State,
  type StepOf,
} from './model-state.ts'

export function settle(state: State, step: StepOf<'settle'>): Rejection {
  const owned = ownedMarket(state, step)
  if (owned.market === undefined) return owned.rejection
  const { market } = owned
  if (market.status === 'SETTLED') return 'SETTLEMENT_ALREADY_COMPLETED'
  if (market.status !== 'RESOLVED') return 'MARKET_INVALID_TRANSITION'
  market.isSettling = true
  return null
}

/** One slice of a job. Orders are closed first, and a slice that closes orders settles nothing. */
export function continueMarket(state: State, step: StepOf<'continue'>): Rejection {
  const market = state.markets[step.market]
  if (market === undefined) return null
  const isCancelled = market.status === 'CANCELLED'
  if (!isCancelled && !isBeingSettled(market)) return null

  const orders = closingOrder(market).slice(0, step.atMost)
  if (orders.length > 0) {
    closeOrders(state, orders, isCancelled ? 'MARKET_CANCELLED' : 'SETTLEMENT')
  } else if (!isCancelled) {
    settlePositions(state, market, step.atMost)
  }
  if (isCancelled && openOrdersOf(market).length === 0) market.isCancelDone = true
  return null
}

export function acknowledge(state: State, step: StepOf<'acknowledge'>): Rejection {
  const settlement = state.settlements[step.settlement]
  if (settlement?.position.operator !== step.operator) return 'SETTLEMENT_NOT_FOUND'
  settlement.status = step.status
  return null
}

export function retrySettlements(state: State, step: StepOf<'retrySettlements'>): Rejection {
  const owned = ownedMarket(state, step)
  if (owned.market === undefined) return owned.rejection
  const { market } = owned
  if (market.status !== 'SETTLED') return 'MARKET_INVALID_TRANSITION'

  const failed = state.settlements.filter(
    ({ position, status }) => position.market === market && status === 'FAILED',
  )
  for (const settlement of failed.slice(0, step.atMost)) {
    settlement.status = 'COMPLETED'
    publish(state, settlementCompleted(settlement))
  }
  return null
}

export function isBeingSettled(market: Market): boolean {
  return market.status === 'RESOLVED' && market.isSettling
}

/** Book by book, bids before asks, each in the order in which it would have been matched. */
function closingOrder(market: Market): Order[] {
  return market.books.flatMap((book) => [...queueOf(book, 'BUY'), ...queueOf(book, 'SELL')])
}

function settlePositions(state: State, market: Market, atMost: number): void {
  const unsettled = market.positions.filter((position) => !isSettled(state, position))
  for (const position of unsettled.slice(0, atMost)) {
    const settlement = {
      id: `settlement-${state.settlements.length}`,
      position,
      payoutPerShare: market.payouts![position.book.outcome]!,
      status: 'COMPLETED' as const,
    }
    state.settlements.push(settlement)
    publish(state, settlementCompleted(settlement))
  }
  if (unsettled.length <= atMost) changeStatus(state, market, { status: 'SETTLED' })
}

function isSettled(state: State, position: Position): boolean {
  return state.settlements.some((settlement) => settlement.position === position)
}
