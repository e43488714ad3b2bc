// Orders in the model: the checks on placing one, its execution, and all ways to close one.

import type { CancelReason } from '../../src/core/words.ts'
import { afterAll } from './model-amounts.ts'
import { referenceOf, suspendAtBand } from './model-band.ts'
import { type BookSnapshot, publishBookChanges, snapshotOf } from './model-book.ts'
import { orderCancelled, orderPlaced, positionUpdated, publish } from './model-events.ts'
import { findGroup, groupOfOrder } from './model-groups.ts'
import { fillable, match, rejectedFor } from './model-match.ts'
import { exceededLimit } from './model-player-limits.ts'
import { freeShares } from './model-positions.ts'
import { isRestricted } from './model-restrictions.ts'
import {
  addParticipant,
  type Book,
  isOpen,
  isTrading,
  type Market,
  type NewEvent,
  type Order,
  type Rejection,
  type State,
  type StepOf,
  visibleMarket,
} from './model-state.ts'
import { transactionIdOf } from './step.ts'

export function place(state: State, step: StepOf<'place'>): Rejection {
  const rejection = rejectionOf(state, step)
  if (rejection !== null) return rejection

  const market = state.markets[step.market]!
  const before = snapshotAll(market, market.books[step.outcome]!)
  const order = makeOrder(state, step)
  const rejected = rejectedFor(state, order, referenceOf(before[0]!))
  if (rejected !== null) {
    order.status = 'REJECTED'
    if (order.amount !== null) order.shares = 0
    publish(state, orderPlaced(order))
    if (rejected.isAtBand) suspendAtBand(state, market)
    return rejected.code
  }
  execute(state, order, { before, eventOf: orderPlaced })
  return null
}

/** The snapshots of all books of a market, the order's own book first. */
export function snapshotAll(market: Market, own: Book): BookSnapshot[] {
  const books = [own, ...market.books.filter((book) => book !== own)]
  return books.map((book) => snapshotOf(market, book))
}

type Execution = {
  readonly before: readonly BookSnapshot[]
  readonly eventOf: (order: Order) => NewEvent
}

/** Matches an order that was placed or amended; the rest of it rests or is cancelled. */
export function execute(state: State, order: Order, { before, eventOf }: Execution): void {
  const reference = referenceOf(before[0]!)
  const found = match(state, order, reference)
  const { matched, triggered, touched, ended, stoppedBy, isUsedUp } = found
  const isAtOnce = order.type === 'MARKET' || order.timeInForce === 'IOC'
  const isFilled = order.amount === null ? order.filled === order.shares : isUsedUp
  const isCut = !isFilled && (isAtOnce || stoppedBy !== null)
  if (isCut) order.status = 'CANCELLED'
  if (order.amount !== null) {
    order.shares = order.filled
    if (isFilled) order.status = 'FILLED'
  }

  publish(state, eventOf(order))
  for (const event of matched) publish(state, afterAll(event, order))
  for (const event of triggered) publish(state, event)
  for (const { order: resting, reason } of ended) publish(state, orderCancelled(resting, reason))
  if (isCut) publish(state, orderCancelled(order, stoppedBy ?? 'IMMEDIATE'))
  for (const position of touched) publish(state, positionUpdated(position))
  publishBookChanges(state, before)
  if (stoppedBy === 'PRICE_BAND') suspendAtBand(state, order.market)
}

export function cancel(state: State, step: StepOf<'cancel'>): Rejection {
  const order = state.orders[step.order]
  if (order === undefined || order.operator !== step.operator) return 'ORDER_NOT_FOUND'
  if (!isOpen(order)) return 'ORDER_CANNOT_CANCEL'
  closeOrders(state, [order], 'REQUESTED')
  return null
}

/** Orders that are not open, or that another operator placed, are skipped. */
export function cancelMany(state: State, step: StepOf<'cancelMany'>): Rejection {
  const named = new Set(step.orders.map((number) => state.orders[number]))
  const own = [...named].flatMap((order) => {
    return order !== undefined && order.operator === step.operator && isOpen(order) ? [order] : []
  })
  closeByMarket(state, own, 'REQUESTED')
  return null
}

/** Closes open orders, those of each market in a command of their own. */
export function closeByMarket(state: State, orders: readonly Order[], reason: CancelReason): void {
  for (const market of new Set(orders.map((order) => order.market))) {
    closeOrders(
      state,
      orders.filter((order) => order.market === market),
      reason,
    )
  }
}

/** Whether a dead-man switch of the player or its operator was triggered. */
export function isStopped(
  { deadMen }: State,
  { operator, player }: { readonly operator: number; readonly player: string },
): boolean {
  return deadMen.some((deadMan) => {
    const isOfPlayer = deadMan.player === null || deadMan.player === player
    return deadMan.operator === operator && isOfPlayer && deadMan.state === 'TRIGGERED'
  })
}

/** Closes open orders of one market, all in one command. */
export function closeOrders(state: State, orders: readonly Order[], reason: CancelReason): void {
  const books = new Set(orders.map((order) => order.book))
  const before = [...books].map((book) => snapshotOf(orders[0]!.market, book))
  for (const order of orders) {
    order.status = reason === 'EXPIRED' ? 'EXPIRED' : 'CANCELLED'
    publish(state, orderCancelled(order, reason))
  }
  publishBookChanges(state, before)
}

/** In the order in which the rejections take precedence. */
function rejectionOf(state: State, step: StepOf<'place'>): Rejection {
  const { sharesMin, sharesMax } = state.rules
  if (step.type === 'MARKET' && step.timeInForce !== 'GTC') return 'VALIDATION_ERROR'
  const mayPost = step.type === 'LIMIT' && step.timeInForce === 'GTC'
  if (step.isPostOnly && !mayPost) return 'VALIDATION_ERROR'
  if (step.expiresAt !== null && step.expiresAt <= state.now) return 'VALIDATION_ERROR'
  if (step.amount !== null) {
    const rests = step.type === 'LIMIT' && step.timeInForce === 'GTC'
    if (step.side === 'SELL' || rests) return 'VALIDATION_ERROR'
    if (step.amount < 10_000 || step.amount > sharesMax * 10_000) return 'VALIDATION_ERROR'
  } else if (step.shares < sharesMin || step.shares > sharesMax) return 'ORDER_INVALID_SHARES'
  if (step.type === 'LIMIT' && !isPriceAllowed(state, step.price)) return 'ORDER_INVALID_PRICE'

  const market = visibleMarket(state, step)
  if (market === undefined) return 'MARKET_NOT_FOUND'
  const book = market.books[step.outcome]
  if (book === undefined) return 'VALIDATION_ERROR'
  if (!isTrading(market, state.now)) return 'MARKET_NOT_OPEN'
  if (isRestricted(state, step, step.side === 'SELL')) return 'TRADING_RESTRICTED'
  if (isStopped(state, step)) return 'DEAD_MAN_TRIGGERED'
  const group = groupOfOrder(state, step)
  if (typeof group === 'string') return group
  if (group?.status === 'TRIGGERED') return 'ORDER_GROUP_TRIGGERED'

  const { operator, player } = step
  const isShort = freeShares({ market, book, operator, player }) < step.shares
  if (step.side === 'SELL' && isShort) return 'POSITION_INSUFFICIENT_SHARES'
  if (step.side === 'SELL') return null
  const draft = draftOrder(state, step)
  const reference = referenceOf(snapshotOf(market, book))
  const planned = fillable(state, draft, reference)
  const shares = step.amount === null ? step.shares : planned.filled
  const ofShares = step.type === 'LIMIT' ? step.shares * step.price! : planned.cost
  const cost = step.amount ?? ofShares
  return exceededLimit(state, { operator, player, market, books: [book], shares, cost })
}

export function isPriceAllowed(state: State, price: number | null): boolean {
  const { priceMin, priceMax } = state.rules
  return price !== null && price >= priceMin && price <= priceMax
}

function makeOrder(state: State, step: StepOf<'place'>): Order {
  const order = draftOrder(state, step)
  state.orders.push(order)
  state.queued += 1
  order.book.orders.push(order)
  addParticipant(order.market, step.operator)
  return order
}

function draftOrder(state: State, step: StepOf<'place'>): Order {
  const number = state.orders.length
  const market = state.markets[step.market]!
  const book = market.books[step.outcome]!
  return {
    number,
    place: state.queued,
    id: `order-${number}`,
    operator: step.operator,
    player: step.player,
    transactionId: transactionIdOf(step, number),
    market,
    book,
    side: step.side,
    type: step.type,
    price: step.type === 'LIMIT' ? step.price : null,
    shares: step.amount === null ? step.shares : state.rules.sharesMax,
    amount: step.amount,
    spent: 0n,
    expiresAt: step.expiresAt,
    timeInForce: step.timeInForce,
    isPostOnly: step.isPostOnly,
    selfTradePrevention: step.selfTradePrevention,
    group: step.group === null ? null : findGroup(state, { ...step, group: step.group })!,
    filled: 0,
    cost: 0,
    status: 'PENDING',
  }
}
