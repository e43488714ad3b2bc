// Orders in the model: the checks on placing one, the matching, and every way of closing one.

import type { CancelReason } from '../../src/core/words.ts'
import { bestOf, photograph, tellBooks } from './model-book.ts'
import { orderCancelled, orderMatched, orderPlaced, positionUpdated, tell } from './model-events.ts'
import { freeShares, give, positionOf, receive } from './model-positions.ts'
import {
  isOpen,
  isTrading,
  type News,
  type Order,
  type Position,
  type Refusal,
  type State,
  type StepOf,
  type Trade,
  visibleMarket,
  welcome,
} from './model-state.ts'

export function place(state: State, step: StepOf<'place'>): Refusal {
  const refusal = refusalOf(state, step)
  if (refusal !== null) return refusal

  const market = state.markets[step.market]!
  const before = photograph(market, market.books[step.outcome]!)
  const order = makeOrder(state, step)
  const { matched, touched } = match(state, order)
  const isUnmet = order.type === 'MARKET' && order.filled === 0
  const isCut = order.type === 'MARKET' && order.status === 'PARTIAL'
  if (isUnmet) order.status = 'REJECTED'
  if (isCut) order.status = 'CANCELLED'

  tell(state, orderPlaced(order))
  for (const news of matched) tell(state, news)
  if (isCut) tell(state, orderCancelled(order, 'IMMEDIATE'))
  for (const position of touched) tell(state, positionUpdated(position))
  tellBooks(state, [before])
  return isUnmet ? 'ORDER_NO_LIQUIDITY' : null
}

export function cancel(state: State, step: StepOf<'cancel'>): Refusal {
  const order = state.orders[step.order]
  if (order === undefined || order.operator !== step.operator) return 'ORDER_NOT_FOUND'
  if (!isOpen(order)) return 'ORDER_CANNOT_CANCEL'
  closeOrders(state, [order], 'REQUESTED')
  return null
}

/** What is not open, or another's, is passed over. */
export function cancelMany(state: State, step: StepOf<'cancelMany'>): Refusal {
  const named = new Set(step.orders.map((number) => state.orders[number]))
  const own = [...named].flatMap((order) => {
    return order !== undefined && order.operator === step.operator && isOpen(order) ? [order] : []
  })
  for (const market of new Set(own.map((order) => order.market))) {
    closeOrders(
      state,
      own.filter((order) => order.market === market),
      'REQUESTED',
    )
  }
  return null
}

/** Closes open orders of one market, all in one command. */
export function closeOrders(state: State, orders: readonly Order[], reason: CancelReason): void {
  const books = new Set(orders.map((order) => order.book))
  const before = [...books].map((book) => photograph(orders[0]!.market, book))
  for (const order of orders) {
    order.status = reason === 'EXPIRED' ? 'EXPIRED' : 'CANCELLED'
    tell(state, orderCancelled(order, reason))
  }
  tellBooks(state, before)
}

/** The checks stand in the order in which their refusals win. */
function refusalOf(state: State, step: StepOf<'place'>): Refusal {
  const { sharesMin, sharesMax } = state.rules
  if (step.expiresAt !== null && step.expiresAt <= state.now) return 'VALIDATION_ERROR'
  if (step.shares < sharesMin || step.shares > sharesMax) return 'ORDER_INVALID_SHARES'
  if (step.type === 'LIMIT' && !isPriceAllowed(state, step.price)) return 'ORDER_INVALID_PRICE'

  const market = visibleMarket(state, step)
  if (market === undefined) return 'MARKET_NOT_FOUND'
  const book = market.books[step.outcome]
  if (book === undefined) return 'VALIDATION_ERROR'
  if (!isTrading(market, state.now)) return 'MARKET_NOT_OPEN'

  const { operator, player } = step
  const isShort = freeShares({ market, book, operator, player }) < step.shares
  if (step.side === 'SELL' && isShort) return 'POSITION_INSUFFICIENT_SHARES'
  return null
}

export function isPriceAllowed(state: State, price: number | null): boolean {
  const { priceMin, priceMax } = state.rules
  return price !== null && price >= priceMin && price <= priceMax
}

function makeOrder(state: State, step: StepOf<'place'>): Order {
  const number = state.orders.length
  const market = state.markets[step.market]!
  const book = market.books[step.outcome]!
  const order: Order = {
    number,
    id: `order-${number}`,
    operator: step.operator,
    player: step.player,
    market,
    book,
    side: step.side,
    type: step.type,
    price: step.type === 'LIMIT' ? step.price : null,
    shares: step.shares,
    expiresAt: step.expiresAt,
    filled: 0,
    cost: 0,
    status: 'PENDING',
  }
  state.orders.push(order)
  book.orders.push(order)
  welcome(market, step.operator)
  return order
}

type Matched = {
  readonly matched: readonly News[]
  /** Each position once: those of resting orders in the order of first touch, then its own. */
  readonly touched: readonly Position[]
}

export function match(state: State, incoming: Order): Matched {
  const matched: News[] = []
  const touched = new Set<Position>()
  while (incoming.filled < incoming.shares) {
    const resting = bestOf(incoming.book, incoming.side === 'BUY' ? 'SELL' : 'BUY')
    if (resting === undefined || !isMet(incoming, resting.price!)) break

    const trade = makeTrade(state, incoming, resting)
    const parcel = { shares: trade.shares, value: trade.shares * trade.price }
    for (const order of [incoming, resting]) {
      order.filled += parcel.shares
      order.cost += parcel.value
      order.status = order.filled === order.shares ? 'FILLED' : 'PARTIAL'
      matched.push(orderMatched(order, trade))
    }

    const isBuying = incoming.side === 'BUY'
    const seller = positionOf(state, isBuying ? resting : incoming)
    give(seller, parcel)
    const buyer = positionOf(state, isBuying ? incoming : resting)
    receive(buyer, parcel)
    touched.add(isBuying ? seller : buyer)
  }
  if (matched.length > 0) touched.add(positionOf(state, incoming))
  return { matched, touched: [...touched] }
}

function isMet({ type, side, price }: Order, restingPrice: number): boolean {
  if (type === 'MARKET') return true
  return side === 'BUY' ? restingPrice <= price! : restingPrice >= price!
}

function makeTrade(state: State, incoming: Order, resting: Order): Trade {
  const price = resting.price!
  const shares = Math.min(incoming.shares - incoming.filled, resting.shares - resting.filled)
  const fees = [incoming, resting].map(({ operator }) => {
    const rate = state.operators[operator]!.feeRate ?? state.rules.feeRate
    return { operator, fee: BigInt(shares) * BigInt(price) * BigInt(rate) }
  })
  const trade = { id: `trade-${state.tradesMade}`, price, shares, time: state.now, fees }
  state.tradesMade += 1
  incoming.book.trades.push(trade)
  return trade
}
