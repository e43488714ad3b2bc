// The effects of an order, computed in memory while its book is locked: fills, fees, positions and
// events, and the values of the statement that writes them.

import { randomBytes } from 'node:crypto'
import { feeOf, linearFees, type PricedShares } from '../../../src/core/fee.ts'
import { decimals, type FeeRate, numberOf, timesOverHalfUp } from '../../../src/core/money.ts'
import type { PositionRow, RestingRow } from './schema.ts'

export type Operator = { readonly id: string; readonly feeRate: number }

/** In steps. */
export type NewOrder = {
  readonly operator: Operator
  readonly marketId: string
  readonly outcomeId: string
  readonly playerId: string
  readonly side: 'BUY' | 'SELL'
  readonly type: 'LIMIT' | 'MARKET'
  readonly shares: number
  readonly price: number | null
  readonly transactionId: string | null
  readonly expiresAt: string | null
}

export type Trade = {
  readonly id: string
  readonly buyOrderId: string
  readonly sellOrderId: string
  readonly buyer: string
  readonly seller: string
  readonly price: number
  readonly shares: number
  readonly buyerFee: number
  readonly sellerFee: number
}
type Holding = PositionRow & { readonly operator: string; readonly player: string }
type MatchedOrder = { id: string; filled: number; cost: number; remaining: number; status: string }
type EventRow = { readonly operator: string; readonly type: string; readonly payload: string }

type Start = {
  readonly order: NewOrder
  readonly id: string
  readonly version: number
  readonly own: PositionRow | undefined
  readonly feeRates: ReadonlyMap<string, FeeRate>
}

const noFee = 0 as FeeRate

export class Placement {
  readonly order: NewOrder
  readonly id: string
  readonly at = new Date()
  readonly trades: Trade[] = []
  filled = 0
  cost = 0
  status = 'PENDING'
  remaining: number
  readonly #start: Start
  readonly #matched: MatchedOrder[] = []
  readonly #events: EventRow[] = []
  readonly #holdings = new Map<string, Holding>()

  constructor(start: Start) {
    this.#start = start
    this.order = start.order
    this.id = start.id
    this.remaining = start.order.shares
    const { operator, playerId } = start.order
    if (start.own !== undefined) this.#hold(operator.id, playerId, start.own)
  }

  /** Matches the next best resting order; does nothing once the order is filled. */
  match(row: RestingRow): void {
    if (this.remaining === 0) return
    const { order } = this
    const shares = Math.min(this.remaining, row.remaining)
    const value = shares * row.price
    const isBuy = order.side === 'BUY'
    this.filled += shares
    this.cost += value
    this.remaining -= shares
    const remaining = row.remaining - shares
    const status = remaining === 0 ? 'FILLED' : 'PARTIAL'
    const filled = row.filled + shares
    this.#matched.push({ id: row.id, filled, cost: row.cost + value, remaining, status })
    const ours = { order: this.id, operator: order.operator.id, player: order.playerId }
    const theirs = { order: row.id, operator: row.operator_id, player: row.player_id }
    const [buyer, seller] = isBuy ? [ours, theirs] : [theirs, ours]
    const trade: Trade = {
      id: newId(),
      buyOrderId: buyer.order,
      sellOrderId: seller.order,
      buyer: buyer.operator,
      seller: seller.operator,
      price: row.price,
      shares,
      buyerFee: this.#feeOf(buyer.operator, { price: row.price, shares }),
      sellerFee: this.#feeOf(seller.operator, { price: row.price, shares }),
    }
    this.trades.push(trade)
    this.#hold(row.operator_id, row.player_id, {
      shares: row.held ?? 0,
      reserved: row.reserved ?? 0,
      cost: row.held_cost ?? 0,
      profit: row.profit ?? 0,
    })
    this.#move(trade, buyer.player, seller.player, isBuy)
    this.#publishMatched(trade, filled, remaining, status)
  }

  /** The remaining shares rest in the book, or are cancelled. */
  rest(): void {
    const { order } = this
    const isOver = this.remaining > 0 && order.type === 'MARKET'
    if (isOver) this.remaining = 0
    const isOpen = this.filled === 0 ? 'PENDING' : 'PARTIAL'
    this.status = isOver ? 'CANCELLED' : this.remaining === 0 ? 'FILLED' : isOpen
    if (order.side === 'SELL' && this.remaining > 0) {
      const own = this.#holding(order.operator.id, order.playerId)
      own.reserved += this.remaining
    }
    this.#publish('ORDER_PLACED', {
      orderId: this.id,
      outcomeId: order.outcomeId,
      side: order.side,
      type: order.type,
      shares: shown(order.shares),
      price: order.price === null ? null : numberOf(order.price, decimals.price),
      status: this.status,
      filledShares: shown(this.filled),
    })
    this.#publish('ORDER_BOOK_UPDATE', {
      outcomeId: order.outcomeId,
      version: this.#start.version + 1,
      prices: [...new Set([order.price, ...this.trades.map(({ price }) => price)])],
    })
    this.#publish('PRICE_UPDATED', {
      outcomeId: order.outcomeId,
      lastPrice: this.trades.at(-1)?.price ?? null,
    })
  }

  /** In the order of the statement's parameters. */
  values(): unknown[] {
    const { order, trades } = this
    const matched = this.#matched
    const events = this.#events
    const held = [...this.#holdings.values()]
    return [
      this.id,
      order.marketId,
      order.outcomeId,
      order.operator.id,
      order.playerId,
      order.side,
      order.type,
      order.shares,
      order.price,
      this.filled,
      this.cost,
      this.remaining,
      this.status,
      order.transactionId,
      order.expiresAt,
      this.at,
      matched.map(({ id }) => id),
      matched.map(({ filled }) => filled),
      matched.map(({ cost }) => cost),
      matched.map(({ remaining }) => remaining),
      matched.map(({ status }) => status),
      trades.map(({ id }) => id),
      trades.map(({ buyOrderId }) => buyOrderId),
      trades.map(({ sellOrderId }) => sellOrderId),
      trades.map(({ buyer }) => buyer),
      trades.map(({ seller }) => seller),
      trades.map(({ price }) => price),
      trades.map(({ shares }) => shares),
      trades.map(({ buyerFee }) => buyerFee),
      trades.map(({ sellerFee }) => sellerFee),
      held.map(({ operator }) => operator),
      held.map(({ player }) => player),
      held.map(({ shares }) => shares),
      held.map(({ reserved }) => reserved),
      held.map(({ cost }) => cost),
      held.map(({ profit }) => profit),
      events.map(({ operator }) => operator),
      events.map(({ type }) => type),
      events.map(({ payload }) => payload),
      this.filled,
      trades.length,
      trades.at(-1)?.price ?? null,
    ]
  }

  #move(trade: Trade, buyerPlayer: string, sellerPlayer: string, isBuy: boolean): void {
    const value = trade.shares * trade.price
    const seller = this.#holding(trade.seller, sellerPlayer)
    const basis = timesOverHalfUp(seller.cost, trade.shares, seller.shares)
    seller.shares -= trade.shares
    seller.cost -= basis
    seller.profit += value - basis
    if (isBuy) seller.reserved -= trade.shares
    const buyer = this.#holding(trade.buyer, buyerPlayer)
    buyer.shares += trade.shares
    buyer.cost += value
    for (const { operator, player, shares, cost, profit } of [seller, buyer]) {
      const money = {
        cost: numberOf(cost, decimals.money),
        profit: numberOf(profit, decimals.money),
      }
      this.#publish('POSITION_UPDATED', { player, shares: shown(shares), ...money }, operator)
    }
  }

  #publishMatched(trade: Trade, filled: number, remaining: number, status: string): void {
    const common = {
      tradeId: trade.id,
      outcomeId: this.order.outcomeId,
      shares: shown(trade.shares),
      price: numberOf(trade.price, decimals.price),
    }
    const ours = { filledShares: shown(this.filled), remainingShares: shown(this.remaining) }
    const theirs = { filledShares: shown(filled), remainingShares: shown(remaining), status }
    const isBuy = this.order.side === 'BUY'
    const [bought, sold] = isBuy ? [ours, theirs] : [theirs, ours]
    const buy = { orderId: trade.buyOrderId, side: 'BUY', ...common, ...bought }
    const sell = { orderId: trade.sellOrderId, side: 'SELL', ...common, ...sold }
    this.#publish('ORDER_MATCHED', buy, trade.buyer)
    this.#publish('ORDER_MATCHED', sell, trade.seller)
  }

  #publish(type: string, payload: object, operator = this.order.operator.id): void {
    const about = { marketId: this.order.marketId, operatorId: operator, ...payload }
    const text = JSON.stringify({ ...about, timestamp: this.at.getTime() })
    this.#events.push({ operator, type, payload: text })
  }

  /** Keeps a player's position as read, unless this order has changed it already. */
  #feeOf(operator: string, fill: PricedShares): number {
    const rate = this.#start.feeRates.get(operator) ?? noFee
    return feeOf(fill, linearFees(rate), 'TAKER')
  }

  #hold(operator: string, player: string, row: PositionRow): void {
    const key = `${operator} ${player}`
    if (!this.#holdings.has(key)) this.#holdings.set(key, { ...row, operator, player })
  }

  #holding(operator: string, player: string): Holding {
    this.#hold(operator, player, { shares: 0, reserved: 0, cost: 0, profit: 0 })
    return this.#holdings.get(`${operator} ${player}`)!
  }
}

/** UUID, version 7: new rows go to the end of an index. */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  const random = randomBytes(10).toString('hex')
  const variant = '89ab'[Number.parseInt(random[3]!, 16) & 3]
  const head = `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}`
  return `${head}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`
}

function shown(shares: number): number {
  return numberOf(shares, decimals.shares)
}
