// Reads that run on either database: a reading yields one statement after the other, receives the
// rows of each, and returns its answer. SQLite runs it synchronously, PostgreSQL awaits each step.
// Statements are in SQL that both databases accept, with `?` for each value.

import type { Cells } from './cells.ts'

export type Value = number | string | null
/** A list is for `= ANY (?)`. */
export type Parameter = Value | readonly (number | string)[]

export type Statement = { readonly text: string; readonly values: readonly Parameter[] }

export type Reading<Answer> = Generator<Statement, Answer, readonly Cells[]>

export function* all(text: string, ...values: readonly Parameter[]): Reading<readonly Cells[]> {
  return yield { text, values }
}

/** The first row, if there is one. */
export function* first(text: string, ...values: readonly Parameter[]): Reading<Cells | undefined> {
  const [cells] = yield { text, values }
  return cells
}

/** The caller no longer needs the answer. */
class ReadAbandoned extends Error {
  override readonly name = 'ReadAbandoned'
}

/** Fails before the next statement once the reading is abandoned. */
export function* untilAbandoned<Answer>(
  reading: Reading<Answer>,
  isAbandoned: () => boolean,
): Reading<Answer> {
  let step = reading.next()
  while (step.done !== true) {
    if (isAbandoned()) throw new ReadAbandoned('The read was abandoned.')
    step = reading.next(yield step.value)
  }
  return step.value
}
