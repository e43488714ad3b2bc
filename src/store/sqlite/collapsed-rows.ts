// The rows of several turns, with each record once: as it is after the last of them. Most records
// that a turn changes were changed by a turn shortly before it, and to write a row costs much more
// than to change it here. Rows stay packed until they are written.

import { type Change, rowTables } from '../row-tables.ts'
import { fieldsOf, kindNames, noText, type PackedRows, type RowKind } from '../rows.ts'
import { type Parameter, parametersOf } from '../unpack-rows.ts'

/** Kinds of rows that change a record by its key, and that turns have many of. */
const keyedKinds: readonly RowKind[] = [
  'position',
  'marketCounters',
  'outcome',
  'candle',
  'eventSequence',
  'tally',
  'orderGroup',
  'orderGroupFill',
]
/** New records, which no other row of a turn changes: their order does not matter. */
const insertedKinds: readonly RowKind[] = [
  'newOutcome',
  'trade',
  'sets',
  'eventRecord',
  'orderGroupOrder',
  'orderAmount',
]
/** Rows about orders, by their serial. Each kind has all fields of those before it. */
const orderKinds: readonly RowKind[] = ['order', 'amendedOrder', 'newOrder']

const numberOfKind = (kind: RowKind) => kindNames.indexOf(kind)
const inserted: ReadonlySet<number> = new Set(insertedKinds.map(numberOfKind))
const orders = orderKinds.map(numberOfKind)

/** Where the fields of a row are, counted from the number of its kind. */
type KeyedKind = {
  readonly firstKeyAt: number
  /** 0 if the key is one field. */
  readonly secondKeyAt: number
  readonly changes: readonly { readonly at: number; readonly change: Change }[]
}

const keyed = new Map(keyedKinds.map((kind) => [numberOfKind(kind), keyedKindOf(kind)]))

function keyedKindOf(kind: RowKind): KeyedKind {
  const { write } = rowTables[kind]
  if (write.kind !== 'upsert') throw new TypeError(`a row of the kind ${kind} has no key`)
  const fields = fieldNamesOf(kind)
  const [firstKeyAt = 0, secondKeyAt = 0] = write.key
    .map((field) => fields.indexOf(field) + 1)
    .filter((at) => at > 0)
  const changes = fields.flatMap((field, place) => {
    const change = write.changes[field]
    return change === undefined || change === 'fixed' ? [] : { at: place + 1, change }
  })
  return { firstKeyAt, secondKeyAt, changes }
}

function fieldNamesOf(kind: RowKind): string[] {
  return fieldsOf[numberOfKind(kind)]!.map(([field]) => field)
}

/** By the numbers of two kinds: where the fields of the first are in the second. */
const placesInOrders = new Map(
  orders.map((kind, place) => [
    kind,
    new Map(orders.slice(place).map((other) => [other, placesIn(kind, other)])),
  ]),
)

function placesIn(kind: number, other: number): readonly number[] {
  const names = fieldNamesOf(kindNames[other]!)
  return fieldNamesOf(kindNames[kind]!).map((field) => names.indexOf(field) + 1)
}

export type RowGroup = {
  readonly kind: RowKind
  readonly count: number
  /** Of so many of the rows, one row after the other. */
  readonly parameters: (first: number, count: number) => Parameter[]
}

export class CollapsedRows {
  readonly #numbers: Float64Array
  readonly #texts: string[] = []
  #length = 0
  /** Where rows begin: of orders by serial, of keyed kinds by key, and of the others in order. */
  readonly #orders = new Map<number, number>()
  readonly #keyed = new Map([...keyed.keys()].map((kind) => [kind, new Places()]))
  readonly #inserted = new Map(Array.from(inserted, (kind) => [kind, [] as number[]]))
  /** One list for consecutive rows of one kind. */
  readonly #others: number[][] = []

  constructor(turns: readonly PackedRows[]) {
    this.#numbers = new Float64Array(turns.reduce((sum, { length }) => sum + length, 0))
    for (const turn of turns) this.#add(turn)
  }

  /** Rows of a kind, those with keys in the order of the first key. */
  *groups(): Iterable<RowGroup> {
    for (const places of this.#others) yield this.#group(this.#numbers[places[0]!]!, places)
    for (const [kind, places] of this.#inserted) yield this.#group(kind, places)
    const serials = [...this.#orders.keys()].sort((one, other) => one - other)
    for (const kind of orders) {
      const places = serials.map((serial) => this.#orders.get(serial)!)
      yield this.#group(
        kind,
        places.filter((at) => this.#numbers[at] === kind),
      )
    }
    for (const [kind, places] of this.#keyed) yield this.#group(kind, places.sorted())
  }

  #group(kind: number, places: readonly number[]): RowGroup {
    const rows = { numbers: this.#numbers, length: this.#length, texts: this.#texts }
    return {
      kind: kindNames[kind]!,
      count: places.length,
      parameters: (first, count) => parametersOf(rows, places, first, count),
    }
  }

  #add({ numbers, length, texts }: PackedRows): void {
    const begin = this.#length
    const textsBefore = this.#texts.length
    this.#numbers.set(numbers.subarray(0, length), begin)
    this.#length += length
    for (const text of texts) this.#texts.push(text)
    for (let at = begin; at < this.#length; ) {
      const kind = this.#numbers[at]!
      const fields = fieldsOf[kind]!
      for (let place = 0; place < fields.length; place += 1) {
        if (fields[place]![1] === 'number') continue
        const index = this.#numbers[at + place + 1]!
        if (index !== noText) this.#numbers[at + place + 1] = index + textsBefore
      }
      this.#addRow(kind, at)
      at += fields.length + 1
    }
  }

  #addRow(kind: number, at: number): void {
    const collapse = keyed.get(kind)
    if (collapse !== undefined) this.#collapse(kind, collapse, at)
    else if (orders.includes(kind)) this.#addOrder(kind, at)
    else (this.#inserted.get(kind) ?? this.#otherPlaces(kind)).push(at)
  }

  #otherPlaces(kind: number): number[] {
    const last = this.#others.at(-1)
    if (last !== undefined && this.#numbers[last[0]!] === kind) return last
    const places: number[] = []
    this.#others.push(places)
    return places
  }

  #collapse(kind: number, { firstKeyAt, secondKeyAt, changes }: KeyedKind, at: number): void {
    const numbers = this.#numbers
    const second = secondKeyAt === 0 ? 0 : numbers[at + secondKeyAt]!
    const before = this.#keyed.get(kind)!.put(numbers[at + firstKeyAt]!, second, at)
    if (before === at) return
    for (const { at: place, change } of changes) {
      numbers[before + place] = changed(change, numbers[before + place]!, numbers[at + place]!)
    }
  }

  #addOrder(kind: number, at: number): void {
    const numbers = this.#numbers
    const serial = numbers[at + 1]!
    const before = this.#orders.get(serial)
    const places =
      before === undefined ? undefined : placesInOrders.get(kind)!.get(numbers[before]!)
    if (before === undefined || places === undefined) {
      this.#orders.set(serial, at)
      return
    }
    for (let place = 0; place < places.length; place += 1) {
      numbers[before + places[place]!] = numbers[at + place + 1]!
    }
  }
}

/** Where the row of each key begins. */
class Places {
  readonly #byKey = new Map<number, Map<number, number>>()

  /** Returns where the row of the key begins: at the given place if it is the first. */
  put(first: number, second: number, at: number): number {
    const bySecond = this.#byKey.get(first)
    if (bySecond === undefined) {
      this.#byKey.set(first, new Map([[second, at]]))
      return at
    }
    const before = bySecond.get(second)
    if (before === undefined) bySecond.set(second, at)
    return before ?? at
  }

  sorted(): number[] {
    const firsts = [...this.#byKey.keys()].sort((one, other) => one - other)
    return firsts.flatMap((first) => [...this.#byKey.get(first)!.values()])
  }
}

// A text is replaced by its index. No change but a replacement is made of texts.
function changed(change: Change, before: number, after: number): number {
  switch (change) {
    case 'fixed':
      return before
    case 'replace':
      return after
    case 'replaceIfGiven':
      return after === noText ? before : after
    case 'add':
      return before + after
    case 'greatest':
      return Math.max(before, after)
    case 'least':
      return Math.min(before, after)
  }
}
