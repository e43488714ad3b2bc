// Turns the facts of a turn into the events that operators are told: who is told what, in which
// order, under which number. It runs once over each turn, before the turn is stored: this is
// where the sequences of the operators and the versions of the books count up.

import type { Payload } from './event-payload.ts'
import type { Exchange } from './exchange.ts'
import { positionUpdated, settlementCompleted } from './holding-events.ts'
import type { Ids } from './ids.ts'
import {
  BOOK,
  bookFact,
  closedFact,
  MARKET,
  marketFact,
  ORDER_CLOSED,
  ORDER_TAKEN,
  POSITION,
  positionFact,
  SETTLEMENT,
  settlementFact,
  TRADE,
  takenFact,
  tradeFact,
} from './journal.ts'
import {
  marketCreated,
  marketResolved,
  orderBookUpdate,
  priceUpdated,
  statusChanged,
} from './market-events.ts'
import type { Operator } from './operator.ts'
import { operatorOf, orderCancelled, orderMatched, orderPlaced } from './order-events.ts'
import type { EventType } from './words.ts'

export type Event = {
  readonly id: string
  readonly operator: Operator
  readonly sequence: number
  readonly eventType: EventType
  readonly marketId: string
  readonly createdAt: number
  readonly payload: Payload
}

// Facts are written when things happen; the events of a command come in this order, with the
// positions between the second and the last.
const whatHappened: readonly number[] = [ORDER_TAKEN, TRADE]
const whatEnded: readonly number[] = [ORDER_CLOSED, SETTLEMENT, MARKET]
const whatIsSeen: readonly number[] = [BOOK]

/** The events of the turn, in order. To be called exactly once, before the turn ends. */
export function tellTurn(exchange: Exchange): Event[] {
  const { journal } = exchange
  const teller = new Teller(exchange)
  for (let start = 0; start < journal.length; ) {
    const end = journal.endOf(start)
    teller.tellCommand(start, end)
    start = end
  }
  return teller.events
}

class Teller {
  readonly events: Event[] = []
  readonly #exchange: Exchange
  readonly #facts: Float64Array
  /** Where the facts of the command at hand start. */
  #start = 0

  constructor(exchange: Exchange) {
    this.#exchange = exchange
    this.#facts = exchange.journal.facts
  }

  tellCommand(start: number, end: number): void {
    this.#start = start
    this.#tellKinds(start, end, whatHappened)
    this.#tellKinds(start, end, whatEnded)
    this.#tellPositions(start, end)
    this.#tellKinds(start, end, whatIsSeen)
  }

  #tellKinds(start: number, end: number, kinds: readonly number[]): void {
    const { journal } = this.#exchange
    for (let at = start; at < end; at = journal.after(at)) {
      if (kinds.includes(this.#facts[at]!)) this.#tell(at)
    }
  }

  #tell(at: number): void {
    const kind = this.#facts[at]
    if (kind === ORDER_TAKEN) this.#tellTaken(at)
    else if (kind === TRADE) this.#tellTrade(at)
    else if (kind === ORDER_CLOSED) this.#tellClosed(at)
    else if (kind === BOOK) this.#tellBook(at)
    else if (kind === MARKET) this.#tellMarket(at)
    else if (kind === SETTLEMENT) this.#tellSettlement(at)
  }

  #tellTaken(at: number): void {
    const operator = operatorOf(this.#exchange, this.#facts[at + takenFact.order]!)
    this.#add('ORDER_PLACED', operator, orderPlaced(this.#exchange, at))
  }

  #tellClosed(at: number): void {
    const operator = operatorOf(this.#exchange, this.#facts[at + closedFact.order]!)
    this.#add('ORDER_CANCELLED', operator, orderCancelled(this.#exchange, at))
  }

  #tellSettlement(at: number): void {
    if (this.#facts[at + settlementFact.isTold] === 0) return
    const { operator } = this.#exchange.players.at(this.#facts[at + settlementFact.player]!)
    this.#add('SETTLEMENT_COMPLETED', operator, settlementCompleted(this.#exchange, at))
  }

  #tellTrade(at: number): void {
    const facts = this.#facts
    for (const [order, filled] of [
      [facts[at + tradeFact.incoming]!, facts[at + tradeFact.incomingFilled]!],
      [facts[at + tradeFact.resting]!, facts[at + tradeFact.restingFilled]!],
    ] as const) {
      const payload = orderMatched(this.#exchange, at, { order, filled })
      this.#add('ORDER_MATCHED', operatorOf(this.#exchange, order), payload)
    }
  }

  // Each position once, where it was touched first, as it stands after the command.
  #tellPositions(start: number, end: number): void {
    const { journal, players, positions } = this.#exchange
    const lastFacts = new Map<number, number>()
    for (let at = start; at < end; at = journal.after(at)) {
      if (this.#facts[at] !== POSITION) continue
      lastFacts.set(this.#facts[at + positionFact.position]!, at)
    }
    for (const [position, at] of lastFacts) {
      const { operator } = players.at(positions.player(position))
      this.#add('POSITION_UPDATED', operator, positionUpdated(this.#exchange, at))
    }
  }

  #tellBook(at: number): void {
    const facts = this.#facts
    const exchange = this.#exchange
    const book = exchange.books.at(facts[at + bookFact.book]!)
    const bestBid = facts[at + bookFact.bestBid]!
    const bestAsk = facts[at + bookFact.bestAsk]!
    const lastPrice = facts[at + bookFact.lastPrice]!
    const isPriceChanged =
      bestBid !== book.toldBid || bestAsk !== book.toldAsk || lastPrice !== book.toldPrice
    book.version += 1
    book.toldBid = bestBid
    book.toldAsk = bestAsk
    book.toldPrice = lastPrice
    const { owner } = book.market
    this.#add('ORDER_BOOK_UPDATE', owner, orderBookUpdate(exchange, book, at, this.#start))
    if (isPriceChanged) this.#add('PRICE_UPDATED', owner, priceUpdated(exchange, book, at))
  }

  #tellMarket(at: number): void {
    const { journal, markets, now } = this.#exchange
    const market = markets.at(this.#facts[at + marketFact.market]!)
    const note = journal.notes[this.#facts[at + marketFact.note]!]!
    if (note.change === 'CREATED') {
      this.#add('MARKET_CREATED', market.owner, marketCreated(market, note, now))
    }
    if (note.change !== 'STATUS') return
    for (const operator of note.audience) {
      this.#add('MARKET_STATUS_CHANGED', operator, statusChanged(market, note, now))
      if (note.to !== 'RESOLVED') continue
      this.#add('MARKET_RESOLVED', operator, marketResolved(market, now))
    }
  }

  #add(eventType: EventType, operator: Operator, payload: Payload): void {
    const { ids, now } = this.#exchange
    operator.sequence += 1
    const { sequence } = operator
    this.events.push({
      id: ids.textOf(sequence, now, operator.tweak),
      operator,
      sequence,
      eventType,
      marketId: payload.marketId,
      createdAt: now,
      payload,
    })
  }
}

// Stands in for the real one until it lands.
export function expand(
  ids: Ids,
  told: {
    readonly operatorId: string
    readonly marketSerial: number
    readonly marketCreatedAt: number
    readonly firstSequence: number
    readonly createdAt: number
    readonly body: string
  },
): (Omit<Event, 'operator'> & { readonly operatorId: string })[] {
  const { operatorId, firstSequence, createdAt } = told
  const payloads: readonly [EventType, Payload][] = JSON.parse(told.body)
  return payloads.map(([eventType, payload], index) => ({
    id: ids.textOf(firstSequence + index, createdAt),
    operatorId,
    sequence: firstSequence + index,
    eventType,
    marketId: ids.textOf(told.marketSerial, told.marketCreatedAt),
    createdAt,
    payload,
  }))
}
