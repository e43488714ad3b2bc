// Checks of brakes on trading: none is stored for another holder, and nothing was placed or minted
// against one.

import { controlsHolders } from '../../../core/state/controls.ts'
import { type Check, sqlCheck } from './check.ts'

const kindOf = (holder: string) =>
  `CASE ${holder} ${controlsHolders.map((kind, at) => `WHEN '${kind}' THEN ${at}`).join(' ')} END`

/** The records made under a brake that does not allow them, with its mode. */
const madeUnder = (table: string, isReducing: string) =>
  controlsHolders
    .map(
      (holder, kind) => `SELECT ${table}.serial, created_at AS time, mode
      FROM ${table} JOIN (
        SELECT holder_kind, operator_number, player_id, record ->> '$.terms.mode' AS mode,
          record ->> '$.terms.until' AS until, record ->> '$.changedAt' AS changed_at
        FROM controls WHERE record IS NOT NULL
      ) AS brakes ON brakes.holder_kind = ${kind}
        AND brakes.operator_number = ${holder === 'EXCHANGE' ? 0 : `${table}.operator_number`}
        AND brakes.player_id = ${holder === 'PLAYER' ? `${table}.player_id` : "''"}
      WHERE created_at > changed_at AND (until IS NULL OR created_at < until)
        AND (mode = 'HALTED' OR (mode = 'REDUCE_ONLY' AND NOT ${isReducing}))`,
    )
    .join(' UNION ALL ')

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
    `SELECT serial, time, 'was placed under a brake that is ' || mode || '.' AS finding
     FROM (${madeUnder('orders', 'is_sell')})`,
  ),
  sqlCheck(
    'brake-sets',
    'Set',
    `SELECT serial, time, 'was changed under a brake that is ' || mode || '.' AS finding
     FROM (${madeUnder('sets', 'is_redeem')})`,
  ),
]
