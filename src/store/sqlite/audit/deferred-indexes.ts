// Checks of the deferred indexes: up to the serial to which it is updated, each has an entry for
// every order and trade that belongs there, and no others but those of listed closed orders.

import { type IndexSource, indexNames, indexSources, isOpen } from '../deferred-indexes.ts'
import { type Check, sqlCheck } from './check.ts'

// An index has the column names of its table, except where both sides of a trade are in it.
const sharedNames: Readonly<Record<string, string>> = {
  buyer_number: 'operator_number',
  seller_number: 'operator_number',
  buy_order_serial: 'order_serial',
  sell_order_serial: 'order_serial',
}

export const indexChecks: readonly Check[] = [
  ...(['orders', 'trades'] as const).map((table) =>
    sqlCheck(
      `index-${table}`,
      table === 'orders' ? 'Order' : 'Trade',
      indexSources
        .filter((source) => (source.table === 'orders') === (table === 'orders'))
        .map(missingFrom)
        .join(' UNION ALL '),
    ),
  ),
  // As every row that belongs there has its entry, any other entry makes the index too long.
  sqlCheck('index-lengths', null, indexNames.map(lengthOf).join(' UNION ALL ')),
]

function missingFrom(source: IndexSource): string {
  const { index, table, condition } = source
  return `
    SELECT serial, created_at AS time, 'has no entry in ${index}.' AS finding FROM ${table} AS t
    WHERE ${isIndexed(index)} AND ${condition}
      AND NOT EXISTS (SELECT 1 FROM ${index} AS i WHERE ${isEntryOf(source)})`
}

function lengthOf(index: string): string {
  const expected = indexSources
    .filter((source) => source.index === index)
    .flatMap((source) => [
      `SELECT count(*) FROM ${source.table} WHERE ${isIndexed(index)} AND ${source.condition}`,
      ...(source.condition === isOpen ? [closedEntries(source)] : []),
    ])
    .map((text) => `(${text})`)
    .join(' + ')
  return `
    SELECT '${index} has ' || entries || ' entries; expected ' || expected || '.' AS finding
    FROM (
      SELECT (SELECT count(*) FROM ${index}) AS entries, ${expected} AS expected
    ) WHERE entries <> expected`
}

/** A listed order has no entry here if it was closed before this index was updated to it. */
function closedEntries(source: IndexSource): string {
  return `SELECT count(*) FROM closed_orders AS c CROSS JOIN orders AS t ON t.serial = c.serial
    CROSS JOIN ${source.index} AS i ON ${isEntryOf(source)}`
}

function isIndexed(index: string): string {
  return `serial <= (SELECT indexed_to FROM index_marks WHERE index_name = '${index}')`
}

function isEntryOf({ columns }: IndexSource): string {
  return columns.map((column) => `i.${sharedNames[column] ?? column} = t.${column}`).join(' AND ')
}
