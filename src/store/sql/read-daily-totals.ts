// Adds up the trades of an operator by day, a part at a time. Serials and times of trades rise
// together, so that days are ranges of serials.

import { type DailyTotals, type DailyTotalsQuery, type DayTotals, dayMs } from '../daily-totals.ts'
import { type Cells, numberOf, textOf } from './cells.ts'
import { exact, sumOf } from './exact-sums.ts'
import { all, first, type Reading } from './reading.ts'
import { Where } from './where.ts'

/** Trades that one statement adds up. */
const tradesPerPart = 20_000

const day = `created_at / ${dayMs}`

type Newest = { readonly serial: number; readonly createdAt: number }

export function* readDailyTotals(query: DailyTotalsQuery): Reading<DailyTotals> {
  const text = 'SELECT serial, created_at FROM trades WHERE serial > 0 ORDER BY serial DESC LIMIT 1'
  const found = yield* first(text)
  if (found === undefined) return { days: [], nextDay: null, openDay: 0, tradesRead: 0 }
  const newest = { serial: numberOf(found.serial), createdAt: numberOf(found.created_at) }
  const openDay = Math.floor(newest.createdAt / dayMs)
  const totals = new Totals(query)
  let after = (yield* firstSerialOf(query.firstDay, newest)) - 1
  let last = (yield* firstSerialOf(query.lastDay + 1, newest)) - 1
  let nextDay: number | null = null
  while (after < last) {
    const part = yield* totals.partOf(after, last)
    if (part === null) break
    yield* totals.addTrades(after, part.last)
    yield* totals.addPlayers(after, part)
    after = part.last
    if (totals.tradesRead < query.tradesMax || nextDay !== null) continue
    nextDay = part.lastDay + 1
    last = Math.min(last, (yield* firstSerialOf(nextDay, newest)) - 1)
  }
  const isDone = nextDay === null || nextDay > Math.min(query.lastDay, openDay)
  const { tradesRead } = totals
  return { days: totals.days(), nextDay: isDone ? null : nextDay, openDay, tradesRead }
}

/** The serial of the first trade of that day or a later one, or one that no trade has yet. */
function* firstSerialOf(ofDay: number, newest: Newest): Reading<number> {
  const from = ofDay * dayMs
  let [earlier, later] = [0, newest.serial + 1]
  if (newest.createdAt < from) return later
  while (later - earlier > 1) {
    const middle = Math.floor((earlier + later) / 2)
    const text = 'SELECT serial, created_at FROM trades WHERE serial >= ? ORDER BY serial LIMIT 1'
    const found = yield* first(text, middle)
    if (found !== undefined && numberOf(found.created_at) < from) earlier = numberOf(found.serial)
    else later = middle
  }
  return later
}

type Sums = { trades: number; shares: bigint; fees: bigint }
/** The end of a part: its last trade. */
type Part = { readonly last: number; readonly lastDay: number }

class Totals {
  readonly #query: DailyTotalsQuery
  readonly #sums = new Map<number, Sums>()
  /** Of the days that were read to their ends. */
  readonly #playerCounts = new Map<number, number>()
  readonly #players = new Map<number, Set<string>>()
  #tradesRead = 0

  constructor(query: DailyTotalsQuery) {
    this.#query = query
  }

  get tradesRead(): number {
    return this.#tradesRead
  }

  /** Also trades that do not count, so that no part is long where few do. */
  *partOf(after: number, last: number): Reading<Part | null> {
    const { view, where } = this.#indexed(after, last)
    const part = yield* first(
      `SELECT count(*) AS trades, max(key_serial) AS last FROM (
         SELECT key_serial FROM ${view} WHERE ${where.text}
         ORDER BY key_serial LIMIT ?) AS found`,
      ...where.values,
      Math.min(tradesPerPart, this.#query.tradesMax),
    )
    const trades = numberOf(part?.trades)
    if (trades === 0) return null
    this.#tradesRead += trades
    const serial = numberOf(part?.last)
    const text = `SELECT ${day} AS day FROM trades WHERE serial = ?`
    return { last: serial, lastDay: numberOf((yield* first(text, serial))?.day) }
  }

  *addTrades(after: number, last: number): Reading<void> {
    const { operatorNumber } = this.#query
    const { view, where } = this.#counted(after, last)
    const groups = yield* all(
      `SELECT day, count(*) AS trades, ${exact('shares', 'shares')}, ${exact('fees', 'fees')}
       FROM (
         SELECT ${day} AS day, shares, CASE buyer_number WHEN ? THEN buyer_fee ELSE 0 END
           + CASE seller_number WHEN ? THEN seller_fee ELSE 0 END AS fees
         FROM ${view} WHERE ${where.text}
       ) AS found GROUP BY day`,
      ...[operatorNumber, operatorNumber],
      ...where.values,
    )
    for (const cells of groups) this.#add(cells)
  }

  #add(cells: Cells): void {
    const at = numberOf(cells.day)
    const sums = this.#sums.get(at) ?? { trades: 0, shares: 0n, fees: 0n }
    sums.trades += numberOf(cells.trades)
    sums.shares += sumOf(cells, 'shares')
    sums.fees += sumOf(cells, 'fees')
    this.#sums.set(at, sums)
  }

  /** The player of a side is that of its order. A subquery for each row never reads all orders. */
  *addPlayers(after: number, { last, lastDay }: Part): Reading<void> {
    const { operatorNumber } = this.#query
    const { view, where } = this.#counted(after, last)
    const side = (order: string, operator: string) => `
      SELECT ${day} AS day,
        (SELECT player_id FROM orders WHERE orders.serial = found.${order}) AS player_id
      FROM ${view} AS found WHERE ${where.text} AND ${operator} = ?`
    const players = yield* all(
      `SELECT day, player_id FROM (
         ${side('buy_order_serial', 'buyer_number')}
         UNION ALL ${side('sell_order_serial', 'seller_number')}
       ) AS found GROUP BY day, player_id`,
      ...[...where.values, operatorNumber],
      ...[...where.values, operatorNumber],
    )
    for (const cells of players) {
      const at = numberOf(cells.day)
      const ids = this.#players.get(at) ?? new Set()
      this.#players.set(at, ids.add(textOf(cells.player_id)))
    }
    this.#countPlayersBefore(lastDay)
  }

  /** The next part begins on that day or later, so the players of earlier ones are only counted. */
  #countPlayersBefore(lastDay: number): void {
    for (const [at, { size }] of this.#players) {
      if (at >= lastDay) continue
      this.#playerCounts.set(at, size)
      this.#players.delete(at)
    }
  }

  days(): DayTotals[] {
    this.#countPlayersBefore(Number.POSITIVE_INFINITY)
    const players = this.#playerCounts
    return [...this.#sums]
      .sort(([a], [b]) => a - b)
      .map(([at, sums]) => ({ day: at, ...sums, players: players.get(at) ?? 0 }))
  }

  /** What the index finds. */
  #indexed(after: number, last: number): View {
    const { operatorNumber, marketSerial } = this.#query
    const where = new Where()
    if (marketSerial === null) where.and('key_operator_number = ?', operatorNumber)
    else where.and('key_market_serial = ?', marketSerial)
    where.and('key_serial > ?', after).and('key_serial <= ?', last)
    return { view: marketSerial === null ? 'trades_of_operator' : 'trades_of_market', where }
  }

  /** Those of them that count. */
  #counted(after: number, last: number): View {
    const { operatorNumber, marketSerial, categoryId } = this.#query
    const { view, where } = this.#indexed(after, last)
    const isParty = '(buyer_number = ? OR seller_number = ?)'
    if (marketSerial !== null) where.and(isParty, operatorNumber, operatorNumber)
    return { view, where: where.andIfGiven(isInCategory, categoryId) }
  }
}

type View = { readonly view: string; readonly where: Where }

const isInCategory = `
  (SELECT category_id FROM markets WHERE markets.serial = market_serial) = ?`
