// Checks of the deferred indexes: up to the serial to which they are updated they have an entry for
// every order and trade that belongs there, and no others but those of listed closed orders.

import { type IndexSource, indexSources, isOpen } from '../deferred-indexes.ts'
import { type Check, sqlCheck } from './check.ts'

const isIndexed = "serial <= (SELECT value FROM meta WHERE name = 'indexed_to')"
const names = [...new Set(indexSources.map(({ index }) => index))]

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
        .filter((source) => source.table === table)
        .map(missingFrom)
        .join(' UNION ALL '),
    ),
  ),
  // As every row that belongs there has its entry, any other entry makes the index too long.
  sqlCheck('index-lengths', null, names.map(lengthOf).join(' UNION ALL ')),
]

function missingFrom({ index, columns, table, condition }: IndexSource): string {
  const same = columns
    .map((column) => `i.${sharedNames[column] ?? column} = t.${column}`)
    .join(' AND ')
  return `
    SELECT serial, created_at AS time, 'has no entry in ${index}.' AS finding FROM ${table} AS t
    WHERE ${isIndexed} AND ${condition} AND NOT EXISTS (SELECT 1 FROM ${index} AS i WHERE ${same})`
}

function lengthOf(index: string): string {
  const expected = indexSources
    .filter((source) => source.index === index)
    .map(
      ({ table, condition }) =>
        `(SELECT count(*) FROM ${table} WHERE ${isIndexed} AND ${condition})${
          condition === isOpen ? ' + (SELECT count(*) FROM closed_orders)' : ''
        }`,
    )
    .join(' + ')
  return `
    SELECT '${index} has ' || entries || ' entries; expected ' || expected || '.' AS finding
    FROM (
      SELECT (SELECT count(*) FROM ${index}) AS entries, ${expected} AS expected
    ) WHERE entries <> expected`
}
