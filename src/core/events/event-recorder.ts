// Which operator gets which events of a turn, in which order and under which number. It runs once
// over each turn, before the turn is stored: this is where the event sequences of the operators and
// the versions of the books grow.

import { assert } from '../assert.ts'
import type { OrderRow, PositionRow } from '../memory/memory.ts'
import type { Exchange } from '../state/exchange.ts'
import type { BookChanged, Fact, FactOf, MarketChanged, PositionChanged } from '../state/facts.ts'
import type { CommandFacts } from '../state/journal.ts'
import type { Market } from '../state/market.ts'
import type { Operator } from '../state/operator.ts'
import { type EventType, eventTypes } from '../words.ts'
import { writeControlsChanged } from './controls-events.ts'
import { type EventForm, eventCode, type Field, firstForm } from './event-body.ts'
import { writePositionUpdated, writeSettlementCompleted } from './holding-events.ts'
import { writeDeadManTriggered, writeGroupTriggered } from './maker-events.ts'
import {
  writeMarketCreated,
  writeMarketResolved,
  writeMarketUpdated,
  writeOrderBookUpdate,
  writePriceUpdated,
  writeStatusChanged,
} from './market-events.ts'
import {
  type OrderBody,
  writeOrderCancelled,
  writeOrderMatched,
  writeOrderPlaced,
} from './order-events.ts'

/** A record is always read as a whole, so a long one is continued in another. */
const eventsMax = 100

/** Consecutive events of one command for one operator, in the compact form that is stored. */
export type EventRecord = {
  readonly operator: Operator
  /** null where the events are about no market. */
  readonly market: Market | null
  /** Its place in the turn, among those that have changed something. */
  readonly command: number
  /** Of its first event; the others follow without a gap. */
  readonly firstSequence: number
  readonly count: number
  /** Which types are among them: bit n stands for eventTypes[n]. */
  readonly types: number
  readonly createdAt: number
  /** The events one after another: the type, then that type's fields in their fixed order. */
  readonly body: readonly Field[]
}

type Draft = OrderBody & { -readonly [Part in keyof EventRecord]: EventRecord[Part] } & {
  readonly body: Field[]
}

export class EventRecorder {
  /** The records so far, in order. */
  readonly eventRecords: Draft[] = []
  private readonly exchange: Exchange
  private readonly form: EventForm
  /** By operator: the index of its last record. */
  private readonly latest = new Map<Operator, number>()
  /** The index of the first record of the current command. */
  private firstRecord = 0
  private command = -1
  /** The record that was written to last, if it is of the current command. */
  private current: Draft | null = null

  constructor(exchange: Exchange, form: EventForm) {
    this.exchange = exchange
    this.form = form
  }

  /**
   * Events come in this order: orders and trades, groups that they have triggered, what has ended,
   * positions, books, prices, and a suspension by a price band.
   */
  recordCommand(facts: CommandFacts): void {
    this.command += 1
    this.firstRecord = this.eventRecords.length
    this.current = null
    this.recordOrders(facts)
    this.recordGroups(facts)
    this.recordEnded(facts)
    this.recordPositions(facts)
    this.recordBooks(facts)
    for (const fact of facts) if (isLast(fact)) this.recordStatus(fact)
  }

  private recordOrders(facts: CommandFacts): void {
    let acceptedType: EventType = 'ORDER_PLACED'
    for (const fact of facts) {
      switch (fact.kind) {
        case 'ORDER_REPLACED':
          acceptedType = 'ORDER_AMENDED'
          break
        case 'ORDER_ACCEPTED':
          writeOrderPlaced(this.bodyOfOrder(acceptedType, fact.order), this.exchange, fact)
          break
        case 'TRADE':
          this.recordTrade(fact)
          break
        case 'LEG':
          writeOrderMatched(this.bodyOfOrder('ORDER_MATCHED', fact.order), this.exchange, fact)
          break
      }
    }
  }

  private recordTrade({ incoming, resting, ...trade }: FactOf<'TRADE'>) {
    const [taken, made] = [trade.incomingFilled, trade.restingFilled]
    for (const matched of [
      { ...trade, order: incoming, isIncoming: true, filled: taken, fee: trade.incomingFee },
      { ...trade, order: resting, isIncoming: false, filled: made, fee: trade.restingFee },
    ]) {
      writeOrderMatched(this.bodyOfOrder('ORDER_MATCHED', matched.order), this.exchange, matched)
    }
  }

  private recordGroups(facts: CommandFacts): void {
    for (const fact of facts) {
      if (fact.kind !== 'ORDER_GROUP' || fact.cause === null) continue
      const body = this.body('ORDER_GROUP_TRIGGERED', fact.group.operator, null)
      writeGroupTriggered(body, this.exchange, fact, fact.cause)
    }
  }

  private recordEnded(facts: CommandFacts): void {
    for (const fact of facts) {
      switch (fact.kind) {
        case 'ORDER_CLOSED':
          writeOrderCancelled(this.bodyOfOrder('ORDER_CANCELLED', fact.order), this.exchange, fact)
          break
        case 'SETTLEMENT':
          if (fact.hasEvent) this.recordSettlement(fact)
          break
        case 'MARKET':
          this.recordMarket(fact)
          break
        case 'DEAD_MAN':
          if (!fact.isTriggered) break
          writeDeadManTriggered(this.body('DEAD_MAN_TRIGGERED', fact.deadMan.operator, null), fact)
          break
        case 'CONTROLS':
          for (const operator of fact.audience) {
            this.recordControls(operator, fact)
          }
          break
      }
    }
  }

  // Without limits it has its first form, which all nodes can read.
  private recordControls(operator: Operator, fact: FactOf<'CONTROLS'>): void {
    const form = fact.record.terms.limits === null ? firstForm : this.form
    const { body } = this.draft('CONTROLS_CHANGED', operator, null, form)
    writeControlsChanged(body, fact)
  }

  private recordSettlement(settlement: FactOf<'SETTLEMENT'>): void {
    const { book, player } = settlement
    const body = this.body('SETTLEMENT_COMPLETED', player.operator, book.market)
    writeSettlementCompleted(body, this.exchange, settlement)
  }

  private recordMarket(fact: MarketChanged): void {
    const { market } = fact
    if (fact.change === 'CREATED') {
      writeMarketCreated(this.body('MARKET_CREATED', market.owner, market), fact)
    }
    if (fact.change === 'UPDATED') {
      for (const operator of fact.audience) {
        writeMarketUpdated(this.body('MARKET_UPDATED', operator, market), fact, this.form)
      }
    }
    if (fact.change === 'STATUS' && !fact.isLast) this.recordStatus(fact)
  }

  private recordStatus(fact: StatusChanged): void {
    const { market } = fact
    for (const operator of fact.audience) {
      writeStatusChanged(this.body('MARKET_STATUS_CHANGED', operator, market), fact, operator)
      if (fact.resolution === null) continue
      const body = this.body('MARKET_RESOLVED', operator, market)
      writeMarketResolved(body, { market, text: fact.resolution }, operator)
    }
  }

  // Each position once, in the order in which they were first changed, as it is after the command.
  private recordPositions(facts: CommandFacts): void {
    const { books, players, positions } = this.exchange
    const lastFacts = new Map<PositionRow, PositionChanged>()
    for (const fact of facts) if (fact.kind === 'POSITION') lastFacts.set(fact.position, fact)
    for (const [position, fact] of lastFacts) {
      const { operator } = players.at(positions.player(position))
      const { market } = books.at(positions.book(position))
      writePositionUpdated(this.body('POSITION_UPDATED', operator, market), this.exchange, fact)
    }
  }

  // All books that have changed, then the prices that have.
  private recordBooks(facts: CommandFacts): void {
    const priced: BookChanged[] = []
    for (const fact of facts) {
      if (fact.kind !== 'BOOK') continue
      const { market } = fact.book
      if (publish(fact)) priced.push(fact)
      writeOrderBookUpdate(this.body('ORDER_BOOK_UPDATE', market.owner, market), fact, facts)
    }
    for (const fact of priced) {
      const { market } = fact.book
      writePriceUpdated(this.body('PRICE_UPDATED', market.owner, market), fact)
    }
  }

  private bodyOfOrder(type: EventType, order: OrderRow): OrderBody {
    const { operator } = this.exchange.playerOf(order)
    return this.draft(type, operator, this.exchange.bookOf(order).market)
  }

  private body(type: EventType, operator: Operator, market: Market | null): Field[] {
    return this.draft(type, operator, market).body
  }

  /** Where the fields of the operator's next event go. */
  private draft(
    type: EventType,
    operator: Operator,
    market: Market | null,
    form = this.form,
  ): Draft {
    if (this.current?.operator !== operator) this.current = this.draftFor(operator, market)
    if (isFull(this.current, type)) this.current = this.newDraft(operator, market)
    // An order group is of no market, and what has triggered it is of one.
    if ((this.current.market === null) !== (market === null)) {
      this.current = this.newDraft(operator, market)
    }
    const draft = this.current
    assert(draft.market === market, 'the events of a command are about one market or none')
    operator.eventSequence += 1
    draft.count += 1
    draft.types |= 1 << eventTypes.indexOf(type)
    draft.body.push(eventCode(type, form))
    return draft
  }

  private draftFor(operator: Operator, market: Market | null): Draft {
    const index = this.latest.get(operator) ?? -1
    return index >= this.firstRecord ? this.eventRecords[index]! : this.newDraft(operator, market)
  }

  private newDraft(operator: Operator, market: Market | null): Draft {
    const draft: Draft = {
      operator,
      market,
      command: this.command,
      firstSequence: operator.eventSequence + 1,
      count: 0,
      types: 0,
      createdAt: this.exchange.now,
      body: [],
      form: this.form,
      described: [],
    }
    this.latest.set(operator, this.eventRecords.length)
    this.eventRecords.push(draft)
    return draft
  }
}

type StatusChanged = Extract<MarketChanged, { change: 'STATUS' }>

function isLast(fact: Fact): fact is StatusChanged {
  return fact.kind === 'MARKET' && fact.change === 'STATUS' && fact.isLast
}

// Events about books stay together: prices are read with the versions before them.
function isFull({ count }: Draft, type: EventType): boolean {
  return count >= eventsMax && type !== 'ORDER_BOOK_UPDATE' && type !== 'PRICE_UPDATED'
}

// Gives the book its next version; returns whether its prices have changed. Readers order prices by
// the version, so it grows even with a trade that leaves all levels as they were.
function publish({ book, bestBid, bestAsk, lastPrice }: BookChanged): boolean {
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
