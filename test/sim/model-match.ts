// Matching in the model: an incoming order matches the better of two offers, the best resting order
// of its book and the price that complete sets imply, until neither is acceptable.

import { mayPay, payable } from './model-amounts.ts'
import { isOutside, type Reference } from './model-band.ts'
import { bestOf } from './model-book.ts'
import { orderMatched, type TradePart } from './model-events.ts'
import { feeOf } from './model-fees.ts'
import {
  cancelPending,
  countTrade,
  type GroupEffects,
  isToBeCancelled,
  matchedShares,
} from './model-groups.ts'
import { give, positionOf, receive } from './model-positions.ts'
import {
  type Book,
  isOpen,
  type NewEvent,
  type Order,
  type OrderGroup,
  type Position,
  type State,
  type Trade,
} from './model-state.ts'

type Matched = {
  readonly matched: readonly NewEvent[]
  /** Each position once: those of resting orders in the order of their first fill, then its own. */
  readonly touched: readonly Position[]
  readonly triggered: readonly NewEvent[]
  /** Resting orders that were cancelled instead of being met. */
  readonly ended: readonly { order: Order; reason: 'SELF_TRADE' | 'ORDER_GROUP' }[]
  /** Why the incoming order was stopped although it could match further. */
  readonly stoppedBy: 'SELF_TRADE' | 'FILL_LIMIT' | 'PRICE_BAND' | 'ORDER_GROUP' | null
  /** Of an order by amount: whether not one hundredth of a share more is payable. */
  readonly isUsedUp: boolean
}

export function match(state: State, incoming: Order, reference: Reference): Matched {
  const matched: NewEvent[] = []
  const touched = new Set<Position>()
  const ended: { order: Order; reason: 'SELF_TRADE' | 'ORDER_GROUP' }[] = []
  const effects: GroupEffects = { triggered: [], cancelled: [] }
  const noteCancelled = (before: number) => {
    for (const order of effects.cancelled.slice(before))
      ended.push({ order, reason: 'ORDER_GROUP' })
  }
  let stoppedBy: Matched['stoppedBy'] = null
  let trades = 0
  let isUsedUp = false
  while (incoming.filled < incoming.shares && !isUsedUp) {
    const known = effects.cancelled.length
    cancelPending(() => frontOf(incoming), effects)
    noteCancelled(known)
    const leftOf = (order: Order) => order.shares - order.filled
    const offer = bestOffer(incoming, leftOf)
    if (offer === undefined) break
    if (!mayPay(state, incoming, offer.price)) {
      isUsedUp = true
      break
    }
    if (isOutside(incoming, offer.price, reference)) {
      stoppedBy = 'PRICE_BAND'
      break
    }
    if (isPastFillLimit(state, trades, offer)) {
      stoppedBy = 'FILL_LIMIT'
      break
    }
    if (isPrevented(incoming, offer)) {
      if (incoming.selfTradePrevention === 'CANCEL_NEWEST') {
        stoppedBy = 'SELF_TRADE'
        break
      }
      offer.resting[0]!.status = 'CANCELLED'
      ended.push({ order: offer.resting[0]!, reason: 'SELF_TRADE' })
      continue
    }
    const bought = buy(state, incoming, offer, leftOf)
    isUsedUp = bought.isUsedUp
    const apply = offer.isDirect ? matchDirect : matchSets
    const filled = incoming.filled
    apply(state, { incoming, offer, shares: bought.shares, matched, touched })
    trades += tradesOf(offer)
    const before = effects.cancelled.length
    const orders = [incoming, ...offer.resting]
    const isOwnTriggered = countTrade(state, orders, incoming.filled - filled, effects)
    noteCancelled(before)
    if (!isOwnTriggered) continue
    if (incoming.filled < incoming.shares) stoppedBy = 'ORDER_GROUP'
    break
  }
  if (matched.length > 0) touched.add(positionOf(state, incoming))
  const { triggered } = effects
  return { matched, triggered, touched: [...touched], ended, stoppedBy, isUsedUp }
}

export type Rejected = { readonly code: string; readonly isAtBand: boolean }

/** Whether an order becomes REJECTED, which is decided before anything changes. */
export function rejectedFor(state: State, incoming: Order, reference: Reference): Rejected | null {
  const { filled, isAtBand, isUsedUp } = fillable(state, incoming, reference)
  const isByAmount = incoming.amount !== null
  if (incoming.timeInForce === 'FOK') {
    const isWhole = isByAmount ? filled > 0 && isUsedUp : filled === incoming.shares
    return isWhole ? null : { code: 'ORDER_NO_LIQUIDITY', isAtBand }
  }
  if (filled > 0) {
    return incoming.isPostOnly ? { code: 'ORDER_WOULD_MATCH', isAtBand: false } : null
  }
  if (isAtBand) return { code: 'ORDER_OUTSIDE_BAND', isAtBand }
  if (incoming.type === 'LIMIT' && !isByAmount) return null
  return meetsOwnOrder(state, incoming) ? null : { code: 'ORDER_NO_LIQUIDITY', isAtBand }
}

/** A MARKET order that is stopped by an order of the same player is cancelled, not rejected. */
function meetsOwnOrder(state: State, incoming: Order): boolean {
  const leftOf = (order: Order) => (isToBeCancelled(order) ? 0 : order.shares - order.filled)
  const offer = bestOffer(incoming, leftOf)
  if (offer === undefined || incoming.selfTradePrevention !== 'CANCEL_NEWEST') return false
  if (!mayPay(state, incoming, offer.price)) return false
  return isPrevented(incoming, offer)
}

/** How many shares would be filled, and at what cost: the loop of match(), without changes. */
export function fillable(state: State, order: Order, reference: Reference) {
  const incoming = { ...order }
  const left = new Map<Order, number>()
  const fills = new Map<OrderGroup, number>()
  const isTriggered = (group: OrderGroup | null) => {
    const added = group === null ? 0 : (fills.get(group) ?? 0)
    return added > 0 && matchedShares(state, group!) + added > group!.limitShares
  }
  const leftOf = (resting: Order) => {
    if (isToBeCancelled(resting) || isTriggered(resting.group)) return 0
    return left.get(resting) ?? resting.shares - resting.filled
  }
  let cost = 0
  let isUsedUp = false
  let isAtBand = false
  let trades = 0
  while (incoming.filled < incoming.shares && !isUsedUp && !isTriggered(incoming.group)) {
    const offer = bestOffer(incoming, leftOf)
    if (offer === undefined) break
    if (!mayPay(state, incoming, offer.price)) {
      isUsedUp = true
      break
    }
    if (isOutside(incoming, offer.price, reference)) {
      isAtBand = true
      break
    }
    if (isPastFillLimit(state, trades, offer)) break
    if (isPrevented(incoming, offer)) {
      if (incoming.selfTradePrevention === 'CANCEL_NEWEST') break
      left.set(offer.resting[0]!, 0)
      continue
    }
    const bought = buy(state, incoming, offer, leftOf)
    isUsedUp = bought.isUsedUp
    for (const resting of offer.resting) left.set(resting, leftOf(resting) - bought.shares)
    for (const { group } of [incoming, ...offer.resting]) {
      if (group !== null) fills.set(group, (fills.get(group) ?? 0) + bought.shares)
    }
    incoming.filled += bought.shares
    cost += bought.shares * offer.price
    trades += tradesOf(offer)
  }
  return { filled: incoming.filled - order.filled, cost, isAtBand, isUsedUp }
}

/** How many shares the next match is of. An order by amount pays for them. */
function buy(
  state: State,
  incoming: Order,
  { price, resting }: Offer,
  leftOf: (order: Order) => number,
): { shares: number; isUsedUp: boolean } {
  const most = Math.min(incoming.shares - incoming.filled, ...resting.map(leftOf))
  return incoming.amount === null
    ? { shares: most, isUsedUp: false }
    : payable(state, incoming, { price, most })
}

/** The first match is always made; a further one only if all of its trades fit. */
function isPastFillLimit({ rules }: State, trades: number, offer: Offer): boolean {
  if (rules.orderFillsMax === 0 || trades === 0) return false
  return trades + tradesOf(offer) > rules.orderFillsMax
}

/** A match with one order is one trade; a match by complete sets is one for each outcome. */
function tradesOf({ isDirect, resting }: Offer): number {
  return isDirect ? 1 : resting.length + 1
}

type Offer = {
  readonly isDirect: boolean
  /** The price for the incoming order. */
  readonly price: number
  /** One order, or the first of every other outcome. */
  readonly resting: readonly Order[]
}

/** The better of the two offers, if the incoming order accepts it. */
function bestOffer(incoming: Order, leftOf: (order: Order) => number): Offer | undefined {
  const direct = directOffer(incoming, leftOf)
  const sets = setsOffer(incoming, leftOf)
  const isSetsBetter =
    sets !== undefined &&
    (direct === undefined ||
      (incoming.side === 'BUY' ? sets.price < direct.price : sets.price > direct.price))
  const offer = isSetsBetter ? sets : direct
  return offer !== undefined && isAcceptable(incoming, offer.price) ? offer : undefined
}

function directOffer(incoming: Order, leftOf: (order: Order) => number): Offer | undefined {
  const side = incoming.side === 'BUY' ? 'SELL' : 'BUY'
  const resting = bestLeft(incoming.book, side, leftOf)
  if (resting === undefined) return undefined
  return { isDirect: true, price: resting.price!, resting: [resting] }
}

function setsOffer(incoming: Order, leftOf: (order: Order) => number): Offer | undefined {
  const { market, book, side } = incoming
  if (!market.hasCompleteSets) return undefined
  const resting: Order[] = []
  for (const other of market.books.filter((candidate) => candidate !== book)) {
    const best = bestLeft(other, side, leftOf)
    if (best === undefined) return undefined
    resting.push(best)
  }
  const left = resting.reduce((rest, order) => rest - order.price!, 10_000)
  if (left >= 1) return { isDirect: false, price: left, resting }
  return side === 'BUY' ? { isDirect: false, price: 1, resting } : undefined
}

/** The first order of each queue that the incoming order may meet. */
function frontOf({ market, book, side }: Order): (Order | undefined)[] {
  const others = market.hasCompleteSets ? market.books.filter((other) => other !== book) : []
  const opposite = bestOf(book, side === 'BUY' ? 'SELL' : 'BUY')
  return [opposite, ...others.map((other) => bestOf(other, side))]
}

function bestLeft(
  book: Book,
  side: Order['side'],
  leftOf: (order: Order) => number,
): Order | undefined {
  const orders = book.orders.filter((order) => isOpen(order) && leftOf(order) > 0)
  return bestOf({ ...book, orders }, side)
}

function isPrevented(incoming: Order, { isDirect, resting }: Offer): boolean {
  const { operator, player } = resting[0]!
  const isOwn = operator === incoming.operator && player === incoming.player
  return isDirect && isOwn && incoming.selfTradePrevention !== 'NONE'
}

function isAcceptable({ type, side, price }: Order, offered: number): boolean {
  if (type === 'MARKET') return true
  return side === 'BUY' ? offered <= price! : offered >= price!
}

type Match = {
  readonly incoming: Order
  readonly offer: Offer
  readonly shares: number
  readonly matched: NewEvent[]
  readonly touched: Set<Position>
}

function matchDirect(state: State, { incoming, offer, shares, matched, touched }: Match): void {
  const resting = offer.resting[0]!
  const trade = makeTrade(state, {
    incoming,
    orders: [incoming, resting],
    price: offer.price,
    shares,
  })
  const parcel = { shares, value: shares * offer.price }
  matched.push(fill(incoming, trade, { role: 'TAKER', fee: trade.fees[0]!.fee }))
  matched.push(fill(resting, trade, { role: 'MAKER', fee: trade.fees[1]!.fee }))

  const isBuying = incoming.side === 'BUY'
  const seller = positionOf(state, isBuying ? resting : incoming)
  give(seller, parcel)
  const buyer = positionOf(state, isBuying ? incoming : resting)
  receive(buyer, parcel)
  touched.add(isBuying ? seller : buyer)
}

/** Each order has its own trade without a counterparty. */
function matchSets(state: State, { incoming, offer, shares, matched, touched }: Match): void {
  const { market, side } = incoming
  for (const [order, price] of pricesOf(incoming, offer)) {
    const trade = makeTrade(state, { incoming, orders: [order], price, shares })
    const role = order === incoming ? 'TAKER' : 'MAKER'
    matched.push(fill(order, trade, { role, fee: trade.fees[0]!.fee }))
    const position = positionOf(state, order)
    const parcel = { shares, value: shares * price }
    if (side === 'BUY') receive(position, parcel)
    else give(position, parcel)
    if (order !== incoming) touched.add(position)
  }
  market.setsOutstanding += side === 'BUY' ? shares : -shares
}

/** The prices add up to one unit. An excess is deducted one tick at a time. */
function pricesOf(incoming: Order, { price, resting }: Offer): Map<Order, number> {
  const prices = new Map([[incoming, price]])
  for (const order of resting) prices.set(order, order.price!)
  const newestFirst = [...resting].sort((a, b) => b.place - a.place)
  const sum = () => [...prices.values()].reduce((total, part) => total + part, 0)
  while (sum() > 10_000) {
    const payer = newestFirst.find((order) => prices.get(order)! > 1)!
    prices.set(payer, prices.get(payer)! - 1)
  }
  return prices
}

function fill(order: Order, trade: Trade, part: TradePart): NewEvent {
  order.filled += trade.shares
  order.cost += trade.shares * trade.price
  order.status = order.filled === order.shares ? 'FILLED' : 'PARTIAL'
  return orderMatched(order, trade, part)
}

type Made = {
  readonly incoming: Order
  readonly orders: readonly Order[]
  readonly price: number
  readonly shares: number
}

function makeTrade(state: State, { incoming, orders, price, shares }: Made): Trade {
  const fees = orders.map((order) => {
    const role = order === incoming ? 'TAKER' : 'MAKER'
    return { operator: order.operator, fee: feeOf(state, { order, role, price, shares }) }
  })
  const trade = { id: `trade-${state.tradesMade}`, price, shares, time: state.now, fees }
  state.tradesMade += 1
  orders[0]!.book.trades.push(trade)
  return trade
}
