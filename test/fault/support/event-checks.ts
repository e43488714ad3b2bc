// The events of an operator, read whole: numbered without a gap, one placement for each order, and
// telling of the same books and positions as the other routes do.

import type { Json, Service } from '../../support/process/outcry-process.ts'
import type { Scene, Trader } from './trading-fixture.ts'

const pageSize = 1_000

export async function allEvents(service: Service, trader: Trader, since = 0): Promise<Json[]> {
  const events: Json[] = []
  for (let last = since; ; ) {
    const path = `/api/v1/events?since=${last}&limit=${pageSize}`
    const { status, body } = await service.ask('GET', path, { key: trader.key })
    if (status !== 200) throw new Error(`Events were answered ${status}.`)
    events.push(...body.data.events)
    last = body.data.lastSequence
    if (!body.data.hasMore) return events
  }
}

/** Reads on as a consumer does, over restarts: what it was told once must never change. */
export class Consumer {
  readonly #trader: Trader
  readonly #told: Json[] = []

  constructor(trader: Trader) {
    this.#trader = trader
  }

  async readOn(service: Service): Promise<void> {
    try {
      this.#told.push(...(await allEvents(service, this.#trader, this.#told.length)))
    } catch {
      // The service is gone; there will be another.
    }
  }

  async violations(service: Service): Promise<string[]> {
    const events = await allEvents(service, this.#trader)
    const changed = this.#told.find(
      (told, at) => JSON.stringify(told) !== JSON.stringify(events[at]),
    )
    return changed === undefined
      ? []
      : [`event ${changed.sequence} was told and is not the same now`]
  }
}

type Told = {
  readonly service: Service
  readonly scene: Scene
  readonly trader: Trader
  readonly events: readonly Json[]
  readonly orders: readonly Json[]
}

export async function eventViolations(told: Told): Promise<string[]> {
  const { events, orders, trader } = told
  const found: string[] = []
  const gap = events.findIndex(({ sequence }, at) => sequence !== at + 1)
  if (gap >= 0) found.push(`${trader.name}: event ${gap + 1} has number ${events[gap].sequence}`)
  const late = events.find(({ createdAt }, at) => at > 0 && createdAt < events[at - 1].createdAt)
  if (late !== undefined) found.push(`${trader.name}: event ${late.sequence} goes back in time`)
  const placed = new Map<string, number>()
  for (const { eventType, payload } of events) {
    if (eventType !== 'ORDER_PLACED') continue
    placed.set(payload.orderId, (placed.get(payload.orderId) ?? 0) + 1)
  }
  for (const { id } of orders) {
    if (placed.get(id) !== 1) found.push(`order ${id} was told ${placed.get(id) ?? 0} times`)
  }
  if (placed.size !== orders.length)
    found.push(`${placed.size} orders told, ${orders.length} there`)
  found.push(...(await bookViolations(told)), ...(await positionViolations(told)))
  return found
}

type FoldedBook = { version: number; readonly levels: Map<string, number> }

async function bookViolations({ service, scene, events }: Told): Promise<string[]> {
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
  for (const { id, outcomeIds } of scene.markets) {
    for (const outcomeId of outcomeIds) {
      const folded = books.get(outcomeId)
      if (folded === undefined) continue
      const path = `/api/v1/markets/${id}/orderbook/${outcomeId}?depth=1000`
      const { body } = await service.ask('GET', path)
      const shown: FoldedBook = { version: body.data.version, levels: new Map() }
      fold(shown, body.data)
      if (textOf(shown) !== textOf(folded)) found.push(`book ${outcomeId} is not as it was told`)
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

async function positionViolations({ service, trader, events }: Told): Promise<string[]> {
  const told = new Map<string, Json>()
  for (const { eventType, payload } of events) {
    if (eventType === 'POSITION_UPDATED') told.set(payload.positionId, payload)
  }
  const { body } = await service.ask('GET', '/api/v1/positions', { key: trader.key })
  const found: string[] = []
  for (const { id, shares, totalCost, realizedPnl } of body.data) {
    const last = told.get(id)
    const isAsTold =
      last?.shares === Number(shares) &&
      last?.totalCost === Number(totalCost) &&
      last?.realizedPnl === Number(realizedPnl)
    if (!isAsTold) found.push(`position ${id} is not as it was told`)
  }
  if (told.size !== body.data.length) found.push('positions are told that are not there')
  return found
}
