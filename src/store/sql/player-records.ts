// What orders, positions and settlements have in common: each belongs to a player of an operator,
// in an outcome of a market. All of their reads share these columns.

import type { PlayerRecord } from '../record-store.ts'
import { type Cells, numberOf, serialOf, textOf } from './cells.ts'

/** All columns of a record, the time of its market and the public id of its operator. */
export function playerRecordColumns(alias: string): string {
  return `${alias}.*, m.created_at AS market_created_at, operators.id AS operator_id`
}

export function playerRecordJoins(alias: string): string {
  return `
    LEFT JOIN markets AS m ON m.serial = ${alias}.market_serial
    LEFT JOIN operators ON operators.number = ${alias}.operator_number`
}

export function playerRecordOf(cells: Cells): PlayerRecord {
  return {
    serial: serialOf(cells.serial),
    createdAt: numberOf(cells.created_at),
    updatedAt: numberOf(cells.updated_at),
    marketSerial: serialOf(cells.market_serial),
    marketCreatedAt: numberOf(cells.market_created_at),
    outcomeSerial: serialOf(cells.outcome_serial),
    operatorId: textOf(cells.operator_id),
    playerId: textOf(cells.player_id),
  }
}
