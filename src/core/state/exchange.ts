// The whole state of one shard, in memory: a cache of what is stored, and the only thing that
// the rules read and write. The rules themselves stand in the files named after the commands.

import { assert } from '../assert.ts'
import { Book, type NewOutcome, openOrders } from '../book/book.ts'
import type { Ids } from '../ids.ts'
import { DueHeap } from '../memory/due-heap.ts'
import { HashIndex } from '../memory/hash-index.ts'
import { Memory, none } from '../memory/memory.ts'
import { Orders } from '../memory/orders.ts'
import { Positions } from '../memory/positions.ts'
import { Slots } from '../memory/slots.ts'
import {
  type FeeRate,
  feeRateMax,
  type Price,
  type Shares,
  sharesCeiling,
  ticksPerUnit,
} from '../money.ts'
import { Incoming } from './incoming.ts'
import { Journal } from './journal.ts'
import { Market, type NewMarket } from './market.ts'
import { Operator, type OperatorSettings, Player } from './operator.ts'
import { OrderCounts } from './order-counts.ts'

/** What the installation allows. */
export type Rules = {
  readonly sharesMin: Shares
  readonly sharesMax: Shares
  readonly priceMin: Price
  readonly priceMax: Price
  /** Of operators that have no rate of their own. */
  readonly feeRate: FeeRate
  /** How many orders may be open; left out: as order-limits.ts has it. */
  readonly playerOrdersMax?: number
  readonly operatorOrdersMax?: number
}

export class Exchange {
  readonly rules: Rules
  readonly ids: Ids
  /** Logical time in Unix milliseconds: it stands still or goes forward. */
  now = 0
  /** The last serial given to a record. */
  lastSerial = 0
  /** How many commands have changed something. */
  commandSequence = 0
  readonly journal = new Journal()
  readonly memory = new Memory()
  readonly orders = new Orders(this.memory)
  readonly positions = new Positions(this.memory)
  readonly orderCounts = new OrderCounts()
  /** The levels of all books, for ladders.ts. */
  readonly levels = new HashIndex()
  readonly expiries = new DueHeap()
  readonly openings = new DueHeap()
  readonly operators = new Slots<Operator>()
  readonly players = new Slots<Player>()
  readonly markets = new Slots<Market>()
  readonly books = new Slots<Book>()
  readonly incoming = new Incoming()
  private readonly ended: Market[] = []
  private readonly operatorsById = new Map<string, Operator>()
  private readonly marketsBySerial = new Map<number, Market>()
  private readonly booksBySerial = new Map<number, Book>()

  constructor(rules: Rules, ids: Ids) {
    assert(rules.sharesMax <= sharesCeiling, 'orders are small enough for exact fees')
    assert(rules.priceMin > 0 && rules.priceMax < ticksPerUnit, 'prices lie between 0 and 1')
    assert(rules.feeRate >= 0 && rules.feeRate <= feeRateMax, 'a fee is 0 to 100 %')
    this.rules = rules
    this.ids = ids
  }

  /** On the line past which a command is not refused any more. */
  begin(): void {
    this.journal.reserve()
    this.beginReady()
  }

  /** The same where room was made. */
  beginReady(): void {
    this.commandSequence += 1
    this.journal.begin()
  }

  /** Room for an order and its first facts, so that nothing need be loaded anew behind it. */
  reserve(): void {
    this.journal.reserve()
    this.orders.reserve()
  }

  /** The turn is stored, answered and told: its facts and closed orders go. */
  endTurn(): void {
    this.journal.clear()
    this.orders.freeClosed()
    if (this.ended.length > 0) {
      for (const market of this.ended.splice(0)) this.forgetPositions(market)
    }
  }

  nextSerial(): number {
    this.lastSerial += 1
    return this.lastSerial
  }

  /** Adds an operator, or changes the settings of the one with that id. */
  putOperator(settings: OperatorSettings): Operator {
    const known = this.operatorsById.get(settings.id)
    if (known !== undefined) {
      known.supportedCurrencies = settings.supportedCurrencies
      known.feeRate = settings.feeRate
      return known
    }
    const operator = this.operators.add((handle) => new Operator(handle, settings))
    this.operatorsById.set(operator.id, operator)
    return operator
  }

  operator(id: string): Operator | undefined {
    return this.operatorsById.get(id)
  }

  /** That operator's player; a new one where it has no such player yet. */
  player(operator: Operator, id: string): Player {
    const known = operator.players.get(id)
    if (known !== undefined) return known
    const player = this.players.add((handle) => new Player(handle, operator, id))
    operator.players.set(id, player)
    this.orderCounts.reserve(player.handle)
    return player
  }

  feeRateOf(operator: Operator): number {
    return operator.feeRate ?? this.rules.feeRate
  }

  addMarket(market: NewMarket): Market {
    const id = this.ids.textOf(market.serial, market.createdAt)
    const added = this.markets.add((handle) => new Market(handle, id, market))
    this.marketsBySerial.set(added.serial, added)
    return added
  }

  addBook(market: Market, outcome: NewOutcome): Book {
    const id = this.ids.textOf(outcome.serial, outcome.createdAt)
    const book = this.books.add((handle) => new Book(handle, market, { ...outcome, id }))
    market.books.push(book)
    this.booksBySerial.set(book.serial, book)
    return book
  }

  market(serial: number): Market | undefined {
    return this.marketsBySerial.get(serial)
  }

  /** The book of the outcome with that serial. */
  book(serial: number): Book | undefined {
    return this.booksBySerial.get(serial)
  }

  /** A market that trades no more needs its positions only until the turn ends. */
  endMarket(market: Market): void {
    this.ended.push(market)
  }

  private forgetPositions(market: Market): void {
    const { positions } = this
    for (let position = market.firstPosition; position !== none; ) {
      const next = positions.next(position)
      positions.drop(position)
      position = next
    }
    market.firstPosition = none
    market.lastPosition = none
    market.nextToSettle = none
  }

  /** Lets go of a market, its books and its positions; what is stored of them stays. */
  forgetMarket(market: Market): void {
    this.forgetPositions(market)
    for (const book of market.books) {
      assert(book.bids.length + book.asks.length === 0, 'a forgotten market has no open orders')
      this.booksBySerial.delete(book.serial)
      this.books.remove(book.handle)
    }
    this.openings.remove(market.handle)
    this.marketsBySerial.delete(market.serial)
    this.markets.remove(market.handle)
  }

  /** Lets go of players with neither an open order nor a position; only between turns. */
  forgetIdlePlayers(): number {
    const busy = new Set<number>()
    for (const book of this.books) {
      for (const order of openOrders(this, book)) busy.add(this.orders.player(order))
    }
    for (const market of this.markets) {
      for (const position of positionsOf(this, market)) busy.add(this.positions.player(position))
    }
    let forgotten = 0
    for (const player of [...this.players]) {
      if (busy.has(player.handle)) continue
      player.operator.players.delete(player.id)
      this.players.remove(player.handle)
      forgotten += 1
    }
    return forgotten
  }

  /** Empties everything and keeps the memory, for a rebuild from what is stored. */
  clear(): void {
    this.now = 0
    this.lastSerial = 0
    this.commandSequence = 0
    this.journal.clear()
    this.orders.clear()
    this.orderCounts.clear()
    this.memory.clear()
    this.positions.clear()
    this.levels.clear()
    this.expiries.clear()
    this.openings.clear()
    this.operators.clear()
    this.players.clear()
    this.markets.clear()
    this.books.clear()
    this.ended.length = 0
    this.operatorsById.clear()
    this.marketsBySerial.clear()
    this.booksBySerial.clear()
  }
}

/** The positions of a market, in the order in which they were made. */
export function* positionsOf(exchange: Exchange, market: Market): Generator<number> {
  const { positions } = exchange
  for (let at = market.firstPosition; at !== none; at = positions.next(at)) yield at
}
