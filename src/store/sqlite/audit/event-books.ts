// The books as somebody knows them who was told every change: folded from version 1 on.

import type { ChangedLevel, OrderBookUpdate } from '../../../core/events/event-payload.ts'
import { decimals, textOf } from '../../../core/money.ts'
import { numberOf } from '../../sql/cells.ts'
import type { Scene } from './check.ts'

type Level = { readonly shares: number; readonly orderCount: number }
type EventBook = {
  version: number
  /** Whether the first change of all is among what was told. */
  readonly isWhole: boolean
  hasGap: boolean
  /** By price; asks below zero. */
  readonly levels: Map<number, Level>
}

export class EventBooks {
  readonly #books = new Map<number, EventBook>()

  fold(outcome: number, { version, bids, asks }: OrderBookUpdate): void {
    const book = this.#books.get(outcome) ?? {
      version: version - 1,
      isWhole: version === 1,
      hasGap: false,
      levels: new Map<number, Level>(),
    }
    this.#books.set(outcome, book)
    if (version !== book.version + 1) book.hasGap = true
    book.version = version
    for (const level of bids) change(book, level, 1)
    for (const level of asks) change(book, level, -1)
  }

  /** Where what was told does not lead to the stored version and the open orders. */
  *findings({ database, ids }: Scene): Iterable<string> {
    const stored = database.prepare(
      `SELECT version, created_at FROM outcomes LEFT JOIN books ON books.outcome = outcomes.serial
       LEFT JOIN markets ON markets.serial = outcomes.market WHERE outcomes.serial = ?`,
    )
    const openLevels = openLevelsOf(database)
    for (const [outcome, book] of this.#books) {
      const cells = stored.get(outcome)
      const time = cells?.created_at
      const id = typeof time === 'number' ? ids.textOf(outcome, time) : `number ${outcome}`
      if (book.hasGap) yield `Outcome ${id} was told of with a version left out.`
      if (cells?.version !== book.version) {
        yield `Outcome ${id} has version ${cells?.version ?? 0}; ${book.version} was told last.`
      }
      if (book.isWhole && !book.hasGap) yield* differences(book, openLevels.get(outcome), id)
    }
  }
}

type OpenLevels = ReadonlyMap<number, Level>

function openLevelsOf(database: Scene['database']): ReadonlyMap<number, OpenLevels> {
  const books = new Map<number, Map<number, Level>>()
  const rows = database
    .prepare(
      `SELECT outcome, is_sell, price, sum(shares - filled) AS shares, count(*) AS count
       FROM orders WHERE status <= 1 GROUP BY outcome, is_sell, price`,
    )
    .iterate()
  for (const cells of rows) {
    const outcome = numberOf(cells.outcome)
    const levels = books.get(outcome) ?? new Map<number, Level>()
    books.set(outcome, levels)
    const at = numberOf(cells.price) * (cells.is_sell === 1 ? -1 : 1)
    levels.set(at, { shares: numberOf(cells.shares), orderCount: numberOf(cells.count) })
  }
  return books
}

function change({ levels }: EventBook, level: ChangedLevel, sign: number): void {
  const at = steps(level.price, decimals.price) * sign
  if (level.orderCount === 0) levels.delete(at)
  else levels.set(at, { ...level, shares: steps(level.shares, decimals.shares) })
}

function* differences(
  { levels }: EventBook,
  open: OpenLevels | undefined,
  id: string,
): Iterable<string> {
  for (const at of new Set([...levels.keys(), ...(open?.keys() ?? [])])) {
    const told = levels.get(at)
    const real = open?.get(at)
    if (told?.shares === real?.shares && told?.orderCount === real?.orderCount) continue
    const side = at > 0 ? 'bids' : 'asks'
    const [said, found] = [told, real].map((level) => textOf(level?.shares ?? 0, decimals.shares))
    const price = textOf(Math.abs(at), decimals.price)
    yield `Outcome ${id} was told to have ${side} of ${said} at ${price}; open are ${found}.`
  }
}

function steps(value: number, places: number): number {
  return Math.round(value * 10 ** places)
}
