// What is told of markets, their books and their prices: for each type its fields in a body as they
// are written, then as they are read. Their order is stored data; new ones go to the end of their
// type.

import { type Book, noPrice } from '../book/book.ts'
import { pricesOf } from '../book/prices.ts'
import { priceOf } from '../memory/ladders.ts'
import { decimals, numberOf } from '../money.ts'
import { bookFact, factSizes, LEVEL, levelFact, type MarketNote } from '../state/journal.ts'
import type { Market } from '../state/market.ts'
import type { Operator } from '../state/operator.ts'
import { marketStatuses } from '../words.ts'
import type { BodyReader, Field } from './event-body.ts'
import type {
  ChangedLevel,
  MarketCreated,
  MarketResolved,
  MarketStatusChanged,
  OrderBookUpdate,
  OutcomePayout,
  PriceUpdated,
} from './event-payload.ts'

type Note<Change> = Extract<MarketNote, { change: Change }>

export const marketReaders = {
  MARKET_CREATED: readMarketCreated,
  MARKET_STATUS_CHANGED: readStatusChanged,
  MARKET_RESOLVED: readMarketResolved,
  ORDER_BOOK_UPDATE: readOrderBookUpdate,
  PRICE_UPDATED: readPriceUpdated,
} as const

/** Only the owner is told. */
export function writeMarketCreated(body: Field[], market: Market, note: Note<'CREATED'>): void {
  const { books, currency, serial } = market
  body.push(note.title, currency, note.categoryId, books.length)
  for (const book of books) body.push(book.serial - serial, book.name)
}

function readMarketCreated(reader: BodyReader): MarketCreated {
  const title = reader.text()
  const currency = reader.text()
  const categoryId = reader.textOrNull()
  const count = reader.whole()
  const outcomes: { id: string; name: string; index: number }[] = []
  for (let index = 0; index < count; index += 1) {
    outcomes.push({ id: reader.outcomeId(), name: reader.text(), index })
  }
  return {
    marketId: reader.marketId,
    operatorId: reader.operatorId,
    title,
    status: 'DRAFT',
    currency,
    categoryId,
    outcomes,
    timestamp: reader.createdAt,
  }
}

export function writeStatusChanged(
  body: Field[],
  market: Market,
  note: Note<'STATUS'>,
  receiver: Operator,
): void {
  writeOwner(body, market, receiver)
  body.push(marketStatuses.indexOf(note.from), marketStatuses.indexOf(note.to), note.reason)
}

function readStatusChanged(reader: BodyReader): MarketStatusChanged {
  return {
    marketId: reader.marketId,
    operatorId: readOwner(reader),
    previousStatus: reader.word(marketStatuses),
    status: reader.word(marketStatuses),
    reason: reader.textOrNull(),
    timestamp: reader.createdAt,
  }
}

export function writeMarketResolved(body: Field[], market: Market, receiver: Operator): void {
  const { payouts, winner, source, notes } = market.resolution!
  const { books, serial } = market
  writeOwner(body, market, receiver)
  body.push(winner === null ? null : books[winner]!.serial - serial, source, notes)
  if (winner !== null) return
  body.push(books.length)
  for (const book of books) body.push(book.serial - serial, payouts[book.index]!)
}

function readMarketResolved(reader: BodyReader): MarketResolved {
  const operatorId = readOwner(reader)
  const winningOutcomeId = reader.outcomeIdOrNull()
  return {
    marketId: reader.marketId,
    operatorId,
    winningOutcomeId,
    resolutionSource: reader.text(),
    resolutionNotes: reader.textOrNull(),
    payouts: winningOutcomeId === null ? readPayouts(reader) : null,
    timestamp: reader.createdAt,
  }
}

function readPayouts(reader: BodyReader): OutcomePayout[] {
  const count = reader.whole()
  const payouts: OutcomePayout[] = []
  for (let at = 0; at < count; at += 1) {
    const outcomeId = reader.outcomeId()
    payouts.push({ outcomeId, payoutPerShare: numberOf(reader.whole(), decimals.price) })
  }
  return payouts
}

// What is told of a market names its owner; null where that is the receiver.
function writeOwner(body: Field[], { owner }: Market, receiver: Operator): void {
  body.push(owner === receiver ? null : owner.id)
}

function readOwner(reader: BodyReader): string {
  return reader.textOrNull() ?? reader.operatorId
}

/** The BOOK stands at `at`; its changed levels before it, among the facts that start there. */
export function writeOrderBookUpdate(
  body: Field[],
  book: Book,
  facts: Float64Array,
  { at, start }: { at: number; start: number },
): void {
  body.push(
    book.serial - book.market.serial,
    book.version,
    facts[at + bookFact.bestBid]!,
    facts[at + bookFact.bestAsk]!,
  )
  writeLevels(body, facts, changedLevels(facts, book.bids.handle, start, at))
  writeLevels(body, facts, changedLevels(facts, book.asks.handle, start, at))
}

function readOrderBookUpdate(reader: BodyReader): OrderBookUpdate {
  const outcomeId = reader.outcomeId()
  const version = reader.whole()
  const { bestBid, bestAsk, spread } = pricesOf(reader.whole(), reader.whole(), noPrice)
  return {
    marketId: reader.marketId,
    outcomeId,
    version,
    bids: readLevels(reader),
    asks: readLevels(reader),
    bestBid,
    bestAsk,
    spread,
    timestamp: reader.createdAt,
  }
}

function writeLevels(body: Field[], facts: Float64Array, levels: readonly number[]): void {
  body.push(levels.length)
  for (const at of levels) {
    body.push(
      priceOf(facts[at + levelFact.rank]!),
      facts[at + levelFact.shares]!,
      facts[at + levelFact.orderCount]!,
    )
  }
}

function readLevels(reader: BodyReader): ChangedLevel[] {
  const count = reader.whole()
  const levels: ChangedLevel[] = []
  for (let at = 0; at < count; at += 1) {
    levels.push({
      price: numberOf(reader.whole(), decimals.price),
      shares: numberOf(reader.whole(), decimals.shares),
      orderCount: reader.whole(),
    })
  }
  return levels
}

export function writePriceUpdated(
  body: Field[],
  book: Book,
  facts: Float64Array,
  at: number,
): void {
  body.push(
    book.serial - book.market.serial,
    facts[at + bookFact.bestBid]!,
    facts[at + bookFact.bestAsk]!,
    facts[at + bookFact.lastPrice]!,
  )
}

function readPriceUpdated(reader: BodyReader): PriceUpdated {
  return {
    marketId: reader.marketId,
    outcomeId: reader.outcomeId(),
    ...pricesOf(reader.whole(), reader.whole(), reader.whole()),
    timestamp: reader.createdAt,
  }
}

const noLevels: readonly number[] = []

// The places of the LEVELs of a side, best first. Where a level changed more than once, the last
// word counts.
function changedLevels(
  facts: Float64Array,
  side: number,
  start: number,
  end: number,
): readonly number[] {
  let levels: number[] | null = null
  for (let at = start; at < end; at += factSizes[facts[at]!]!) {
    if (facts[at] !== LEVEL || facts[at + levelFact.side] !== side) continue
    if (levels === null) levels = [at]
    else insertLevel(facts, levels, at)
  }
  return levels ?? noLevels
}

// Levels mostly change from the best on, so that the place of the next is at the end.
function insertLevel(facts: Float64Array, levels: number[], at: number): void {
  const rank = facts[at + levelFact.rank]!
  const place = placeOf(facts, levels, rank)
  if (place === levels.length) levels.push(at)
  else if (facts[levels[place]! + levelFact.rank] === rank) levels[place] = at
  else levels.splice(place, 0, at)
}

// How many of those levels are better than that rank.
function placeOf(facts: Float64Array, levels: readonly number[], rank: number): number {
  let low = 0
  let high = levels.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (facts[levels[middle]! + levelFact.rank]! > rank) low = middle + 1
    else high = middle
  }
  return low
}
