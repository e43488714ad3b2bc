// Turns the facts of a turn into the rows that a store keeps. What changed more than once in the
// turn is written once, as it stands at its end. To be called after `tellTurn` and before the
// turn ends, while the rows in memory that the facts name are still there.

import type { Book } from '../../core/book/book.ts'
import type { PublicTrade } from '../../core/events/committed-turn.ts'
import type { EventRecord } from '../../core/events/events.ts'
import type { Exchange } from '../../core/state/exchange.ts'
import {
  AMENDED,
  acceptedFact,
  amendedFact,
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
  SETS,
  SETTLEMENT,
  setsFact,
  TRADE,
  tradeFact,
} from '../../core/state/journal.ts'
import type { Market } from '../../core/state/market.ts'
import type { Row, RowPacker } from '../../store/store.ts'
import { writeEventRows } from './event-rows.ts'
import { legRow, tradeRow } from './trade-rows.ts'
import { TurnOrders } from './turn-orders.ts'
import { marketRow, type NumberOf, positionRow, setsRow, settlementRow } from './turn-rows.ts'
import { Candles, Tallies } from './turn-sums.ts'

/** What the rows need that the core does not know. */
export type Environment = {
  readonly numberOf: NumberOf
  /** Of a request with a transactionId, by the serial of what it made. */
  readonly fingerprints: ReadonlyMap<number, number>
  /** How many participants of each market are stored already. */
  readonly participantCounts: Map<Market, number>
  /** Where the trades go for those who listen; null where nobody does. */
  readonly tape: PublicTrade[] | null
}

export type TurnCounts = { readonly orders: number; readonly trades: number }

export function recordTurn(
  exchange: Exchange,
  eventRecords: readonly EventRecord[],
  environment: Environment,
  rows: RowPacker,
): TurnCounts {
  const recorder = new Recorder(exchange, environment, rows)
  recorder.readFacts()
  recorder.writeChanged()
  writeEventRows(eventRecords, environment.numberOf, rows)
  return recorder.counts
}

class Recorder {
  readonly #exchange: Exchange
  readonly #environment: Environment
  readonly #rows: RowPacker
  readonly #orders: TurnOrders
  /** Positions, with the time of the change or 0 where only reserved shares changed. */
  readonly #positions = new Map<number, number>()
  readonly #books = new Set<Book>()
  readonly #markets = new Set<Market>()
  readonly #counted = new Set<Market>()
  readonly #candles = new Candles()
  readonly #tallies = new Tallies()
  #trades = 0

  constructor(exchange: Exchange, environment: Environment, rows: RowPacker) {
    this.#exchange = exchange
    this.#orders = new TurnOrders(exchange)
    this.#environment = environment
    this.#rows = rows
  }

  get counts(): TurnCounts {
    return { orders: this.#orders.count, trades: this.#trades }
  }

  readFacts(): void {
    const { journal, now } = this.#exchange
    const { numberOf } = this.#environment
    const { facts } = journal
    for (let at = 0; at < journal.length; at = journal.after(at)) {
      const kind = facts[at]
      if (kind === AMENDED) this.#orders.amend(facts[at + amendedFact.was]!)
      else if (kind === ORDER_ACCEPTED) this.#readAccepted(at)
      else if (kind === TRADE) this.#readTrade(at)
      else if (kind === LEG) this.#readLeg(at)
      else if (kind === ORDER_CLOSED) this.#readClosed(at)
      else if (kind === POSITION) this.#positions.set(facts[at + positionFact.position]!, now)
      else if (kind === BOOK) this.#books.add(this.#exchange.books.at(facts[at + bookFact.book]!))
      else if (kind === SETS) this.#writeSets(at)
      else if (kind === SETTLEMENT) {
        this.#rows.add('settlement', settlementRow(this.#exchange, at, numberOf))
      } else if (kind === MARKET) this.#readMarket(at)
    }
  }

  #readAccepted(at: number): void {
    const { facts } = this.#exchange.journal
    const order = facts[at + acceptedFact.order]!
    const { market } = this.#bookOf(order)
    const isNew = this.#orders.take(order, facts[at + acceptedFact.status]!)
    this.#noteReserved(order)
    if (!isNew) return
    if (market.isShared) this.#counted.add(market)
    this.#tallies.addOrder(this.#operatorOf(order), market.serial)
  }

  #readClosed(at: number): void {
    const { facts } = this.#exchange.journal
    const order = facts[at + closedFact.order]!
    this.#orders.close(order, facts[at + closedFact.status]!)
    this.#noteReserved(order)
  }

  // Offering shares, or ceasing to, changes what is reserved of a position.
  #noteReserved(order: number): void {
    const { orders } = this.#exchange
    if (!orders.isSell(order)) return
    const position = orders.position(order)
    if (!this.#positions.has(position)) this.#positions.set(position, 0)
  }

  #readTrade(at: number): void {
    const resting = this.#exchange.journal.facts[at + tradeFact.resting]!
    this.#addTrade(resting, tradeRow(this.#exchange, at, this.#environment.numberOf))
  }

  #readLeg(at: number): void {
    const order = this.#exchange.journal.facts[at + legFact.order]!
    this.#addTrade(order, legRow(this.#exchange, at, this.#environment.numberOf))
  }

  // A trade of that order, which may be from an earlier turn.
  #addTrade(order: number, row: Row<'trade'>): void {
    const { marketSerial, price, shares, createdAt } = row
    const book = this.#bookOf(order)
    this.#orders.fill(order)
    this.#trades += 1
    this.#counted.add(book.market)
    this.#candles.add(book.serial, price, shares)
    const told = { marketId: book.market.id, outcomeId: book.id, price, shares, createdAt }
    this.#environment.tape?.push({ ...told, isSellIncoming: row.isSellIncoming === 1 })
    this.#tallies.addTrade(row.buyerNumber, row.sellerNumber, marketSerial)
    this.#rows.add('trade', row)
  }

  #writeSets(at: number): void {
    const { facts } = this.#exchange.journal
    const { fingerprints, numberOf } = this.#environment
    const fingerprint = fingerprints.get(facts[at + setsFact.serial]!) ?? 0
    this.#counted.add(this.#exchange.markets.at(facts[at + setsFact.market]!))
    this.#rows.add('sets', { ...setsRow(this.#exchange, at, numberOf), fingerprint })
  }

  #readMarket(at: number): void {
    const { journal, markets } = this.#exchange
    const market = markets.at(journal.facts[at + marketFact.market]!)
    const note = journal.notes[journal.facts[at + marketFact.note]!]!
    if (note.change === 'JOB') {
      const job = JSON.stringify({ ...note.job, payout: String(note.job.payout) })
      const isDone = note.job.phase === 'DONE' ? 1 : 0
      this.#rows.add('job', { marketSerial: market.serial, isDone, job })
      return
    }
    this.#markets.add(market)
    if (note.change !== 'CREATED') return
    this.#counted.add(market)
    for (const { serial, index, name, description } of market.books) {
      const place = index
      this.#rows.add('newOutcome', {
        serial,
        marketSerial: market.serial,
        place,
        name,
        description,
      })
    }
  }

  writeChanged(): void {
    const { fingerprints, numberOf } = this.#environment
    this.#orders.write(this.#rows, numberOf, fingerprints)
    for (const [position, updatedAt] of this.#positions) {
      this.#rows.add('position', { ...positionRow(this.#exchange, position, numberOf), updatedAt })
    }
    for (const market of this.#markets) this.#rows.add('market', marketRow(market, numberOf))
    for (const market of this.#counted) this.#writeCounters(market)
    for (const { serial, version, lastPrice } of this.#books) {
      this.#rows.add('outcome', { outcomeSerial: serial, version, lastPrice })
    }
    this.#candles.write(this.#rows, this.#exchange.now)
    this.#tallies.write(this.#rows)
  }

  #writeCounters(market: Market): void {
    this.#rows.add('marketCounters', {
      marketSerial: market.serial,
      volume: market.volume.exact,
      tradeCount: market.tradeCount,
      setsMinted: market.setsMinted.exact,
      setsRedeemed: market.setsRedeemed.exact,
    })
    const { participantCounts, numberOf } = this.#environment
    const known = participantCounts.get(market) ?? 0
    if (market.participants.length === known) return
    for (const participant of market.participants.slice(known)) {
      this.#rows.add('participant', {
        marketSerial: market.serial,
        operatorNumber: numberOf(participant),
      })
    }
    participantCounts.set(market, market.participants.length)
  }

  #bookOf(order: number): Book {
    return this.#exchange.books.at(this.#exchange.orders.book(order))
  }

  #operatorOf(order: number): number {
    const { orders, players } = this.#exchange
    return this.#environment.numberOf(players.at(orders.player(order)).operator)
  }
}
