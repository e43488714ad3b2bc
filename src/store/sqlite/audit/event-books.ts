// The books as a client knows them that has received every change: folded from version 1 on.

import type { ChangedLevel, OrderBookUpdate } from '../../../core/events/event-payload.ts'
import type { Serial } from '../../../core/ids.ts'
import { decimals, textOf } from '../../../core/money.ts'
import { numberOf, serialOf } from '../../sql/cells.ts'
import type { Snapshot } from './check.ts'

type Level = { readonly shares: number; readonly orderCount: number }
type EventBook = {
  version: number
  /** Whether the published changes begin with the first one. */
  readonly isWhole: boolean
  hasGap: boolean
  /** By price; negative for asks. */
  readonly levels: Map<number, Level>
}

export class EventBooks {
  readonly #books = new Map<Serial, EventBook>()

  fold(outcomeSerial: Serial, { version, bids, asks }: OrderBookUpdate): void {
    const book = this.#books.get(outcomeSerial) ?? {
      version: version - 1,
      isWhole: version === 1,
      hasGap: false,
      levels: new Map<number, Level>(),
    }
    this.#books.set(outcomeSerial, book)
    if (version !== book.version + 1) book.hasGap = true
    book.version = version
    for (const level of bids) change(book, level, 1)
    for (const level of asks) change(book, level, -1)
  }

  /** Where the published changes do not add up to the stored version and the open orders. */
  *findings({ database, ids }: Snapshot): Iterable<string> {
    const stored = database.prepare(
      `SELECT version, created_at FROM outcomes
      LEFT JOIN books ON books.outcome_serial = outcomes.serial
       LEFT JOIN markets ON markets.serial = outcomes.market_serial WHERE outcomes.serial = ?`,
    )
    const openLevels = openLevelsOf(database)
    for (const [outcomeSerial, book] of this.#books) {
      const cells = stored.get(outcomeSerial)
      const time = cells?.created_at
      const isKnown = typeof time === 'number'
      const id = isKnown ? ids.textOf(outcomeSerial, time) : `with serial ${outcomeSerial}`
      if (book.hasGap) yield `Outcome ${id} has a gap in its published versions.`
      if (cells?.version !== book.version) {
        const found = cells?.version ?? 0
        yield `Outcome ${id} has version ${found}; the last published is ${book.version}.`
      }
      if (book.isWhole && !book.hasGap) yield* differences(book, openLevels.get(outcomeSerial), id)
    }
  }
}

type OpenLevels = ReadonlyMap<number, Level>

function openLevelsOf(database: Snapshot['database']): ReadonlyMap<Serial, OpenLevels> {
  const books = new Map<Serial, Map<number, Level>>()
  const rows = database
    .prepare(
      `SELECT outcome_serial, is_sell, price, sum(shares - filled) AS shares, count(*) AS count
       FROM orders WHERE status <= 1 GROUP BY outcome_serial, is_sell, price`,
    )
    .iterate()
  for (const cells of rows) {
    const outcomeSerial = serialOf(cells.outcome_serial)
    const levels = books.get(outcomeSerial) ?? new Map<number, Level>()
    books.set(outcomeSerial, levels)
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
    const published = levels.get(at)
    const found = open?.get(at)
    if (published?.shares === found?.shares && published?.orderCount === found?.orderCount) continue
    const side = at > 0 ? 'bids' : 'asks'
    const price = textOf(Math.abs(at), decimals.price)
    const [expected, actual] = [published, found].map((level) =>
      textOf(level?.shares ?? 0, decimals.shares),
    )
    yield `Outcome ${id} published ${side} of ${expected} at ${price}; open orders have ${actual}.`
  }
}

function steps(value: number, places: number): number {
  return Math.round(value * 10 ** places)
}
