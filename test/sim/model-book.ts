// The books of the model. A level is a sum over the open orders at its price, and what a command
// changed in a book is seen by comparing the book before it with the book after it.

import type { Side } from '../../src/core/words.ts'
import { priceOnWire, publish, sharesOnWire } from './model-events.ts'
import { type Book, isOpen, type Market, type Order, type State } from './model-state.ts'
import type { LevelView } from './step.ts'

/** A book at one moment. */
export type BookSnapshot = {
  readonly market: Market
  readonly book: Book
  readonly bids: readonly LevelView[]
  readonly asks: readonly LevelView[]
  readonly lastPrice: number | null
  readonly trades: number
}

export function snapshotOf(market: Market, book: Book): BookSnapshot {
  return {
    market,
    book,
    bids: levelsOf(book, 'BUY'),
    asks: levelsOf(book, 'SELL'),
    lastPrice: book.trades.at(-1)?.price ?? null,
    trades: book.trades.length,
  }
}

/** Best first. */
export function levelsOf(book: Book, side: Side): LevelView[] {
  const orders = openOn(book, side)
  const prices = orders.map((order) => order.price!)
  return bestPriceFirst(prices, side).map((price) => {
    const ordersThere = orders.filter((order) => order.price === price)
    const shares = ordersThere.reduce((sum, order) => sum + order.shares - order.filled, 0)
    return { price, shares, orders: ordersThere.length }
  })
}

/** Best price first, and within a price the earliest. */
export function queueOf(book: Book, side: Side): Order[] {
  const orders = openOn(book, side)
  const prices = orders.map((order) => order.price!)
  return bestPriceFirst(prices, side).flatMap((price) =>
    orders.filter((order) => order.price === price),
  )
}

/** The order that comes first on its side of the book. */
export function bestOf(book: Book, side: Side): Order | undefined {
  let best: Order | undefined
  for (const order of openOn(book, side)) {
    if (best === undefined || isBetter(side, order.price!, best.price!)) best = order
  }
  return best
}

/**
 * Publishes, for each book that has changed or traded since its snapshot, an event to the owner
 * of the market: first for all books, then for all prices.
 */
export function publishBookChanges(state: State, snapshots: readonly BookSnapshot[]): void {
  const priced: BookSnapshot[] = []
  for (const before of snapshots) {
    const after = snapshotOf(before.market, before.book)
    const bids = bestPriceFirst(changedPrices(before.bids, after.bids), 'BUY')
    const asks = bestPriceFirst(changedPrices(before.asks, after.asks), 'SELL')
    const isTraded = after.trades > before.trades
    if (bids.length === 0 && asks.length === 0 && !isTraded) continue

    after.book.version += 1
    publishLevels(state, after, { bids, asks })
    if (!samePrices(before, after)) priced.push(after)
  }
  for (const snapshot of priced) publishPrices(state, snapshot)
}

function openOn(book: Book, side: Side): Order[] {
  return book.orders.filter((order) => isOpen(order) && order.side === side)
}

function isBetter(side: Side, price: number, other: number): boolean {
  return side === 'BUY' ? price > other : price < other
}

/** Each price once. */
function bestPriceFirst(prices: readonly number[], side: Side): number[] {
  return [...new Set(prices)].sort((a, b) => (isBetter(side, a, b) ? -1 : 1))
}

function changedPrices(before: readonly LevelView[], after: readonly LevelView[]): number[] {
  const prices = [...before, ...after].map((level) => level.price)
  return prices.filter((price) => {
    const was = levelAt(before, price)
    const is = levelAt(after, price)
    return was.shares !== is.shares || was.orders !== is.orders
  })
}

function levelAt(levels: readonly LevelView[], price: number): LevelView {
  return levels.find((level) => level.price === price) ?? { price, shares: 0, orders: 0 }
}

function samePrices(before: BookSnapshot, after: BookSnapshot): boolean {
  return (
    before.bids[0]?.price === after.bids[0]?.price &&
    before.asks[0]?.price === after.asks[0]?.price &&
    before.lastPrice === after.lastPrice
  )
}

type Changed = { readonly bids: readonly number[]; readonly asks: readonly number[] }

function publishLevels(state: State, snapshot: BookSnapshot, changed: Changed): void {
  const { bestBid, bestAsk, spread } = quoteOnWire(snapshot)
  publish(state, {
    operator: snapshot.market.owner,
    eventType: 'ORDER_BOOK_UPDATE',
    payload: {
      marketId: snapshot.market.id,
      outcomeId: snapshot.book.id,
      version: snapshot.book.version,
      bids: changed.bids.map((price) => levelOnWire(levelAt(snapshot.bids, price))),
      asks: changed.asks.map((price) => levelOnWire(levelAt(snapshot.asks, price))),
      bestBid,
      bestAsk,
      spread,
    },
  })
}

function publishPrices(state: State, snapshot: BookSnapshot): void {
  publish(state, {
    operator: snapshot.market.owner,
    eventType: 'PRICE_UPDATED',
    payload: {
      marketId: snapshot.market.id,
      outcomeId: snapshot.book.id,
      ...quoteOnWire(snapshot),
      lastPrice: snapshot.lastPrice === null ? null : priceOnWire(snapshot.lastPrice),
    },
  })
}

function levelOnWire({ price, shares, orders }: LevelView): Record<string, number> {
  return { price: priceOnWire(price), shares: sharesOnWire(shares), orderCount: orders }
}

type Quote = Record<'bestBid' | 'bestAsk' | 'spread' | 'midPrice', number | null>

function quoteOnWire({ bids, asks }: BookSnapshot): Quote {
  const bid = bids[0]?.price
  const ask = asks[0]?.price
  const hasBoth = bid !== undefined && ask !== undefined
  return {
    bestBid: bid === undefined ? null : priceOnWire(bid),
    bestAsk: ask === undefined ? null : priceOnWire(ask),
    spread: hasBoth ? priceOnWire(ask - bid) : null,
    midPrice: hasBoth ? (bid + ask) / 20_000 : null,
  }
}
