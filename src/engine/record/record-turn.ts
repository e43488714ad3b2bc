// Turns the facts of a turn into the rows of the store. A record that changed more than once in the
// turn is written once, as it is at the end. To be called after recordEvents and before the turn
// ends, while the rows in memory that the facts name still exist.

import type { PublicTrade } from '../../core/events/committed-turn.ts'
import type { EventRecord } from '../../core/events/events.ts'
import type { Serial } from '../../core/ids.ts'
import type { OrderRow, PositionRow } from '../../core/memory/memory.ts'
import { controlsHolders, isPlain } from '../../core/state/controls.ts'
import type { Exchange } from '../../core/state/exchange.ts'
import type { FactOf, MarketChanged } from '../../core/state/facts.ts'
import type { Book, Market, ResolutionText, StoredText } from '../../core/state/market.ts'
import type { DeadMan, OrderGroup } from '../../core/state/operator.ts'
import type { OperatorEventRow, Row, RowPacker } from '../../store/store.ts'
import { writeEventRows } from './event-rows.ts'
import { legRow, tradeRow } from './trade-rows.ts'
import { TurnOrders } from './turn-orders.ts'
import {
  deadManRow,
  groupFillRow,
  groupRow,
  marketRow,
  type NumberOf,
  positionRow,
  setsRow,
  settlementRow,
} from './turn-rows.ts'
import { Candles, Tallies } from './turn-sums.ts'

/** What the rows need besides the facts. */
export type Environment = {
  readonly numberOf: NumberOf
  /** Of commands with a transactionId, by the serial of the order or sets change. */
  readonly fingerprints: ReadonlyMap<Serial, number>
  /** How many participants of each market are stored already. */
  readonly participantCounts: Map<Market, number>
  /** Receives the trades to publish; null if there is no listener. */
  readonly tape: PublicTrade[] | null
}

export type RecordedTurn = {
  readonly orders: number
  readonly trades: number
  readonly eventRows: readonly OperatorEventRow[]
}

export function recordTurn(
  exchange: Exchange,
  eventRecords: readonly EventRecord[],
  environment: Environment,
  rows: RowPacker,
): RecordedTurn {
  const recorder = new Recorder(exchange, environment, rows)
  recorder.readFacts()
  recorder.writeChanged()
  const eventRows = writeEventRows(eventRecords, environment.numberOf, rows)
  return { ...recorder.counts, eventRows }
}

class Recorder {
  readonly #exchange: Exchange
  readonly #environment: Environment
  readonly #rows: RowPacker
  readonly #orders: TurnOrders
  /** Positions, with the time of the change or 0 where only reserved shares changed. */
  readonly #positions = new Map<PositionRow, number>()
  readonly #books = new Set<Book>()
  readonly #markets = new Set<Market>()
  readonly #deadMen = new Set<DeadMan>()
  readonly #groups = new Set<OrderGroup>()
  readonly #filledGroups = new Set<OrderGroup>()
  /** The texts of new markets, and the edited texts of others. */
  readonly #newTexts = new Map<Market, StoredText>()
  readonly #editedTexts = new Map<Market, Partial<StoredText>>()
  /** Where that was stated. */
  readonly #publicPages = new Map<Market, boolean>()
  readonly #statedFees = new Set<Market>()
  readonly #statedBands = new Set<Market>()
  readonly #resolutions = new Map<Market, ResolutionText>()
  readonly #counted = new Set<Market>()
  /** By their holders, as they are at the end of the turn. */
  readonly #controls = new Map<string, Row<'controls'>>()
  readonly #candles = new Candles()
  readonly #tallies = new Tallies()
  #trades = 0

  constructor(exchange: Exchange, environment: Environment, rows: RowPacker) {
    this.#exchange = exchange
    this.#orders = new TurnOrders(exchange)
    this.#environment = environment
    this.#rows = rows
  }

  get counts(): Pick<RecordedTurn, 'orders' | 'trades'> {
    return { orders: this.#orders.count, trades: this.#trades }
  }

  readFacts(): void {
    const { journal, now } = this.#exchange
    const { numberOf } = this.#environment
    for (const fact of journal) {
      switch (fact.kind) {
        case 'ORDER_REPLACED':
          this.#orders.replace(fact.old)
          break
        case 'ORDER_ACCEPTED':
          this.#readAccepted(fact)
          break
        case 'ORDER_CLOSED':
          this.#orders.close(fact.order, fact.status)
          this.#noteReserved(fact.order)
          break
        case 'TRADE':
          this.#addTrade(fact.resting, tradeRow(this.#exchange, fact, numberOf))
          break
        case 'LEG':
          this.#addTrade(fact.order, legRow(this.#exchange, fact, numberOf))
          break
        case 'POSITION':
          this.#positions.set(fact.position, now)
          break
        case 'BOOK':
          this.#books.add(fact.book)
          break
        case 'SETS':
          this.#writeSets(fact)
          break
        case 'SETTLEMENT':
          this.#rows.add('settlement', settlementRow(this.#exchange, fact, numberOf))
          break
        case 'MARKET':
          this.#readMarket(fact)
          break
        case 'DEAD_MAN':
          this.#deadMen.add(fact.deadMan)
          break
        case 'ORDER_GROUP':
          this.#groups.add(fact.group)
          break
        case 'ORDER_GROUP_FILL':
          this.#filledGroups.add(fact.group)
          break
        case 'CONTROLS':
          this.#readControls(fact)
          break
      }
    }
  }

  #readAccepted(fact: FactOf<'ORDER_ACCEPTED'>): void {
    const { order } = fact
    const { market } = this.#exchange.bookOf(order)
    const isNew = this.#orders.accept(fact)
    this.#noteReserved(order)
    if (!isNew) return
    this.#writeMembership(order)
    if (market.isShared) this.#counted.add(market)
    const { operator } = this.#exchange.playerOf(order)
    this.#tallies.addOrder(this.#environment.numberOf(operator), market.serial)
  }

  #writeMembership(order: OrderRow): void {
    const group = this.#exchange.groupOf(order)
    if (group === null) return
    this.#rows.add('orderGroupOrder', {
      orderSerial: this.#exchange.orders.serial(order),
      groupSerial: group.serial,
      groupCreatedAt: group.createdAt,
    })
  }

  // A SELL order that starts or stops resting changes the reserved shares of its position.
  #noteReserved(order: OrderRow): void {
    const { orders } = this.#exchange
    if (!orders.isSell(order)) return
    const position = orders.position(order)
    if (!this.#positions.has(position)) this.#positions.set(position, 0)
  }

  // A trade of that order, which may be from an earlier turn.
  #addTrade(order: OrderRow, row: Row<'trade'>): void {
    const { marketSerial, price, shares, createdAt } = row
    const book = this.#exchange.bookOf(order)
    this.#orders.fill(order)
    this.#trades += 1
    this.#counted.add(book.market)
    this.#candles.add(book.serial, price, shares)
    this.#environment.tape?.push({
      serial: row.serial as Serial,
      marketId: book.market.id,
      outcomeId: book.id,
      price,
      shares,
      isSellIncoming: row.isSellIncoming === 1,
      createdAt,
    })
    this.#tallies.addTrade(row.buyerNumber, row.sellerNumber, marketSerial)
    this.#rows.add('trade', row)
  }

  #writeSets(sets: FactOf<'SETS'>): void {
    const { fingerprints, numberOf } = this.#environment
    const fingerprint = fingerprints.get(sets.serial) ?? 0
    this.#counted.add(sets.market)
    this.#rows.add('sets', { ...setsRow(this.#exchange, sets, numberOf), fingerprint })
  }

  #readControls({ record }: FactOf<'CONTROLS'>): void {
    const { holder } = record
    const { kind } = holder
    const operator = kind === 'EXCHANGE' ? null : this.#exchange.operator(holder.operatorId)!
    this.#controls.set(JSON.stringify(holder), {
      holderKind: controlsHolders.indexOf(kind),
      operatorNumber: operator === null ? 0 : this.#environment.numberOf(operator),
      playerId: kind === 'PLAYER' ? holder.playerId : '',
      record: isPlain(record) ? null : JSON.stringify(record),
    })
  }

  #readMarket(fact: MarketChanged): void {
    const { market } = fact
    if (fact.change === 'JOB') {
      const { job } = fact
      const text = JSON.stringify({ ...job, payout: String(job.payout) })
      const isDone = job.phase === 'DONE' ? 1 : 0
      this.#rows.add('job', { marketSerial: market.serial, isDone, job: text })
      return
    }
    this.#markets.add(market)
    if (fact.change === 'CREATED') this.#readCreated(market, fact)
    if (fact.change === 'EDITED') this.#readEdited(market, fact)
    if (fact.change === 'STATUS' && fact.resolution !== null) {
      this.#resolutions.set(market, fact.resolution)
    }
  }

  #readCreated(market: Market, created: Extract<MarketChanged, { change: 'CREATED' }>): void {
    this.#counted.add(market)
    this.#newTexts.set(market, created.text)
    if (created.hasPublicPage) this.#publicPages.set(market, true)
    if (created.statesFees) this.#statedFees.add(market)
    if (created.statesBand) this.#statedBands.add(market)
    for (const { serial, index, name } of market.books) {
      this.#rows.add('newOutcome', {
        serial,
        marketSerial: market.serial,
        place: index,
        name,
        description: created.outcomeDescriptions[index]!,
      })
    }
  }

  #readEdited(market: Market, edited: Extract<MarketChanged, { change: 'EDITED' }>): void {
    const { text, hasPublicPage, statesBand, statesFees } = edited
    if (statesFees) this.#statedFees.add(market)
    if (statesBand) this.#statedBands.add(market)
    if (hasPublicPage !== null) this.#publicPages.set(market, hasPublicPage)
    const created = this.#newTexts.get(market)
    if (created !== undefined) this.#newTexts.set(market, { ...created, ...text })
    else this.#editedTexts.set(market, { ...this.#editedTexts.get(market), ...text })
  }

  writeChanged(): void {
    const { fingerprints, numberOf } = this.#environment
    this.#orders.write(this.#rows, numberOf, fingerprints)
    for (const [position, updatedAt] of this.#positions) {
      this.#rows.add('position', { ...positionRow(this.#exchange, position, numberOf), updatedAt })
    }
    for (const market of this.#markets) {
      const text = this.#newTexts.get(market) ?? null
      const resolution = this.#resolutions.get(market) ?? null
      this.#rows.add('market', marketRow(market, { text, resolution }, numberOf))
    }
    for (const [market, text] of this.#editedTexts) this.#writeText(market.serial, text)
    for (const [{ serial }, hasPublicPage] of this.#publicPages) {
      this.#rows.add('marketPublicPage', { serial, hasPublicPage: hasPublicPage ? 1 : 0 })
    }
    for (const { serial, feeSchedule } of this.#statedFees) {
      const text = feeSchedule === null ? null : JSON.stringify(feeSchedule)
      this.#rows.add('marketFees', { serial, feeSchedule: text })
    }
    for (const { serial, priceBand } of this.#statedBands) {
      const text = priceBand === null ? null : JSON.stringify(priceBand)
      this.#rows.add('marketBand', { serial, priceBand: text })
    }
    for (const row of this.#controls.values()) this.#rows.add('controls', row)
    for (const market of this.#counted) this.#writeCounters(market)
    for (const deadMan of this.#deadMen) this.#rows.add('deadMan', deadManRow(deadMan, numberOf))
    for (const group of this.#groups) this.#rows.add('orderGroup', groupRow(group, numberOf))
    for (const group of this.#filledGroups) {
      const row = groupFillRow(group, this.#exchange.now)
      if (row !== null) this.#rows.add('orderGroupFill', row)
    }
    for (const { serial, version, lastPrice } of this.#books) {
      this.#rows.add('outcome', { outcomeSerial: serial, version, lastPrice })
    }
    this.#candles.write(this.#rows, this.#exchange.now)
    this.#tallies.write(this.#rows)
  }

  #writeText(serial: Serial, { description, imageUrl, metadata }: Partial<StoredText>): void {
    if (description !== undefined) this.#rows.add('marketDescription', { serial, description })
    if (imageUrl !== undefined) this.#rows.add('marketImageUrl', { serial, imageUrl })
    if (metadata !== undefined) this.#rows.add('marketMetadata', { serial, metadata })
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
}
