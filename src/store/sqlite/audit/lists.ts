// What must hold of the lists: up to where they were brought up to date they have an entry for
// every order and trade that belongs there, and no others.

import { type ListSource, listSources } from '../lists.ts'
import { type Check, sqlCheck } from './check.ts'

const listed = "serial <= (SELECT value FROM meta WHERE name = 'listed_to')"
const names = [...new Set(listSources.map(({ list }) => list))]

export const listChecks: readonly Check[] = [
  ...(['orders', 'trades'] as const).map((table) =>
    sqlCheck(
      `list-${table}`,
      table === 'orders' ? 'Order' : 'Trade',
      listSources
        .filter((source) => source.table === table)
        .map(missingFrom)
        .join(' UNION ALL '),
    ),
  ),
  // With an entry for each that belongs there, one more is one too many.
  sqlCheck('list-lengths', null, names.map(lengthOf).join(' UNION ALL ')),
]

function missingFrom({ list, columns, table, only }: ListSource): string {
  // A list's own columns have the names of its table, but for the sides of a trade.
  const own = (column: string) => (/^(buyer|seller)$/.test(column) ? 'operator' : column)
  const same = columns.map((column) => `l.${own(column)} = t.${column}`).join(' AND ')
  return `
    SELECT serial, created_at AS time, 'is not in ${list}.' AS finding FROM ${table} AS t
    WHERE ${listed} AND ${only} AND NOT EXISTS (SELECT 1 FROM ${list} AS l WHERE ${same})`
}

function lengthOf(list: string): string {
  const belonging = listSources
    .filter((source) => source.list === list)
    .map(({ table, only }) => `(SELECT count(*) FROM ${table} WHERE ${listed} AND ${only})`)
    .join(' + ')
  return `
    SELECT '${list} has ' || entries || ' entries; ' || belonging || ' belong there.' AS finding
    FROM (
      SELECT (SELECT count(*) FROM ${list}) AS entries, ${belonging} AS belonging
    ) WHERE entries <> belonging`
}
