// Checks of all events of an operator: no gap in their numbers, one placement per order, and the
// same books and positions as the other routes return.

import type { Json, Service } from '../../support/process/outcry-process.ts'
import type { Trader, TradingFixture } from './trading-fixture.ts'
import { dataAt } from './verified-reads.ts'

const pageSize = 1_000

export async function allEvents(service: Service, trader: Trader, since = 0): Promise<Json[]> {
  const events: Json[] = []
  for (let last = since; ; ) {
    const path = `/api/v1/events?since=${last}&limit=${pageSize}`
    const data = await dataAt(service, path, trader.key)
    events.push(...data.events)
    last = data.lastSequence
    if (!data.hasMore) return events
  }
}

/** Reads events like a consumer, over restarts: an event must never change once it was read. */
export class Consumer {
  readonly #trader: Trader
  readonly #read: Json[] = []

  constructor(trader: Trader) {
    this.#trader = trader
  }

  async readMore(service: Service): Promise<void> {
    try {
      this.#read.push(...(await allEvents(service, this.#trader, this.#read.length)))
    } catch {
      // The service was killed; the next one has the rest.
    }
  }

  async violations(service: Service): Promise<string[]> {
    const events = await allEvents(service, this.#trader)
    const changed = this.#read.find(
      (event, at) => JSON.stringify(event) !== JSON.stringify(events[at]),
    )
    return changed === undefined ? [] : [`event ${changed.sequence} has changed since it was read`]
  }
}

type EventContext = {
  readonly service: Service
  readonly fixture: TradingFixture
  readonly trader: Trader
  readonly events: readonly Json[]
  readonly orders: readonly Json[]
}

export async function eventViolations(context: EventContext): Promise<string[]> {
  const { events, orders, trader } = context
  const found: string[] = []
  const gap = events.findIndex(({ sequence }, at) => sequence !== at + 1)
  if (gap >= 0) found.push(`${trader.name}: event ${gap + 1} has sequence ${events[gap].sequence}`)
  const late = events.find(({ createdAt }, at) => at > 0 && createdAt < events[at - 1].createdAt)
  if (late !== undefined)
    found.push(`${trader.name}: event ${late.sequence} is earlier than the one before`)
  const placed = new Map<string, number>()
  for (const { eventType, payload } of events) {
    if (eventType !== 'ORDER_PLACED') continue
    placed.set(payload.orderId, (placed.get(payload.orderId) ?? 0) + 1)
  }
  for (const { id } of orders) {
    const count = placed.get(id) ?? 0
    if (count !== 1) found.push(`order ${id} has ${count} ORDER_PLACED events`)
  }
  if (placed.size !== orders.length) {
    found.push(`${placed.size} orders have events, ${orders.length} are stored`)
  }
  found.push(...(await bookViolations(context)), ...(await positionViolations(context)))
  return found
}

type FoldedBook = { version: number; readonly levels: Map<string, number> }

async function bookViolations({ service, fixture, events }: EventContext): Promise<string[]> {
  const found: string[] = []
  const books = new Map<string, FoldedBook>()
  for (const { eventType, payload } of events) {
    if (eventType !== 'ORDER_BOOK_UPDATE') continue
    const book = books.get(payload.outcomeId) ?? { version: 0, levels: new Map<string, number>() }
    books.set(payload.outcomeId, book)
    if (payload.version !== book.version + 1) {
      found.push(`a book went from version ${book.version} to ${payload.version}`)
    }
    book.version = payload.version
    fold(book, payload)
  }
  for (const { id, outcomeIds } of fixture.markets) {
    for (const outcomeId of outcomeIds) {
      const folded = books.get(outcomeId)
      if (folded === undefined) continue
      const path = `/api/v1/markets/${id}/orderbook/${outcomeId}?depth=1000`
      const data = await dataAt(service, path)
      const shown: FoldedBook = { version: data.version, levels: new Map() }
      fold(shown, data)
      if (textOf(shown) !== textOf(folded)) found.push(`book ${outcomeId} differs from its events`)
    }
  }
  return found
}

function fold({ levels }: FoldedBook, { bids, asks }: Json): void {
  for (const [side, changed] of [
    ['bid', bids],
    ['ask', asks],
  ] as const) {
    for (const { price, shares } of changed) {
      if (shares === 0) levels.delete(`${side} ${price}`)
      else levels.set(`${side} ${price}`, shares)
    }
  }
}

function textOf({ version, levels }: FoldedBook): string {
  return JSON.stringify([version, [...levels].sort()])
}

async function positionViolations({ service, trader, events }: EventContext): Promise<string[]> {
  const published = new Map<string, Json>()
  for (const { eventType, payload } of events) {
    if (eventType === 'POSITION_UPDATED') published.set(payload.positionId, payload)
  }
  const positions: Json[] = await dataAt(service, '/api/v1/positions', trader.key)
  const found: string[] = []
  for (const { id, shares, totalCost, realizedPnl } of positions) {
    const last = published.get(id)
    const isSame =
      last?.shares === Number(shares) &&
      last?.totalCost === Number(totalCost) &&
      last?.realizedPnl === Number(realizedPnl)
    if (!isSame) found.push(`position ${id} differs from its last event`)
  }
  if (published.size !== positions.length) found.push('events exist for positions that do not')
  return found
}
