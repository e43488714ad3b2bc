// How a database is asked, whichever it is: a reading says one statement after the other, is handed
// the rows of each, and ends with its answer. Who runs it decides whether that is waited for.
// Statements are in SQL that both databases take, with `?` for each value.

import type { Cells } from './cells.ts'

export type Value = number | string | null
/** A list is for `= ANY (?)`. */
export type Parameter = Value | readonly (number | string)[]

export type Statement = { readonly text: string; readonly values: readonly Parameter[] }

export type Reading<Answer> = Generator<Statement, Answer, readonly Cells[]>

export function* all(text: string, ...values: readonly Parameter[]): Reading<readonly Cells[]> {
  return yield { text, values }
}

/** The first row, where there is one. */
export function* first(text: string, ...values: readonly Parameter[]): Reading<Cells | undefined> {
  const [cells] = yield { text, values }
  return cells
}
