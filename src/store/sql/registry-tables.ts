// The tables of the registry: how each field of a record is stored.

import { columnOf } from '../columns.ts'
import type {
  BrakeRow,
  CategoryRow,
  KeyRow,
  OperatorRow,
  RegistryKind,
  WebhookRow,
} from '../registry-store.ts'
import { type Cells, numberOf, textOf } from './cells.ts'
import { all, type Reading, type Value } from './reading.ts'

/** JSON is that of a list or an object, or null. */
type Kind = 'plain' | 'flag' | 'json'
type Fields<Item> = Readonly<Record<keyof Item, Kind>>

const operators: Fields<OperatorRow> = {
  id: 'plain',
  number: 'plain',
  shard: 'plain',
  name: 'plain',
  supportedCurrencies: 'json',
  feeRate: 'plain',
  feeSchedule: 'json',
  isActive: 'flag',
  createdAt: 'plain',
  updatedAt: 'plain',
}
const keys: Fields<KeyRow> = {
  id: 'plain',
  operatorId: 'plain',
  label: 'plain',
  scopes: 'json',
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
  previousSealedSecret: 'plain',
  previousSecretUntil: 'plain',
  events: 'json',
  retrySchedule: 'plain',
  format: 'plain',
  isActive: 'flag',
  description: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
}

const brakes: Fields<BrakeRow> = {
  id: 'plain',
  mode: 'plain',
  reason: 'plain',
  until: 'plain',
  cancelsOrders: 'flag',
  number: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
}

const tables = { operators, keys, categories, webhooks, brakes } satisfies Record<
  RegistryKind,
  unknown
>
export type TableName = RegistryKind
export type Item = Readonly<Record<string, unknown>>

export function* putItem(table: TableName, item: Item): Reading<void> {
  const fields = Object.entries<Kind>(tables[table])
  const columns = fields.map(([field]) => columnOf(field))
  const changes = columns.map((column) => `${column} = excluded.${column}`)
  yield* all(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT (id) DO UPDATE SET ${changes.join(', ')}`,
    ...fields.map(([field, kind]) => cellOf(kind, item[field])),
  )
}

/** To be run in one transaction. */
export function* addOperator(operator: Item, key: Item): Reading<void> {
  yield* putItem('operators', operator)
  yield* putItem('keys', key)
}

export function* deleteItem(table: TableName, id: string): Reading<void> {
  yield* all(`DELETE FROM ${table} WHERE id = ?`, id)
}

export function* allItems(table: TableName): Reading<Item[]> {
  const order = table === 'operators' ? 'number' : 'created_at, id'
  return itemsOf(table, yield* all(`SELECT * FROM ${table} ORDER BY ${order}`))
}

/** In any order. */
export function* itemsById(table: TableName, ids: readonly string[]): Reading<Item[]> {
  return itemsOf(table, yield* all(`SELECT * FROM ${table} WHERE id = ANY (?)`, ids))
}

function itemsOf(table: TableName, rows: readonly Cells[]): Item[] {
  const fields = Object.entries<Kind>(tables[table])
  return rows.map((cells) =>
    Object.fromEntries(fields.map(([field, kind]) => [field, fieldOf(kind, cells, field)])),
  )
}

function cellOf(kind: Kind, value: unknown): Value {
  if (kind === 'json') return value === null ? null : JSON.stringify(value)
  if (kind === 'flag') return value === true ? 1 : 0
  if (value === null || typeof value === 'number' || typeof value === 'string') return value
  throw new TypeError(`A record of the registry cannot hold ${String(value)}.`)
}

function fieldOf(kind: Kind, cells: Cells, field: string): unknown {
  const cell = cells[columnOf(field)]
  if (kind === 'json') return cell === null ? null : JSON.parse(textOf(cell))
  return kind === 'flag' ? numberOf(cell) === 1 : cell
}
