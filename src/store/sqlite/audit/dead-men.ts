// Checks of dead-man switches: none is late, and none that was triggered has left an order.

import { deadManStates } from '../../../core/state/operator.ts'
import { type Check, sqlCheck } from './check.ts'

const [armed, triggered] = (['ARMED', 'TRIGGERED'] as const).map((state) =>
  deadManStates.indexOf(state),
)

const switchOf = `'The dead-man switch of operator ' || ifnull(operators.id, operator_number) ||
  iif(player_id = '', '', ' for player "' || player_id || '"')`

export const deadManChecks: readonly Check[] = [
  sqlCheck(
    'dead-man-late',
    null,
    `SELECT ${switchOf} || ' is armed though its deadline has passed.' AS finding
     FROM dead_men LEFT JOIN operators ON operators.number = operator_number
     WHERE state = ${armed} AND deadline <= (SELECT max(now) FROM head)`,
  ),
  sqlCheck(
    'dead-man-orders',
    'Order',
    `SELECT orders.serial, created_at AS time, 'rests though a dead-man switch was triggered.'
       AS finding
     FROM dead_men JOIN orders ON orders.operator_number = dead_men.operator_number
       AND dead_men.player_id IN ('', orders.player_id)
     WHERE state = ${triggered} AND status <= 1 AND orders.serial > cancel_up_to`,
  ),
]
