// The arguments of the commit function for a packed turn: the numbers, the texts, and where each
// row begins, in groups of one kind. A row with the key of another row in its group begins a new
// group, because a statement can change a record only once.

import { folded } from '../columns.ts'
import { fieldIndex, kindNames, type PackedRows, rowKinds } from '../rows.ts'
import { placesOf } from '../unpack-rows.ts'
import { keyFieldsOf } from './row-statements.ts'

type Group = { readonly kind: number; readonly places: number[]; readonly keys: Set<string> }

const keyColumns = kindNames.map((kind) => {
  const fields = Object.keys(rowKinds[kind])
  return keyFieldsOf(kind).map((field) => fields.indexOf(field) + 1)
})
const market = kindNames.indexOf('market')
const title = fieldIndex('market', 'title') + 1

/** In the order of the function's parameters. */
export function rowArguments(rows: PackedRows): readonly unknown[] {
  const { numbers, length, texts } = rows
  const groups = groupsOf(rows)
  const markets = groups.flatMap(({ kind, places }) => (kind === market ? places : []))
  return [
    listText(numbers.subarray(0, length)),
    texts,
    listText(groups.flatMap(({ places }) => places)),
    listText(groups.map(({ kind }) => kind)),
    listText(groups.map(({ places }) => places.length)),
    listText(markets),
    markets.map((at) => folded(texts[numbers[at + title]!]!)),
  ]
}

/** In the order of the kinds, so that new records are added before they are changed. */
function groupsOf(rows: PackedRows): Group[] {
  const groups: Group[][] = kindNames.map(() => [])
  for (const at of placesOf(rows)) {
    const kind = rows.numbers[at]!
    const key = keyColumns[kind]!.map((column) => rows.numbers[at + column]).join(' ')
    const ofKind = groups[kind]!
    let group = ofKind.at(-1)
    if (group === undefined || group.keys.has(key)) {
      group = { kind, places: [], keys: new Set() }
      ofKind.push(group)
    }
    group.places.push(at)
    if (key !== '') group.keys.add(key)
  }
  return groups.flat()
}

function listText(numbers: Float64Array | readonly number[]): string {
  return `{${numbers.join(',')}}`
}
