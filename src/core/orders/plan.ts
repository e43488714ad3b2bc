// What an order would match now, without changing anything: for orders that must match in full or
// not at all, and for previews. A level is planned as a whole where no single order in it matters.

import { type FeeSchedule, feeOf } from '../fee.ts'
import type { BookSide } from '../memory/ladders.ts'
import { none, type OrderRow } from '../memory/memory.ts'
import type { PlayerHandle } from '../memory/slots.ts'
import { noPrice } from '../money.ts'
import type { RejectedOrderCode } from '../reject.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Book } from '../state/market.ts'
import type { OrderGroup, Player } from '../state/operator.ts'
import { type Budget, isUsedUp } from './budget.ts'
import { fillLimitOf, fitsFillLimit } from './fill-limit.ts'
import type { StopReason } from './match.ts'
import type { OrderOptions } from './options.ts'
import { PlannedGroups } from './plan-groups.ts'
import { beats, suits } from './price-rules.ts'
import { legsOf, offered, syntheticPrice } from './synthetic.ts'

/** The order to plan for. */
export type Planned = {
  readonly book: Book
  readonly isSell: boolean
  /** noPrice for a MARKET order. */
  readonly limit: number
  /** Of the price band, before the command; see price-band.ts. */
  readonly bandLimit: number
  readonly shares: number
  /** undefined where the exchange does not know the player yet. */
  readonly player: Player | undefined
  readonly options: OrderOptions
  /** The order group that it is in. */
  readonly group: OrderGroup | null
  /** Of an order by amount, with the most shares that one order may have. */
  readonly budget?: Budget | null
}

export type Plan = {
  /** Best first, one for each price. */
  readonly fills: readonly { readonly price: number; readonly shares: number }[]
  readonly filled: number
  /** Whether nothing of the order is left. */
  readonly isComplete: boolean
  /** The value of the fills, in micro-units. */
  readonly value: number
  /** What the order pays for them, in units of 1e-10; 0 where no fees are given. */
  readonly fee: number
  readonly stoppedBy: StopReason | null
}

type Judged = Pick<Planned, 'limit' | 'bandLimit' | 'options' | 'budget'>

/** Whether what an order would match can be a reason to reject it: not for most LIMIT orders. */
export function mayBeRejected({ limit, bandLimit, options, budget = null }: Judged): boolean {
  if (limit === noPrice || bandLimit !== noPrice || budget !== null) return true
  return options.isPostOnly || options.timeInForce === 'FOK'
}

/** Why an order is REJECTED for what it would match. */
export type Rejection = {
  readonly code: RejectedOrderCode
  /** Whether it meets prices outside of the price band. */
  readonly meetsBand: boolean
}

/** Decided before anything moves; null for an order that is not rejected. */
export function rejectionOf(exchange: Exchange, planned: Planned): Rejection | null {
  const { budget = null, limit, options } = planned
  if (!mayBeRejected(planned)) return null
  if (matchesFirstPrice(exchange, planned)) {
    return hasLiquidity(planned) ? null : { code: 'ORDER_NO_LIQUIDITY', meetsBand: false }
  }
  const isWhole = options.timeInForce === 'FOK'
  // For the others it matters only whether they match at all.
  const plan = planOf(exchange, isWhole ? planned : { ...planned, shares: 1 })
  const { filled, stoppedBy } = plan
  const meetsBand = stoppedBy === 'PRICE_BAND'
  if (isWhole) return plan.isComplete ? null : { code: 'ORDER_NO_LIQUIDITY', meetsBand }
  if (filled > 0) return options.isPostOnly ? { code: 'ORDER_WOULD_MATCH', meetsBand } : null
  if (meetsBand) return { code: 'ORDER_OUTSIDE_BAND', meetsBand }
  // A MARKET order that would only cancel orders of its own player is rejected, too. One that stops
  // at such an order is cancelled.
  const mustMatch = limit === noPrice || budget !== null
  const isUnmatched = mustMatch && stoppedBy === null
  return isUnmatched ? { code: 'ORDER_NO_LIQUIDITY', meetsBand } : null
}

// Most MARKET orders match the first price that there is, and need no plan.
function matchesFirstPrice(
  exchange: Exchange,
  { bandLimit, budget, limit, options }: Planned,
): boolean {
  const takesAny = limit === noPrice && bandLimit === noPrice && budget == null
  return takesAny && options.selfTradePrevention === 'NONE' && exchange.orderGroups.size === 0
}

function hasLiquidity({ book, isSell }: Planned): boolean {
  return book.oppositeOf(isSell).bestPrice !== noPrice || syntheticPrice(book, isSell) !== noPrice
}

export function planOf(
  exchange: Exchange,
  planned: Planned,
  fees: FeeSchedule | null = null,
): Plan {
  const { bandLimit, book, group, isSell, limit, options, player } = planned
  const budget = planned.budget?.copy() ?? null
  const fillLimit = fillLimitOf(exchange.rules)
  const opposite = book.oppositeOf(isSell)
  const groups = exchange.orderGroups.size > 0 ? new PlannedGroups(exchange, group) : null
  const direct = new Queue(exchange, opposite, groups)
  const others = othersOf(exchange, book, isSell, groups)
  const mayMeetOwn =
    options.selfTradePrevention !== 'NONE' && player !== undefined && player.openOrders > 0
  // A QUADRATIC fee is rounded for each trade.
  const isGrouped = group !== null || opposite.groupedOrders > 0
  const isRounded = (budget?.fees ?? fees)?.model === 'QUADRATIC'
  const isByLevel = !mayMeetOwn && !isRounded && !isGrouped
  const fills: { price: number; shares: number }[] = []
  // What all parts of a plan visit is counted: with complete sets, the orders of every other book.
  exchange.visits += others.length
  let left = planned.shares
  let value = 0
  let fee = 0
  let tradeCount = 0
  let stoppedBy: StopReason | null = null
  while (left > 0 && !isUsedUp(budget)) {
    if (groups?.hasTriggeredOwn) {
      stoppedBy = 'ORDER_GROUP'
      break
    }
    const synthetic = others.length === 0 ? noPrice : offered(others, isSell)
    const isBySets =
      synthetic !== noPrice && (direct.price === noPrice || beats(isSell, synthetic, direct.price))
    const price = isBySets ? synthetic : direct.price
    if (!suits(isSell, limit, price)) break
    if (budget !== null && !budget.pays(price)) break
    if (!suits(isSell, bandLimit, price)) {
      stoppedBy = 'PRICE_BAND'
      break
    }
    if (!fitsFillLimit(fillLimit, tradeCount, isBySets ? legsOf(book) : 1)) {
      stoppedBy = 'FILL_LIMIT'
      break
    }
    exchange.visits += isBySets ? others.length : 1
    if (!isBySets && mayMeetOwn && direct.player === player.handle) {
      if (options.selfTradePrevention === 'CANCEL_NEWEST') {
        stoppedBy = 'SELF_TRADE'
        break
      }
      direct.consume(direct.shares)
      continue
    }
    const isWholeLevel = isByLevel && tradeCount + direct.orderCount <= fillLimit
    const offeredShares = isBySets
      ? Math.min(...others.map((queue) => queue.shares))
      : isWholeLevel
        ? direct.levelShares
        : direct.shares
    const most = Math.min(left, offeredShares)
    const shares = budget === null ? most : budget.buy({ price, shares: most })
    let hasTriggered = false
    if (isBySets) {
      hasTriggered = countIn(groups, others, shares)
      for (const queue of others) queue.consume(shares)
      tradeCount += legsOf(book)
    } else if (isWholeLevel) {
      tradeCount += direct.orderCount
      direct.consumeLevel()
    } else {
      hasTriggered = countIn(groups, [direct], shares)
      direct.consume(shares)
      tradeCount += 1
    }
    const last = fills.at(-1)
    if (last?.price === price) last.shares += shares
    else fills.push({ price, shares })
    value += shares * price
    if (fees !== null) fee += feeOf({ price, shares }, fees, 'TAKER')
    left -= shares
    if (hasTriggered) for (const queue of [direct, ...others]) queue.skipUnmet()
  }
  const filled = planned.shares - left
  const isComplete = budget === null ? left === 0 : filled > 0 && budget.isUsedUp
  return { fills, filled, isComplete, value, fee, stoppedBy }
}

// None where complete sets do not match.
function othersOf(
  exchange: Exchange,
  book: Book,
  isSell: boolean,
  groups: PlannedGroups | null,
): Queue[] {
  if (syntheticPrice(book, isSell) === noPrice) return []
  return book.others.map((other) => new Queue(exchange, other.sideOf(isSell), groups))
}

// Whether a planned trade with the first orders of those queues triggers a group.
function countIn(groups: PlannedGroups | null, queues: readonly Queue[], shares: number): boolean {
  if (groups === null) return false
  const first = queues.map(({ order }) => order)
  return groups.count(first, shares)
}

/** The orders of a side, first to match first, and what the plan has left of them. */
class Queue {
  /** Of the best level that is left; noPrice where none is. */
  price: number = noPrice
  levelShares = 0
  orderCount = 0
  /** Of the first order of that level. */
  shares = 0
  player: PlayerHandle | null = null
  /** That order. */
  order: OrderRow = none
  private readonly exchange: Exchange
  private readonly side: BookSide
  /** null while the exchange has none. */
  private readonly groups: PlannedGroups | null
  private depth = 0

  constructor(exchange: Exchange, side: BookSide, groups: PlannedGroups | null) {
    this.exchange = exchange
    this.side = side
    this.groups = groups
    this.startLevel()
    this.skipUnmet()
  }

  /** Consumes shares of the first order. */
  consume(shares: number): void {
    this.shares -= shares
    this.levelShares -= shares
    if (this.shares > 0) return
    this.startNext()
    this.skipUnmet()
  }

  /** Consumes what is left of the best level. */
  consumeLevel(): void {
    this.startNextLevel()
    this.skipUnmet()
  }

  /** Passes over orders at the front that are cancelled before they would be met: any number. */
  skipUnmet(): void {
    if (this.groups === null || this.side.groupedOrders === 0) return
    while (this.price !== noPrice && !this.groups.meets(this.order)) {
      this.exchange.visits += 1
      this.levelShares -= this.shares
      this.startNext()
    }
  }

  private startNext(): void {
    this.orderCount -= 1
    if (this.orderCount === 0) this.startNextLevel()
    else this.startOrder(this.exchange.orders.next(this.order))
  }

  private startNextLevel(): void {
    this.depth += 1
    this.startLevel()
  }

  private startLevel(): void {
    const { ladders, levels } = this.exchange
    const level = ladders.at(this.side, this.depth)
    if (level === none) {
      this.price = noPrice
      return
    }
    this.price = levels.price(level)
    this.levelShares = levels.shares(level)
    this.orderCount = levels.orderCount(level)
    this.startOrder(levels.first(level))
  }

  private startOrder(order: OrderRow): void {
    const { orders } = this.exchange
    this.order = order
    this.shares = orders.remaining(order)
    this.player = orders.player(order)
  }
}
