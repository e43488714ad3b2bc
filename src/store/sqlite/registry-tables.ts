// The tables of the registry: which field of a record is kept in which column, and how.

import type { SQLInputValue } from 'node:sqlite'
import type { CategoryRow, KeyRow, OperatorRow, WebhookRow } from '../registry-store.ts'
import { type Cells, numberOf, textOf } from './cells.ts'
import type { Statements } from './connection.ts'

/** A list is kept as JSON. */
type Kind = 'plain' | 'flag' | 'list'
type Fields<Item> = Readonly<Record<keyof Item, Kind>>

const operators: Fields<OperatorRow> = {
  id: 'plain',
  number: 'plain',
  name: 'plain',
  supportedCurrencies: 'list',
  feeRate: 'plain',
  isActive: 'flag',
  createdAt: 'plain',
  updatedAt: 'plain',
}
const keys: Fields<KeyRow> = {
  id: 'plain',
  operatorId: 'plain',
  label: 'plain',
  scopes: 'list',
  prefix: 'plain',
  digest: 'plain',
  expiresAt: 'plain',
  createdAt: 'plain',
}
const categories: Fields<CategoryRow> = {
  id: 'plain',
  operatorId: 'plain',
  name: 'plain',
  slug: 'plain',
  description: 'plain',
  iconUrl: 'plain',
  isActive: 'flag',
  sortOrder: 'plain',
  createdAt: 'plain',
}
const webhooks: Fields<WebhookRow> = {
  id: 'plain',
  operatorId: 'plain',
  url: 'plain',
  sealedSecret: 'plain',
  events: 'list',
  isActive: 'flag',
  description: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
}

const tables = { operators, keys, categories, webhooks }
export type TableName = keyof typeof tables
export type Item = Readonly<Record<string, unknown>>

export function putItem(statements: Statements, table: TableName, item: Item): void {
  const fields = Object.entries<Kind>(tables[table])
  const columns = fields.map(([field]) => columnOf(field))
  const changes = columns.map((column) => `${column} = excluded.${column}`)
  statements
    .get(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
       ON CONFLICT (id) DO UPDATE SET ${changes.join(', ')}`,
    )
    .run(...fields.map(([field, kind]) => cellOf(kind, item[field])))
}

export function deleteItem(statements: Statements, table: TableName, id: string): void {
  statements.get(`DELETE FROM ${table} WHERE id = ?`).run(id)
}

export function allItems(statements: Statements, table: TableName): Item[] {
  const order = table === 'operators' ? 'number' : 'created_at, id'
  const rows = statements.get(`SELECT * FROM ${table} ORDER BY ${order}`).all()
  const fields = Object.entries<Kind>(tables[table])
  return rows.map((cells) =>
    Object.fromEntries(fields.map(([field, kind]) => [field, fieldOf(kind, cells, field)])),
  )
}

function cellOf(kind: Kind, value: unknown): SQLInputValue {
  if (kind === 'list') return JSON.stringify(value)
  if (kind === 'flag') return value === true ? 1 : 0
  if (value === null || typeof value === 'number' || typeof value === 'string') return value
  throw new TypeError(`A record of the registry cannot hold ${String(value)}.`)
}

function fieldOf(kind: Kind, cells: Cells, field: string): unknown {
  const cell = cells[columnOf(field)]
  if (kind === 'list') return JSON.parse(textOf(cell))
  return kind === 'flag' ? numberOf(cell) === 1 : cell
}

function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
