// What an order would match now, found out without moving anything: for those that must match whole
// or not at all, and for those who only want to know.

import type { Book } from '../book/book.ts'
import { type BookSide, levelAt } from '../memory/ladders.ts'
import { firstOrder } from '../memory/levels.ts'
import { none } from '../memory/memory.ts'
import type { Exchange } from '../state/exchange.ts'
import type { SelfTradePrevention } from '../words.ts'
import { offered, syntheticPrice } from './synthetic.ts'

export type Planning = {
  readonly book: Book
  readonly isSell: boolean
  /** 0 for a MARKET order. */
  readonly limit: number
  readonly shares: number
  /** The handle of its player; -1 for one who was never here. */
  readonly player: number
  readonly prevention: SelfTradePrevention
}

export type Plan = {
  /** Best first, one for each price. */
  readonly fills: readonly { readonly price: number; readonly shares: number }[]
  readonly filled: number
  /** What the fills come to, in micro-units. */
  readonly cost: number
  /** It meets an order of its own player and goes no further. */
  readonly isStopped: boolean
}

export function planOf(exchange: Exchange, planning: Planning): Plan {
  const { book, isSell } = planning
  const real = new Queue(exchange, isSell ? book.bids : book.asks)
  const others = othersOf(exchange, book, isSell)
  const fills: { price: number; shares: number }[] = []
  let left = planning.shares
  let cost = 0
  let isStopped = false
  while (left > 0) {
    const synthetic = others.length === 0 ? 0 : offered(others, isSell)
    const isDirect = real.price > 0 && (synthetic === 0 || !beats(isSell, synthetic, real.price))
    const price = isDirect ? real.price : synthetic
    if (!suits(isSell, planning.limit, price)) break
    if (isDirect && planning.prevention !== 'NONE' && real.player === planning.player) {
      isStopped = planning.prevention === 'CANCEL_NEWEST'
      if (isStopped) break
      real.take(real.shares)
      continue
    }
    const queues = isDirect ? [real] : others
    const shares = Math.min(left, ...queues.map((queue) => queue.shares))
    for (const queue of queues) queue.take(shares)
    const last = fills.at(-1)
    if (last?.price === price) last.shares += shares
    else fills.push({ price, shares })
    cost += shares * price
    left -= shares
  }
  return { fills, filled: planning.shares - left, cost, isStopped }
}

/** Whether that synthetic price is better for the incoming order than that of a resting one. */
export function beats(isSell: boolean, synthetic: number, real: number): boolean {
  return isSell ? synthetic > real : synthetic < real
}

/** Whether an order with that limit, 0 for none, takes that price, if there is one. */
export function suits(isSell: boolean, limit: number, price: number): boolean {
  if (price === 0) return false
  return limit === 0 || (isSell ? price >= limit : price <= limit)
}

// None where complete sets do not match.
function othersOf(exchange: Exchange, book: Book, isSell: boolean): Queue[] {
  if (syntheticPrice(book, isSell) === 0) return []
  return book.market.books
    .filter((other) => other !== book)
    .map((other) => new Queue(exchange, isSell ? other.asks : other.bids))
}

/** The orders of a side, first to match first, and what is left of the first. */
class Queue {
  shares = 0
  private readonly exchange: Exchange
  private readonly side: BookSide
  private depth = 0
  private order: number = none

  constructor(exchange: Exchange, side: BookSide) {
    this.exchange = exchange
    this.side = side
    this.lookAt(this.firstOf(0))
  }

  /** 0 where nothing is left. */
  get price(): number {
    return this.order === none ? 0 : this.exchange.orders.price(this.order)
  }

  get player(): number {
    return this.exchange.orders.player(this.order)
  }

  take(shares: number): void {
    this.shares -= shares
    if (this.shares > 0) return
    const next = this.exchange.orders.next(this.order)
    if (next === none) this.depth += 1
    this.lookAt(next === none ? this.firstOf(this.depth) : next)
  }

  private firstOf(depth: number): number {
    const { memory } = this.exchange
    const level = levelAt(memory, this.side, depth)
    return level === none ? none : firstOrder(memory, level)
  }

  private lookAt(order: number): void {
    this.order = order
    this.shares = order === none ? 0 : this.exchange.orders.remaining(order)
  }
}
