// Packed rows, taken apart again by the stores.

import { type ColumnType, columnsOf, noText, type PackedRows } from './rows.ts'

/** A value as a database takes it. Whole numbers past 2^53 are decimal texts. */
export type Parameter = number | string | null

/** Calls back with the parameters of each row, in order; the array is used again for the next. */
export function eachRow(
  { numbers, length, texts }: PackedRows,
  use: (kind: number, parameters: readonly Parameter[]) => void,
): void {
  const parameters: Parameter[] = []
  for (let at = 0; at < length; ) {
    const kind = numbers[at]!
    const columns = columnsOf[kind]!
    at += 1
    parameters.length = columns.length
    for (let column = 0; column < columns.length; column += 1, at += 1) {
      const value = numbers[at]!
      const type = columns[column]![1]
      parameters[column] = type === 'number' ? value : unpackText(texts, value, type)
    }
    use(kind, parameters)
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
