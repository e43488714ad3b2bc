// Lists as CSV, as RFC 4180 describes it. The columns are the fields of the schema of a row, in its
// order; a field that is an object or an array is its JSON in one cell.

import { decimalPattern } from '../schemas/fields.ts'

/** The schema of an object. */
export type RowSchema = { readonly properties: Readonly<Record<string, object>> }

type Column = {
  readonly name: string
  /** Whether its cells are texts of users, which may look like a formula. */
  readonly isFree: boolean
}

const lineEnd = '\r\n'

/** A spreadsheet takes a cell that begins with one of these for a formula. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/
/** It shows the rest of such a cell as text. */
const textMark = "'"

export class CsvTable {
  readonly header: string
  readonly #columns: readonly Column[]

  constructor({ properties }: RowSchema) {
    this.#columns = Object.entries(properties).map(([name, schema]) => columnOf(name, schema))
    this.header = lineOf(this.#columns.map(({ name }) => name))
  }

  linesOf(rows: readonly object[]): string {
    return rows.map((row) => this.#lineOf(row as Readonly<Record<string, unknown>>)).join('')
  }

  #lineOf(row: Readonly<Record<string, unknown>>): string {
    return lineOf(this.#columns.map(({ name, isFree }) => cellOf(row[name], isFree)))
  }
}

const chosenFormats: readonly unknown[] = ['uuid', 'date-time']

// Numbers, which may be negative, are no free texts; nor are ids, times and words of a list.
function columnOf(name: string, schema: object): Column {
  const {
    enum: words,
    format,
    pattern,
  }: { enum?: unknown; format?: unknown; pattern?: unknown } = schema
  const isKnown =
    words !== undefined || pattern === decimalPattern || chosenFormats.includes(format)
  return { name, isFree: !isKnown }
}

function lineOf(cells: readonly string[]): string {
  return cells.join(',') + lineEnd
}

// A text is empty as "", and null as nothing.
function cellOf(value: unknown, isFree: boolean): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') return quoted(JSON.stringify(value))
  if (typeof value !== 'string') return String(value)
  return quoted(isFree && formulaStart.test(value) ? textMark + value : value)
}

function quoted(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
