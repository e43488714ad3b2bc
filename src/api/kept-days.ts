// Totals of days, which are added up when they are first asked for. Those of a day that is over
// never change, so they are kept in memory. Each process keeps its own: they can be added up again
// at any time, and a table of them would need a writer.

import type { DailyTotals, DailyTotalsQuery, DayTotals, RecordStore } from '../store/store.ts'

type Limits = {
  /** Of all operators together; the days of the filter that was not used for longest go first. */
  readonly keptMax: number
  /** How many trades a step reads; other reads run before the next. */
  readonly tradesOfStep: number
  /** A request that has read so many trades reads no further days. */
  readonly tradesMax: number
}

const usualLimits: Limits = { keptMax: 100_000, tradesOfStep: 100_000, tradesMax: 1_000_000 }
type DaysQuery = Omit<DailyTotalsQuery, 'tradesMax'>

/** By day; null for a day without trades. */
type Days = Map<number, DayTotals | null>

export class KeptDays {
  readonly #limits: Limits
  /** By operator and market, the one that was used last at the end. */
  readonly #kept = new Map<string, Days>()
  #count = 0

  constructor(limits: Limits = usualLimits) {
    this.#limits = limits
  }

  get count(): number {
    return this.#count
  }

  /**
   * The totals of the days with trades, in order of time. If more trades would have to be read than
   * one request may: the first day that was not read.
   */
  async totals(
    reads: () => Pick<RecordStore, 'dailyTotals'>,
    query: DaysQuery,
  ): Promise<readonly DayTotals[] | { readonly unreadFrom: number }> {
    const key = keyOf(query)
    const { tradesOfStep, tradesMax } = this.#limits
    const found: DayTotals[] = []
    let tradesRead = 0
    for (let day = query.firstDay; day <= query.lastDay; ) {
      const known = this.#daysOf(key).get(day)
      if (known !== undefined) {
        if (known !== null) found.push(known)
        day += 1
        continue
      }
      if (tradesRead >= tradesMax) return { unreadFrom: day }
      const lastDay = lastUnknownOf(this.#daysOf(key), day, query.lastDay)
      const step = { ...query, firstDay: day, lastDay, tradesMax: tradesOfStep }
      const read = await reads().dailyTotals(step)
      const next = read.nextDay ?? lastDay + 1
      if (key !== null) this.#keep(key, read, { from: day, next })
      found.push(...read.days)
      tradesRead += read.tradesRead
      day = next
    }
    if (key !== null) this.#markUsed(key)
    return found
  }

  #daysOf(key: string | null): ReadonlyMap<number, DayTotals | null> {
    return (key === null ? undefined : this.#kept.get(key)) ?? noDays
  }

  #keep(key: string, read: DailyTotals, { from, next }: { from: number; next: number }): void {
    const days: Days = this.#kept.get(key) ?? new Map()
    const before = days.size
    const found = new Map(read.days.map((totals) => [totals.day, totals]))
    const end = Math.min(next, read.openDay)
    for (let day = from; day < end; day += 1) days.set(day, found.get(day) ?? null)
    if (days.size === 0) return
    this.#kept.set(key, days)
    this.#count += days.size - before
    this.#markUsed(key)
    for (const [oldest, { size }] of this.#kept) {
      if (this.#count <= this.#limits.keptMax) return
      this.#kept.delete(oldest)
      this.#count -= size
    }
  }

  #markUsed(key: string): void {
    const days = this.#kept.get(key)
    if (days === undefined) return
    this.#kept.delete(key)
    this.#kept.set(key, days)
  }
}

const noDays: ReadonlyMap<number, null> = new Map()

/** null if the days are not kept: another market may be in the category later. */
function keyOf({ operatorNumber, marketSerial, categoryId }: DaysQuery): string | null {
  return categoryId === null ? `${operatorNumber} ${marketSerial ?? ''}` : null
}

function lastUnknownOf(
  days: ReadonlyMap<number, unknown>,
  firstDay: number,
  lastDay: number,
): number {
  let last = firstDay
  while (last < lastDay && !days.has(last + 1)) last += 1
  return last
}
