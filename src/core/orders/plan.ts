// What an order would match now, without changing anything: for orders that must match in full or
// not at all, and for previews.

import { ordersOf } from '../book/queue.ts'
import type { OrderRow } from '../memory/memory.ts'
import type { PlayerHandle } from '../memory/slots.ts'
import { noPrice } from '../money.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Book } from '../state/market.ts'
import type { Player } from '../state/operator.ts'
import type { SelfTradePrevention } from '../words.ts'
import type { OrderOptions } from './options.ts'
import { beats, suits } from './price-rules.ts'
import { offered, syntheticPrice } from './synthetic.ts'

/** The order to plan for. */
export type Planned = {
  readonly book: Book
  readonly isSell: boolean
  /** noPrice for a MARKET order. */
  readonly limit: number
  readonly shares: number
  /** undefined where the exchange does not know the player yet. */
  readonly player: Player | undefined
  readonly selfTradePrevention: SelfTradePrevention
}

export type Plan = {
  /** Best first, one for each price. */
  readonly fills: readonly { readonly price: number; readonly shares: number }[]
  readonly filled: number
  /** The value of the fills, in micro-units. */
  readonly value: number
  /** It meets an order of its own player and must go no further. */
  readonly isStopped: boolean
}

export function planOf(exchange: Exchange, planned: Planned): Plan {
  const { book, isSell, player, selfTradePrevention } = planned
  const direct = new Queue(exchange, ordersOf(exchange, book.oppositeOf(isSell)))
  const others = othersOf(exchange, book, isSell)
  const fills: { price: number; shares: number }[] = []
  let left = planned.shares
  let value = 0
  let isStopped = false
  while (left > 0) {
    const synthetic = others.length === 0 ? noPrice : offered(others, isSell)
    const isBySets =
      synthetic !== noPrice && (direct.price === noPrice || beats(isSell, synthetic, direct.price))
    const price = isBySets ? synthetic : direct.price
    if (!suits(isSell, planned.limit, price)) break
    if (!isBySets && selfTradePrevention !== 'NONE' && direct.player === player?.handle) {
      isStopped = selfTradePrevention === 'CANCEL_NEWEST'
      if (isStopped) break
      direct.consume(direct.shares)
      continue
    }
    const queues = isBySets ? others : [direct]
    const shares = Math.min(left, ...queues.map((queue) => queue.shares))
    for (const queue of queues) queue.consume(shares)
    const last = fills.at(-1)
    if (last?.price === price) last.shares += shares
    else fills.push({ price, shares })
    value += shares * price
    left -= shares
  }
  return { fills, filled: planned.shares - left, value, isStopped }
}

/**
 * Whether an order with those options is refused for what it would match. A MARKET order that stops
 * at an order of its own player is cancelled, not refused.
 */
export function isRefused(
  { filled, isStopped }: Plan,
  { isPostOnly, timeInForce }: OrderOptions,
  { limit, shares }: Pick<Planned, 'limit' | 'shares'>,
): boolean {
  if (isPostOnly) return filled > 0
  if (timeInForce === 'FOK') return filled < shares
  return limit === noPrice && filled === 0 && !isStopped
}

// None where complete sets do not match.
function othersOf(exchange: Exchange, book: Book, isSell: boolean): Queue[] {
  if (syntheticPrice(book, isSell) === noPrice) return []
  return book.others.map((other) => new Queue(exchange, ordersOf(exchange, other.sideOf(isSell))))
}

/** The orders of a side, first to match first, and what the plan has left of the first. */
class Queue {
  /** Of the first order; noPrice, 0 and null where no order is left. */
  price: number = noPrice
  shares = 0
  player: PlayerHandle | null = null
  private readonly exchange: Exchange
  private readonly orders: Iterator<OrderRow>

  constructor(exchange: Exchange, orders: Iterator<OrderRow>) {
    this.exchange = exchange
    this.orders = orders
    this.advance()
  }

  consume(shares: number): void {
    this.shares -= shares
    if (this.shares === 0) this.advance()
  }

  private advance(): void {
    const { orders } = this.exchange
    const next = this.orders.next()
    const isAtEnd = next.done === true
    this.price = isAtEnd ? noPrice : orders.price(next.value)
    this.shares = isAtEnd ? 0 : orders.remaining(next.value)
    this.player = isAtEnd ? null : orders.player(next.value)
  }
}
