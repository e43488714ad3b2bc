// The order that a command places, or that an amendment has moved: what matching needs to know of
// it until it rests or is closed. What it has filled so far is in its row.

import type { FeeSchedule } from '../fee.ts'
import type { OrderRow } from '../memory/memory.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Book } from '../state/market.ts'
import type { OrderGroup, Player } from '../state/operator.ts'
import { Budget } from './budget.ts'
import { fillLimitOf } from './fill-limit.ts'
import { type OrderOptions, unpackOptions } from './options.ts'
import { bandLimitOf } from './price-band.ts'

export type Incoming = {
  readonly order: OrderRow
  readonly book: Book
  readonly player: Player
  readonly isSell: boolean
  /** noPrice for a MARKET order. */
  readonly limit: number
  readonly options: OrderOptions
  /** Of the price band, before the command; see price-band.ts. */
  readonly bandLimit: number
  /** It is the taker of its trades. */
  readonly fees: FeeSchedule
  /** Of an order by amount; null for one by shares. */
  readonly budget: Budget | null
  /** How many trades it may make; see fill-limit.ts. */
  readonly fillLimit: number
  /** How many it has made so far, legs counted. */
  tradeCount: number
  /** What it has done to order groups; null for nothing. */
  groupEffects: GroupEffects | null
}

/** Of an incoming order: what it has done to groups so far. */
export type GroupEffects = {
  /** The groups that the last trade has made exceed their limits. */
  exceeded: OrderGroup[]
  cancelled: number
  /** The books in which orders were cancelled. */
  readonly changed: Set<Book>
}

export function incomingOf(
  exchange: Exchange,
  order: OrderRow,
  book: Book = exchange.bookOf(order),
  player: Player = exchange.playerOf(order),
): Incoming {
  const { orders } = exchange
  const isSell = orders.isSell(order)
  const fees = exchange.feesOf(player.operator, book.market)
  const spending = orders.spending(order)
  return {
    order,
    book,
    player,
    isSell,
    limit: orders.price(order),
    bandLimit: bandLimitOf(book, isSell),
    options: unpackOptions(orders.options(order)),
    fees,
    budget: spending === null ? null : new Budget(spending, fees),
    fillLimit: fillLimitOf(exchange.rules),
    tradeCount: 0,
    groupEffects: null,
  }
}
