// The statement that stores rows of a kind, generated from the kinds of rows and their tables.

import { columnOf } from '../columns.ts'
import { candleWidth, columnsOf, foldedTitle, onConflict, rowTables } from '../row-tables.ts'
import { fieldsOf, kindNames, type RowKind } from '../rows.ts'
import { candleMinutes } from '../trade-data.ts'

/** Kinds of which one statement may store several rows, because a turn has many of them. */
const frequentKinds: ReadonlySet<RowKind> = new Set<RowKind>([
  'newOrder',
  'trade',
  'position',
  'sets',
  'settlement',
  'eventRecord',
])

/** How many rows one statement of that kind may store: as many as that, or one. */
export function rowsAtOnce(kind: RowKind): number {
  return frequentKinds.has(kind) ? 8 : 1
}

/** The statement for so many rows of a kind; its parameters are the fields as they are packed. */
export function statementFor(kind: RowKind, rows: number): string {
  const marks = new Marks(kind)
  if (rowTables[kind].write.kind === 'update') return updateOf(kind, marks)
  return kind === 'candle' ? insertCandles(marks) : insertOf(kind, rows, marks)
}

function insertOf(kind: RowKind, rows: number, marks: Marks): string {
  const values = Array.from({ length: rows }, (_, row) => `(${valuesOf(kind, row, marks)})`)
  const columns = columnsOf(kind)
  if (kind === 'market') columns.push(foldedTitle)
  return `${insertInto(kind, columns)} VALUES ${values.join(', ')} ${conflictOf(kind)}`
}

function valuesOf(kind: RowKind, row: number, marks: Marks): string {
  const values = fieldsOf[kindNames.indexOf(kind)]!.map(([field, type]) =>
    type === 'exact' ? sumFrom(() => marks.of(field, row)) : marks.of(field, row),
  )
  if (kind === 'market') values.push(`fold(${marks.of('title', row)})`)
  return values.join(', ')
}

// One candle for each width; SQLite calls the only column of the list of widths column1.
function insertCandles(marks: Marks): string {
  const widths = Object.values(candleMinutes).map((minutes) => `(${minutes})`)
  const values = fieldsOf[kindNames.indexOf('candle')]!.map(([field]) => {
    const value = marks.of(field, 0)
    return field === 'minute' ? `${value} - ${marks.of(field, 0)} % column1` : value
  })
  return `${insertInto('candle', [...columnsOf('candle'), candleWidth])}
    SELECT ${values.join(', ')}, column1 FROM (VALUES ${widths.join(', ')}) WHERE true
    ${conflictOf('candle')}`
}

function updateOf(kind: RowKind, marks: Marks): string {
  const fields = fieldsOf[kindNames.indexOf(kind)]!.filter(([field]) => field !== 'serial')
  const changes = fields.map(([field]) => `${columnOf(field)} = ${marks.of(field, 0)}`)
  return `UPDATE ${rowTables[kind].table} SET ${changes.join(', ')}
    WHERE serial = ${marks.of('serial', 0)}`
}

function insertInto(kind: RowKind, columns: readonly string[]): string {
  return `INSERT INTO ${rowTables[kind].table} AS stored (${columns.join(', ')})`
}

function conflictOf(kind: RowKind): string {
  return onConflict(rowTables[kind], { greatest: 'max', least: 'min' })
}

// Numbers are bound as floats. A column of type INTEGER converts them, one of type ANY does not.
function sumFrom(mark: () => string): string {
  return `iif(typeof(${mark()}) = 'text', ${mark()}, CAST(${mark()} AS INTEGER))`
}

/** The parameters of a statement: a mark for a field of a row, each time that it is used. */
class Marks {
  readonly #fields: readonly string[]
  #highest = 0

  constructor(kind: RowKind) {
    this.#fields = fieldsOf[kindNames.indexOf(kind)]!.map(([field]) => field)
  }

  // A plain mark has the number after the highest so far. SQLite counts a numbered mark as named,
  // and Node.js has it search all names for each value that is bound.
  of(field: string, row: number): string {
    const number = row * this.#fields.length + this.#fields.indexOf(field) + 1
    const isNext = number === this.#highest + 1
    this.#highest = Math.max(this.#highest, number)
    return isNext ? '?' : `?${number}`
  }
}
