// The rows that are deleted first, because they are too old.

/** The first rows that are older than a time, of rows in order of time. */
export function oldRows(
  rows: Iterable<Readonly<Record<string, unknown>>>,
  before: number,
): { last: number | null; count: number } {
  let last: number | null = null
  let count = 0
  for (const { at, time } of rows) {
    if (typeof at !== 'number' || typeof time !== 'number' || time >= before) break
    last = at
    count += 1
  }
  return { last, count }
}
