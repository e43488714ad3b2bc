// The registry on PostgreSQL. Every write raises the version of the registry and notes what it has
// changed, in the transaction of the records.

import type { Changed, Collection, RegistryChanges, RegistryStore } from '../registry-store.ts'
import { numberOf, textOf } from '../sql/cells.ts'
import { all, first, type Reading } from '../sql/reading.ts'
import {
  addOperator,
  allItems,
  deleteItem,
  itemsById,
  putItem,
  type TableName,
} from '../sql/registry-tables.ts'

/** The channel of NOTIFY, with the new version as its payload. */
export const registryChannel = 'outcry_registry'
/** Beyond it, reading all records costs no more. */
const changesMax = 5_000

export type RegistryWrite = {
  readonly changed: readonly { readonly kind: TableName; readonly id: string }[]
  readonly records: () => Reading<void>
  readonly decidedOn: number | undefined
}

export type RegistryParts = {
  /** From one snapshot of the database. */
  readonly read: <Answer>(reading: () => Reading<Answer>) => Promise<Answer>
  /** Returns the new version. */
  readonly write: (write: RegistryWrite) => Promise<number>
}

export function registryStore({ read, write }: RegistryParts): RegistryStore {
  const collection = <Item extends { readonly id: string }>(kind: TableName): Collection<Item> => ({
    // The table has a column for every field of the item's type; see registry-tables.ts.
    all: async () => (await read(() => allItems(kind))) as readonly unknown[] as readonly Item[],
    put: (item, decidedOn) =>
      write({
        changed: [{ kind, id: item.id }],
        records: () => putItem(kind, item),
        decidedOn,
      }),
    delete: (id, decidedOn) =>
      write({ changed: [{ kind, id }], records: () => deleteItem(kind, id), decidedOn }),
  })
  return {
    operators: collection('operators'),
    keys: collection('keys'),
    categories: collection('categories'),
    webhooks: collection('webhooks'),
    brakes: collection('brakes'),
    addOperator: (operator, key, decidedOn) =>
      write({
        changed: [
          { kind: 'operators', id: operator.id },
          { kind: 'keys', id: key.id },
        ],
        records: () => addOperator(operator, key),
        decidedOn,
      }),
    version: () => read(readVersion),
    changesSince: (version) => read(() => readChanges(version)),
  }
}

/** To be run in one transaction. Returns the new version. */
export function* storeWrite(
  { changed, records }: RegistryWrite,
  incarnation: string | null,
): Reading<number> {
  yield* records()
  const row = yield* first('UPDATE registry SET version = version + 1 RETURNING version')
  const version = numberOf(row?.version)
  for (const { kind, id } of changed) {
    yield* all(
      `INSERT INTO registry_changes (version, kind, id, incarnation, changed_at)
       VALUES (?, ?, ?, ?, clock_timestamp())`,
      version,
      kind,
      id,
      incarnation,
    )
  }
  yield* all('SELECT pg_notify(?, ?)', registryChannel, String(version))
  return version
}

function* readVersion(): Reading<number> {
  const row = yield* first('SELECT version FROM registry')
  return numberOf(row?.version)
}

function* readChanges(since: number): Reading<RegistryChanges | null> {
  const version = yield* readVersion()
  const rows = yield* all(
    `SELECT version, kind, id FROM registry_changes WHERE version > ?
     ORDER BY version LIMIT ${changesMax + 1}`,
    since,
  )
  // Every version has a change: if the next one has none, it was deleted.
  const isKnown = version === since || numberOf(rows[0]?.version ?? 0) === since + 1
  if (!isKnown || rows.length > changesMax) return null
  const idsOf = (kind: TableName) => [
    ...new Set(rows.filter((row) => row.kind === kind).map(({ id }) => textOf(id))),
  ]
  return {
    version,
    operators: yield* changedOf('operators', idsOf('operators')),
    keys: yield* changedOf('keys', idsOf('keys')),
    categories: yield* changedOf('categories', idsOf('categories')),
    webhooks: yield* changedOf('webhooks', idsOf('webhooks')),
    brakes: yield* changedOf('brakes', idsOf('brakes')),
  }
}

function* changedOf<Item extends { readonly id: string }>(
  kind: TableName,
  ids: readonly string[],
): Reading<readonly Changed<Item>[]> {
  if (ids.length === 0) return []
  const items = (yield* itemsById(kind, ids)) as readonly unknown[] as readonly Item[]
  const rows = new Map(items.map((item) => [item.id, item]))
  return ids.map((id) => ({ id, row: rows.get(id) ?? null }))
}
