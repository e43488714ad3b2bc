// Checks of brakes on trading: none is stored for another holder, and nothing was placed or minted
// against one.

import { controlsHolders } from '../../../core/state/controls.ts'
import { type Check, sqlCheck } from './check.ts'

const kinds = controlsHolders.map((_, kind) => kind).join()
const kindOf = (holder: string) =>
  `CASE ${holder} ${controlsHolders.map((kind, at) => `WHEN '${kind}' THEN ${at}`).join(' ')} END`

// Those that held when the record was made: from the change on, until the time of the release. With
// these lists SQLite reads the few brakes by their key, and compares no record with all brakes.
const withBrakes = (table: string) => `${table} CROSS JOIN
  (SELECT holder_kind, operator_number, player_id, record ->> '$.terms.mode' AS mode,
    record ->> '$.terms.until' AS until, record ->> '$.changedAt' AS changed_at
    FROM controls WHERE record IS NOT NULL) AS brakes
  ON brakes.holder_kind IN (${kinds})
    AND brakes.operator_number IN (0, ${table}.operator_number)
    AND brakes.player_id IN ('', ${table}.player_id)
    AND created_at > changed_at AND (until IS NULL OR created_at < until)`

export const brakeChecks: readonly Check[] = [
  sqlCheck(
    'brake-holder',
    null,
    `SELECT 'A brake of holder ' || holder_kind || ', operator number ' || operator_number ||
       ', player "' || player_id || '" has the record of another.' AS finding
     FROM controls LEFT JOIN operators ON operators.number = operator_number
     WHERE record IS NOT NULL AND NOT (
       holder_kind IS ${kindOf("record ->> '$.holder.kind'")}
       AND operators.id IS record ->> '$.holder.operatorId'
       AND player_id = ifnull(record ->> '$.holder.playerId', ''))`,
  ),
  sqlCheck(
    'brake-orders',
    'Order',
    `SELECT orders.serial, created_at AS time, 'was placed under a brake that is ' || mode || '.'
       AS finding
     FROM ${withBrakes('orders')}
     WHERE mode = 'HALTED' OR (mode = 'REDUCE_ONLY' AND is_sell = 0)`,
  ),
  sqlCheck(
    'brake-sets',
    'Set',
    `SELECT sets.serial, created_at AS time, 'was changed under a brake that is ' || mode || '.'
       AS finding
     FROM ${withBrakes('sets')}
     WHERE mode = 'HALTED' OR (mode = 'REDUCE_ONLY' AND is_redeem = 0)`,
  ),
]
