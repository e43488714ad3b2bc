// Events about markets, their books and their prices: for each type how its fields are written to a
// body, then how they are read. The order of the fields is that of stored data, so a new one goes
// to the end.

import { pricesOf } from '../book/prices.ts'
import type { BookSide } from '../memory/ladders.ts'
import { decimals, noPrice, numberOf } from '../money.ts'
import type { BookChanged, LevelChanged, MarketChanged } from '../state/facts.ts'
import type { CommandFacts } from '../state/journal.ts'
import type { Market, ResolutionText } from '../state/market.ts'
import type { Operator } from '../state/operator.ts'
import { marketStatuses } from '../words.ts'
import type { BodyReader, EventForm, Field } from './event-body.ts'
import type {
  ChangedLevel,
  MarketCreated,
  MarketResolved,
  MarketStatusChanged,
  MarketUpdated,
  OrderBookUpdate,
  OutcomePayout,
  PriceUpdated,
} from './event-payload.ts'
import { wirePriceOf, wirePricesOf } from './wire-prices.ts'
import { wireTimeOf } from './wire-time.ts'

type Changed<Change> = Extract<MarketChanged, { change: Change }>

export const marketReaders = {
  MARKET_CREATED: readMarketCreated,
  MARKET_STATUS_CHANGED: readStatusChanged,
  MARKET_RESOLVED: readMarketResolved,
  ORDER_BOOK_UPDATE: readOrderBookUpdate,
  PRICE_UPDATED: readPriceUpdated,
  MARKET_UPDATED: readMarketUpdated,
} as const

export function writeMarketCreated(body: Field[], created: Changed<'CREATED'>): void {
  const { books, currency, serial } = created.market
  body.push(created.title, currency, created.categoryId, books.length)
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
  { market, from, to, reason }: Changed<'STATUS'>,
  receiver: Operator,
): void {
  writeOwner(body, market, receiver)
  body.push(marketStatuses.indexOf(from), marketStatuses.indexOf(to), reason)
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

/** With the price band since form 4. */
export function writeMarketUpdated(
  body: Field[],
  { priceBand, reason, tradingEndsAt }: Changed<'UPDATED'>,
  form: EventForm,
): void {
  body.push(tradingEndsAt, reason)
  if (form < 4) return
  body.push(priceBand?.maxMove ?? 0)
  if (priceBand !== null) body.push(priceBand.suspendOnBand ? 1 : 0)
}

function readMarketUpdated(reader: BodyReader): MarketUpdated {
  const endsAt = reader.wholeOrNull()
  return {
    marketId: reader.marketId,
    tradingEndsAt: endsAt === null ? null : wireTimeOf(endsAt),
    reason: reader.textOrNull(),
    priceBand: reader.form < 4 ? null : readPriceBand(reader),
    timestamp: reader.createdAt,
  }
}

function readPriceBand(reader: BodyReader): MarketUpdated['priceBand'] {
  const maxMove = reader.whole()
  if (maxMove === 0) return null
  return { maxMove: wirePriceOf(maxMove), suspendOnBand: reader.whole() === 1 }
}

export function writeMarketResolved(
  body: Field[],
  { market, text }: { readonly market: Market; readonly text: ResolutionText },
  receiver: Operator,
): void {
  const { payouts, winner } = market.resolution!
  const { source, notes } = text
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
    payouts.push({ outcomeId, payoutPerShare: wirePriceOf(reader.whole()) })
  }
  return payouts
}

// Events about a market name its owner; null where that is the receiver.
function writeOwner(body: Field[], { owner }: Market, receiver: Operator): void {
  body.push(owner === receiver ? null : owner.id)
}

function readOwner(reader: BodyReader): string {
  return reader.textOrNull() ?? reader.operatorId
}

/** With the levels that the command has changed, as its facts have them. */
export function writeOrderBookUpdate(
  body: Field[],
  { book, bestBid, bestAsk }: BookChanged,
  facts: CommandFacts,
): void {
  body.push(book.serial - book.market.serial, book.version, bestBid, bestAsk)
  writeLevels(body, changedLevels(facts, book.bids))
  writeLevels(body, changedLevels(facts, book.asks))
}

function readOrderBookUpdate(reader: BodyReader): OrderBookUpdate {
  const outcomeId = reader.outcomeId()
  const version = reader.whole()
  const prices = pricesOf(reader.whole(), reader.whole(), noPrice)
  const { bestBid, bestAsk, spread } = wirePricesOf(prices)
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

// Best first. Where a level changed more than once, the last fact counts.
function changedLevels(facts: CommandFacts, side: BookSide): readonly LevelChanged[] {
  const byPrice = new Map<number, LevelChanged>()
  for (const fact of facts) {
    if (fact.kind === 'LEVEL' && fact.side === side) byPrice.set(fact.price, fact)
  }
  return [...byPrice.values()].sort((a, b) => side.rankOf(b.price) - side.rankOf(a.price))
}

function writeLevels(body: Field[], levels: readonly LevelChanged[]): void {
  body.push(levels.length)
  for (const { price, shares, orderCount } of levels) body.push(price, shares, orderCount)
}

function readLevels(reader: BodyReader): ChangedLevel[] {
  const count = reader.whole()
  const levels: ChangedLevel[] = []
  for (let at = 0; at < count; at += 1) {
    levels.push({
      price: wirePriceOf(reader.whole()),
      shares: numberOf(reader.whole(), decimals.shares),
      orderCount: reader.whole(),
    })
  }
  return levels
}

export function writePriceUpdated(
  body: Field[],
  { book, bestBid, bestAsk, lastPrice }: BookChanged,
): void {
  body.push(book.serial - book.market.serial, bestBid, bestAsk, lastPrice)
}

function readPriceUpdated(reader: BodyReader): PriceUpdated {
  return {
    marketId: reader.marketId,
    outcomeId: reader.outcomeId(),
    ...wirePricesOf(pricesOf(reader.whole(), reader.whole(), reader.whole())),
    timestamp: reader.createdAt,
  }
}
