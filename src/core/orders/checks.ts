// The checks before an order is accepted, which placing, previewing and amending an order and
// changing complete sets share. They are in the order in which their rejections win.

import { availableShares, findPosition } from '../book/holdings.ts'
import type { Serial } from '../ids.ts'
import { none, type PositionRow } from '../memory/memory.ts'
import { newSpending } from '../memory/orders.ts'
import { decimals, microsPerSet, noPrice, type Price, type Shares, textOf } from '../money.ts'
import { invalid, marketNotFound, type Reject } from '../reject.ts'
import { canSee } from '../state/access.ts'
import type { Exchange, Rules } from '../state/exchange.ts'
import type { Book, Market } from '../state/market.ts'
import type { Operator, OrderGroup, Player } from '../state/operator.ts'
import { checkMode } from '../state/trading-mode.ts'
import type { OrderType, Side } from '../words.ts'
import { Budget } from './budget.ts'
import { checkDeadMan } from './dead-man.ts'
import { checkOptions, unpackOptions } from './options.ts'
import { groupForOrder } from './order-groups.ts'
import { checkOpenOrders } from './order-limits.ts'
import type { Planned } from './plan.ts'
import { checkOrderLimits, mayBeLimited } from './player-limits.ts'
import { bandLimitOf } from './price-band.ts'

/** An order as a client sends it, with the serials that its public ids stand for. */
export type NewOrder = {
  readonly operator: Operator
  readonly marketSerial: Serial
  readonly outcomeSerial: Serial
  readonly playerId: string
  readonly side: Side
  readonly type: OrderType
  /** 0 for an order by amount. */
  readonly shares: Shares
  /** In micro-units; left out for an order by shares. */
  readonly amount?: number
  /** Of a LIMIT order; ignored on a MARKET order. */
  readonly price: Price | null
  readonly expiresAt: number | null
  /** As options.ts packs them. */
  readonly options: number
  readonly transactionId: string | null
  /** The order group that it is to be in; left out: none. */
  readonly orderGroupSerial?: Serial | null
}

/** What the checks of an order have found. */
export type CheckedOrder = {
  readonly book: Book
  /** undefined where the exchange does not know the player yet. */
  readonly player: Player | undefined
  /** Of a SELL order: the position that it sells from. A BUY order has none yet. */
  readonly position: PositionRow
  readonly group: OrderGroup | null
}

/** All checks of an order that is placed or previewed. */
export function checkOrder(exchange: Exchange, order: NewOrder): CheckedOrder | Reject {
  const { operator } = order
  const malformed = checkTerms(exchange, order)
  if (malformed !== null) return malformed

  const book = bookFor(exchange, order)
  if ('code' in book) return book
  const { market } = book
  const player = operator.players.get(order.playerId)
  const isSell = order.side === 'SELL'
  const position = isSell ? findPosition(exchange, book, player) : none
  const { group, rejection: ofGroup } = groupForOrder(exchange, order)
  const checked: CheckedOrder = { book, player, position, group }
  const rejection =
    checkTrading(exchange, market, operator) ??
    (exchange.hasControls ? checkMode(exchange, { operator, player }, isSell) : null) ??
    checkDeadMan(operator, order.playerId) ??
    ofGroup ??
    (isSell
      ? checkAvailable(order.shares, availableShares(exchange, position))
      : checkPurchase(exchange, order, checked)) ??
    (mayRest(order) ? checkOpenOrders(exchange, market, operator, player) : null)
  return rejection ?? checked
}

/** The price at which an order may match or rest; noPrice for a MARKET order, which takes any. */
export function limitOf({ type, price }: Pick<NewOrder, 'type' | 'price'>): number {
  return type === 'LIMIT' ? (price ?? noPrice) : noPrice
}

/** An order by amount takes as many shares as the amount pays for. */
export function isByAmount<Order extends Pick<NewOrder, 'amount'>>(
  order: Order,
): order is Order & { readonly amount: number } {
  return order.amount !== undefined
}

/** How many shares an order takes at most. */
export function sharesToMatch({ rules }: Exchange, order: NewOrder): Shares {
  return isByAmount(order) ? rules.sharesMax : order.shares
}

/** Whether what is left of an order after matching waits in the book. */
export function mayRest({ type, options }: Pick<NewOrder, 'type' | 'options'>): boolean {
  return type === 'LIMIT' && unpackOptions(options).timeInForce === 'GTC'
}

function checkPurchase(exchange: Exchange, order: NewOrder, checked: CheckedOrder): Reject | null {
  const { operator } = order
  if (!mayBeLimited(operator, checked.player)) return null
  return checkOrderLimits(exchange, operator, plannedOf(exchange, order, checked))
}

/** What a plan needs to know of an order. */
export function plannedOf(
  exchange: Exchange,
  order: NewOrder,
  { book, group, player }: Omit<CheckedOrder, 'position'>,
): Planned {
  const isSell = order.side === 'SELL'
  return {
    book,
    isSell,
    limit: limitOf(order),
    bandLimit: bandLimitOf(book, isSell),
    shares: sharesToMatch(exchange, order),
    player,
    options: unpackOptions(order.options),
    group,
    budget: isByAmount(order)
      ? new Budget(newSpending(order.amount), exchange.feesOf(order.operator, book.market))
      : null,
  }
}

// The order by itself, before its market is read.
function checkTerms({ now, rules }: Exchange, order: NewOrder): Reject | null {
  const misfit = checkOptions(order.type, unpackOptions(order.options))
  if (misfit !== null) return misfit
  if (order.expiresAt !== null && order.expiresAt <= now) {
    return invalid('expiresAt', 'must be in the future')
  }
  return (
    (isByAmount(order) ? checkSpending(rules, order) : checkShares(rules, order.shares)) ??
    (order.type === 'LIMIT' ? checkPrice(rules, limitOf(order)) : null)
  )
}

// The outcome must be one of the market's. A market that the operator does not see wins over that.
function bookFor(exchange: Exchange, order: NewOrder): Book | Reject {
  const book = exchange.book(order.outcomeSerial)
  if (book?.market.serial === order.marketSerial) return book
  const market = exchange.market(order.marketSerial)
  if (market === undefined || !canSee(order.operator, market)) return marketNotFound
  return invalid('outcomeId', 'is not an outcome of this market')
}

export function checkShares({ sharesMin: min, sharesMax: max }: Rules, shares: number) {
  const isValid = shares >= min && shares <= max
  return isValid ? null : ({ code: 'ORDER_INVALID_SHARES', shares, min, max } satisfies Reject)
}

/** The least amount of an order by amount, in micro-units. */
const amountMin = 10_000

/** Of the amount of an order, in micro-units: the most is what the largest order may be worth. */
export function amountBounds({ sharesMax }: Rules) {
  return { min: amountMin, max: sharesMax * microsPerSet }
}

/** Whether an order may have an amount instead of shares: one that never rests. */
export function mayHaveAmount({ side, type, options }: AmountTerms): boolean {
  return side === 'BUY' && !mayRest({ type, options })
}

export const amountMisplaced =
  'is allowed only on BUY orders that are MARKET, or LIMIT with timeInForce IOC or FOK'

type AmountTerms = Pick<NewOrder, 'side' | 'type' | 'options'>

function checkSpending(rules: Rules, order: AmountTerms & { amount: number }): Reject | null {
  if (!mayHaveAmount(order)) return invalid('amount', amountMisplaced)
  const { min, max } = amountBounds(rules)
  if (order.amount >= min && order.amount <= max) return null
  const [least, most] = [textOf(min, decimals.money), textOf(max, decimals.money)]
  return invalid('amount', `must be between ${least} and ${most}`)
}

export function checkPrice({ priceMin: min, priceMax: max }: Rules, price: number) {
  const isValid = price >= min && price <= max
  return isValid ? null : ({ code: 'ORDER_INVALID_PRICE', price, min, max } satisfies Reject)
}

/** Whether the operator sees the market, and the market trades now. */
export function checkTrading({ now }: Exchange, market: Market, operator: Operator): Reject | null {
  if (!canSee(operator, market)) return marketNotFound
  return market.isTrading(now) ? null : { code: 'MARKET_NOT_OPEN', status: market.status }
}

/** Whether so many shares can be sold or redeemed. */
export function checkAvailable(wanted: number, available: number): Reject | null {
  return available >= wanted ? null : { code: 'POSITION_INSUFFICIENT_SHARES', wanted, available }
}
