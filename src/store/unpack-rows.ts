// Packed rows, taken apart again by the stores.

import { type ColumnType, columnsOf, noText, type PackedRows } from './rows.ts'

/** A value as a database takes it. Whole numbers past 2^53 are decimal texts. */
export type Parameter = number | string | null

/**
 * Calls back with the parameters of the rows, in order: of `atOnce` rows of a kind that follow each
 * other, or of one. The array is used again for the next.
 */
export function eachGroup(
  { numbers, length, texts }: PackedRows,
  atOnce: (kind: number) => number,
  use: (kind: number, rows: number, parameters: readonly Parameter[]) => void,
): void {
  const parameters: Parameter[] = []
  for (let at = 0; at < length; ) {
    const kind = numbers[at]!
    const columns = columnsOf[kind]!
    const width = columns.length + 1
    const most = atOnce(kind)
    let rows = 1
    while (rows < most && at + rows * width < length && numbers[at + rows * width] === kind) {
      rows += 1
    }
    if (rows < most) rows = 1
    parameters.length = rows * columns.length
    for (let place = 0; place < parameters.length; at += 1) {
      for (const [, type] of columns) {
        at += 1
        const value = numbers[at]!
        parameters[place] = type === 'number' ? value : unpackText(texts, value, type)
        place += 1
      }
    }
    use(kind, rows, parameters)
  }
}

/** Where each row begins; there stands its kind, and then its columns. */
export function* placesOf({ numbers, length }: PackedRows): Iterable<number> {
  for (let at = 0; at < length; at += columnsOf[numbers[at]!]!.length + 1) yield at
}

function unpackText(texts: readonly string[], index: number, type: ColumnType): Parameter {
  if (index === noText) return null
  const text = texts[index]!
  if (type === 'text') return text
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : text
}
