// What is told of markets, their books and their prices.

import type { Book } from './book.ts'
import type {
  ChangedLevel,
  MarketCreated,
  MarketResolved,
  MarketStatusChanged,
  OrderBookUpdate,
  PriceUpdated,
} from './event-payload.ts'
import type { Exchange } from './exchange.ts'
import { bookFact, factSizes, LEVEL, levelFact, type MarketNote } from './journal.ts'
import { type BookSide, priceOf } from './ladders.ts'
import type { Market } from './market.ts'
import { decimals, numberOf } from './money.ts'
import { type Prices, pricesOf } from './prices.ts'

type Note<Change> = Extract<MarketNote, { change: Change }>

export function marketCreated(market: Market, note: Note<'CREATED'>, now: number): MarketCreated {
  return {
    marketId: market.id,
    operatorId: market.owner.id,
    title: note.title,
    status: 'DRAFT',
    currency: market.currency,
    categoryId: note.categoryId,
    outcomes: market.books.map(({ id, name, index }) => ({ id, name, index })),
    timestamp: now,
  }
}

export function statusChanged(
  market: Market,
  note: Note<'STATUS'>,
  now: number,
): MarketStatusChanged {
  return {
    marketId: market.id,
    operatorId: market.owner.id,
    previousStatus: note.from,
    status: note.to,
    reason: note.reason,
    timestamp: now,
  }
}

export function marketResolved(market: Market, now: number): MarketResolved {
  const { winner, source, notes } = market.resolution!
  return {
    marketId: market.id,
    operatorId: market.owner.id,
    winningOutcomeId: winner === null ? null : market.books[winner]!.id,
    resolutionSource: source,
    resolutionNotes: notes,
    timestamp: now,
  }
}

/** The BOOK stands at `at`; its changed levels before it, among the facts that start there. */
export function orderBookUpdate(
  exchange: Exchange,
  book: Book,
  at: number,
  start: number,
): OrderBookUpdate {
  const { bestBid, bestAsk, spread } = pricesAt(exchange.journal.facts, at)
  return {
    marketId: book.market.id,
    outcomeId: book.id,
    version: book.version,
    bids: changedLevels(exchange, book.bids, start, at),
    asks: changedLevels(exchange, book.asks, start, at),
    bestBid,
    bestAsk,
    spread,
    timestamp: exchange.now,
  }
}

export function priceUpdated(exchange: Exchange, book: Book, at: number): PriceUpdated {
  return {
    marketId: book.market.id,
    outcomeId: book.id,
    ...pricesAt(exchange.journal.facts, at),
    timestamp: exchange.now,
  }
}

// Best first. Where a level changed more than once, the last word counts.
function changedLevels(
  { journal }: Exchange,
  side: BookSide,
  start: number,
  end: number,
): ChangedLevel[] {
  const { facts } = journal
  const byRank = new Map<number, ChangedLevel>()
  for (let at = start; at < end; at += factSizes[facts[at]!]!) {
    if (facts[at] !== LEVEL || facts[at + levelFact.side] !== side.handle) continue
    const rank = facts[at + levelFact.rank]!
    byRank.set(rank, {
      price: numberOf(priceOf(rank), decimals.price),
      shares: numberOf(facts[at + levelFact.shares]!, decimals.shares),
      orderCount: facts[at + levelFact.orderCount]!,
    })
  }
  if (byRank.size < 2) return [...byRank.values()]
  return [...byRank].sort(([a], [b]) => b - a).map(([, level]) => level)
}

function pricesAt(facts: Float64Array, at: number): Prices {
  return pricesOf(
    facts[at + bookFact.bestBid]!,
    facts[at + bookFact.bestAsk]!,
    facts[at + bookFact.lastPrice]!,
  )
}
