// Who is told what of a turn, in which order, under which number. It runs once over each turn,
// before the turn is stored: this is where the sequences of the operators and the versions of the
// books count up.

import { assert } from '../assert.ts'
import type { Book } from '../book/book.ts'
import type { Exchange } from '../state/exchange.ts'
import {
  AMENDED,
  acceptedFact,
  BOOK,
  bookFact,
  closedFact,
  LEG,
  legFact,
  MARKET,
  marketFact,
  ORDER_ACCEPTED,
  ORDER_CLOSED,
  POSITION,
  positionFact,
  SETTLEMENT,
  settlementFact,
  TRADE,
  tradeFact,
} from '../state/journal.ts'
import type { Market } from '../state/market.ts'
import type { Operator } from '../state/operator.ts'
import {
  MARKET_CREATED,
  MARKET_RESOLVED,
  MARKET_STATUS_CHANGED,
  ORDER_AMENDED,
  ORDER_BOOK_UPDATE,
  ORDER_CANCELLED,
  ORDER_MATCHED,
  ORDER_PLACED,
  POSITION_UPDATED,
  PRICE_UPDATED,
  SETTLEMENT_COMPLETED,
} from '../words.ts'
import type { Field } from './event-body.ts'
import { writePositionUpdated, writeSettlementCompleted } from './holding-events.ts'
import {
  writeMarketCreated,
  writeMarketResolved,
  writeOrderBookUpdate,
  writePriceUpdated,
  writeStatusChanged,
} from './market-events.ts'
import {
  writeLegMatched,
  writeOrderCancelled,
  writeOrderMatched,
  writeOrderPlaced,
} from './order-events.ts'

/** A telling is read whole, however few of its events are wanted. A long one goes on in another. */
const eventsMax = 100

/** What one command tells one operator, or a part of it: consecutive events, stored as they are. */
export type EventRecord = {
  readonly operator: Operator
  readonly market: Market
  /** Of its first event; the others follow without a gap. */
  readonly firstSequence: number
  readonly count: number
  /** Which types are among them: bit n stands for eventTypes[n]. */
  readonly types: number
  readonly createdAt: number
  /** The events one after another: the type, then that type's fields in their fixed order. */
  readonly body: readonly Field[]
}

type Draft = { -readonly [Part in keyof EventRecord]: EventRecord[Part] } & {
  readonly body: Field[]
}

export class EventRecorder {
  /** What was told so far, in order. */
  readonly eventRecords: Draft[] = []
  private readonly exchange: Exchange
  private readonly facts: Float64Array
  /** By operator: where its last telling stands. */
  private readonly latest = new Map<Operator, number>()
  /** Where the facts of the command at hand start, and where its tellings do. */
  private start = 0
  private firstRecord = 0
  /** The telling that was written to last, if it is of the command at hand. */
  private current: Draft | null = null

  constructor(exchange: Exchange) {
    this.exchange = exchange
    this.facts = exchange.journal.facts
  }

  // Facts are written when things happen. Told are first orders and trades, then what ended, then
  // positions, and last what is seen of the books.
  recordCommand(start: number, end: number): void {
    const { journal } = this.exchange
    this.start = start
    this.firstRecord = this.eventRecords.length
    this.current = null
    let ended = end
    let positions = end
    let books = end
    let type = ORDER_PLACED
    for (let at = start; at < end; at = journal.after(at)) {
      const kind = this.facts[at]
      if (kind === ORDER_ACCEPTED) this.recordAccepted(at, type)
      else if (kind === AMENDED) type = ORDER_AMENDED
      else if (kind === TRADE) this.recordTrade(at)
      else if (kind === LEG) this.recordLeg(at)
      else if (kind === POSITION) positions = Math.min(positions, at)
      else if (kind === BOOK) books = Math.min(books, at)
      else if (kind === ORDER_CLOSED || kind === SETTLEMENT || kind === MARKET) {
        ended = Math.min(ended, at)
      }
    }
    for (let at = ended; at < end; at = journal.after(at)) this.recordEnded(at)
    if (positions < end) this.recordPositions(positions, end)
    if (books < end) this.recordBooks(books, end)
  }

  // All that changed in the books, then the prices that are others now.
  private recordBooks(start: number, end: number): void {
    const { journal } = this.exchange
    const priced: number[] = []
    for (let at = start; at < end; at = journal.after(at)) {
      if (this.facts[at] === BOOK && this.recordBook(at)) priced.push(at)
    }
    for (const at of priced) this.recordPrices(at)
  }

  private recordAccepted(at: number, type: number): void {
    const body = this.bodyOfOrder(type, this.facts[at + acceptedFact.order]!)
    writeOrderPlaced(body, this.exchange, at)
  }

  private recordTrade(at: number): void {
    const facts = this.facts
    const incoming = facts[at + tradeFact.incoming]!
    const resting = facts[at + tradeFact.resting]!
    const toIncoming = this.bodyOfOrder(ORDER_MATCHED, incoming)
    writeOrderMatched(toIncoming, this.exchange, at, incoming)
    const toResting = this.bodyOfOrder(ORDER_MATCHED, resting)
    writeOrderMatched(toResting, this.exchange, at, resting)
  }

  private recordLeg(at: number): void {
    const body = this.bodyOfOrder(ORDER_MATCHED, this.facts[at + legFact.order]!)
    writeLegMatched(body, this.exchange, at)
  }

  private recordEnded(at: number): void {
    const kind = this.facts[at]
    if (kind === ORDER_CLOSED) this.recordClosed(at)
    else if (kind === SETTLEMENT) this.recordSettlement(at)
    else if (kind === MARKET) this.recordMarket(at)
  }

  private recordClosed(at: number): void {
    const body = this.bodyOfOrder(ORDER_CANCELLED, this.facts[at + closedFact.order]!)
    writeOrderCancelled(body, this.exchange, at)
  }

  private recordSettlement(at: number): void {
    const facts = this.facts
    if (facts[at + settlementFact.hasEvent] === 0) return
    const { operator } = this.exchange.players.at(facts[at + settlementFact.player]!)
    const { market } = this.exchange.books.at(facts[at + settlementFact.book]!)
    writeSettlementCompleted(this.body(SETTLEMENT_COMPLETED, operator, market), this.exchange, at)
  }

  // Each position once, where it was touched first, as it stands after the command.
  private recordPositions(start: number, end: number): void {
    const { books, journal, players, positions } = this.exchange
    const lastFacts = new Map<number, number>()
    for (let at = start; at < end; at = journal.after(at)) {
      if (this.facts[at] !== POSITION) continue
      lastFacts.set(this.facts[at + positionFact.position]!, at)
    }
    for (const [position, at] of lastFacts) {
      const { operator } = players.at(positions.player(position))
      const { market } = books.at(positions.book(position))
      writePositionUpdated(this.body(POSITION_UPDATED, operator, market), this.exchange, at)
    }
  }

  // Says whether its prices have changed too.
  private recordBook(at: number): boolean {
    const facts = this.facts
    const book = this.exchange.books.at(facts[at + bookFact.book]!)
    const { market } = book
    const isPriceChanged = this.notePublished(book, at)
    const body = this.body(ORDER_BOOK_UPDATE, market.owner, market)
    writeOrderBookUpdate(body, book, facts, { at, start: this.start })
    return isPriceChanged
  }

  private recordPrices(at: number): void {
    const book = this.exchange.books.at(this.facts[at + bookFact.book]!)
    const { market } = book
    writePriceUpdated(this.body(PRICE_UPDATED, market.owner, market), book, this.facts, at)
  }

  // The book has another version; says whether it has other prices too. Those are put in order by
  // the version, so it grows with a trade, too, that left the levels as they were.
  private notePublished(book: Book, at: number): boolean {
    const bestBid = this.facts[at + bookFact.bestBid]!
    const bestAsk = this.facts[at + bookFact.bestAsk]!
    const lastPrice = this.facts[at + bookFact.lastPrice]!
    const isPriceChanged =
      bestBid !== book.publishedBid ||
      bestAsk !== book.publishedAsk ||
      lastPrice !== book.publishedPrice
    book.version += 1
    book.publishedBid = bestBid
    book.publishedAsk = bestAsk
    book.publishedPrice = lastPrice
    return isPriceChanged
  }

  private recordMarket(at: number): void {
    const { journal, markets } = this.exchange
    const market = markets.at(this.facts[at + marketFact.market]!)
    const note = journal.notes[this.facts[at + marketFact.note]!]!
    if (note.change === 'CREATED') {
      writeMarketCreated(this.body(MARKET_CREATED, market.owner, market), market, note)
    }
    if (note.change !== 'STATUS') return
    for (const operator of note.audience) {
      const body = this.body(MARKET_STATUS_CHANGED, operator, market)
      writeStatusChanged(body, market, note, operator)
      if (note.to !== 'RESOLVED') continue
      writeMarketResolved(this.body(MARKET_RESOLVED, operator, market), market, operator)
    }
  }

  private bodyOfOrder(type: number, order: number): Field[] {
    const { books, orders, players } = this.exchange
    const { operator } = players.at(orders.player(order))
    return this.body(type, operator, books.at(orders.book(order)).market)
  }

  /** Where the fields of the operator's next event go. */
  private body(type: number, operator: Operator, market: Market): Field[] {
    if (this.current?.operator !== operator) this.current = this.draftFor(operator, market)
    if (isFull(this.current, type)) this.current = this.newDraft(operator, market)
    const draft = this.current
    assert(draft.market === market, 'a command concerns one market')
    operator.eventSequence += 1
    draft.count += 1
    draft.types |= 1 << type
    draft.body.push(type)
    return draft.body
  }

  private draftFor(operator: Operator, market: Market): Draft {
    const at = this.latest.get(operator) ?? -1
    return at >= this.firstRecord ? this.eventRecords[at]! : this.newDraft(operator, market)
  }

  private newDraft(operator: Operator, market: Market): Draft {
    const draft = {
      operator,
      market,
      firstSequence: operator.eventSequence + 1,
      count: 0,
      types: 0,
      createdAt: this.exchange.now,
      body: [],
    }
    this.latest.set(operator, this.eventRecords.length)
    this.eventRecords.push(draft)
    return draft
  }
}

// What is seen of the books stays together: prices are read with the versions before them.
function isFull({ count }: Draft, type: number): boolean {
  return count >= eventsMax && type !== ORDER_BOOK_UPDATE && type !== PRICE_UPDATED
}
