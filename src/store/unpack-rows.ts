// Unpacks rows for the stores.

import { type FieldType, fieldsOf, noText, type PackedRows } from './rows.ts'

/** A value to bind. Whole numbers past 2^53 are decimal texts. */
export type Parameter = number | string | null

/**
 * Calls `use` with the parameters of the rows, in order: of `atOnce` consecutive rows of a kind, or
 * of one row. The array is reused for the next call.
 */
export function eachGroup(
  { numbers, length, texts }: PackedRows,
  atOnce: (kind: number) => number,
  use: (kind: number, rows: number, parameters: readonly Parameter[]) => void,
): void {
  const parameters: Parameter[] = []
  for (let at = 0; at < length; ) {
    const kind = numbers[at]!
    const fields = fieldsOf[kind]!
    const width = fields.length + 1
    const most = atOnce(kind)
    let rows = 1
    while (rows < most && at + rows * width < length && numbers[at + rows * width] === kind) {
      rows += 1
    }
    if (rows < most) rows = 1
    parameters.length = rows * fields.length
    for (let place = 0; place < parameters.length; at += 1) {
      for (const [, type] of fields) {
        at += 1
        const value = numbers[at]!
        parameters[place] = type === 'number' ? value : unpackText(texts, value, type)
        place += 1
      }
    }
    use(kind, rows, parameters)
  }
}

/** Where each row begins: with the number of its kind, followed by its fields. */
export function* placesOf({ numbers, length }: PackedRows): Iterable<number> {
  for (let at = 0; at < length; at += fieldsOf[numbers[at]!]!.length + 1) yield at
}

function unpackText(texts: readonly string[], index: number, type: FieldType): Parameter {
  if (index === noText) return null
  const text = texts[index]!
  if (type === 'text') return text
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : text
}
