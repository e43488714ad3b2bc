// The total of a list. Counting millions of rows for every page would take seconds, so rows are
// counted up to a limit.

import { countedMax, type Total } from '../record-store.ts'
import { numberOf } from './cells.ts'
import { first, type Reading, type Statement } from './reading.ts'

/** A total that is kept, or that was counted to the end. */
export function exactly(total: number): Total {
  return { total, totalIsExact: true }
}

/** The number of rows that a statement finds, up to the limit. */
export function* countUpTo({ text, values }: Statement): Reading<Total> {
  const count = yield* first(
    `SELECT count(*) AS total FROM (${text} LIMIT ${countedMax + 1}) AS found`,
    ...values,
  )
  const total = numberOf(count?.total)
  return total > countedMax ? { total: countedMax, totalIsExact: false } : exactly(total)
}

type ReadPage = {
  readonly query: { readonly after: number | null; readonly limit: number }
  /** As they were read: with one row more than the limit if there are more. */
  readonly rows: readonly unknown[]
}

/** Nothing is counted if the first page has all rows. */
export function* totalOf({ query, rows }: ReadPage, all: () => Statement): Reading<Total> {
  if (query.after === null && rows.length <= query.limit) return exactly(rows.length)
  return yield* countUpTo(all())
}
