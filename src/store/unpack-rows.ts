// Unpacks rows for the stores.

import { type FieldType, fieldsOf, noText, type PackedRows } from './rows.ts'

/** A value to bind. Whole numbers past 2^53 are decimal texts. */
export type Parameter = number | string | null

/** The parameters of `count` rows of a kind, which begin at `places` from the index `first` on. */
export function parametersOf(
  { numbers, texts }: PackedRows,
  places: readonly number[],
  first: number,
  count: number,
): Parameter[] {
  const fields = fieldsOf[numbers[places[first]!]!]!
  const parameters = new Array<Parameter>(count * fields.length)
  let next = 0
  for (let row = first; row < first + count; row += 1) {
    const at = places[row]! + 1
    for (let place = 0; place < fields.length; place += 1) {
      const value = numbers[at + place]!
      const type = fields[place]![1]
      parameters[next] = type === 'number' ? value : unpackText(texts, value, type)
      next += 1
    }
  }
  return parameters
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
