// Checks of order groups: what is in them, what is left of them, and what their windows count.

import { orderGroupStatuses } from '../../../core/state/fill-window.ts'
import { type Check, sqlCheck } from './check.ts'

const active = orderGroupStatuses.indexOf('ACTIVE')

export const orderGroupChecks: readonly Check[] = [
  sqlCheck(
    'group-member',
    'Order',
    `SELECT order_serial AS serial, orders.created_at AS time,
       'is in an order group that is not one of its player.' AS finding
     FROM order_group_orders LEFT JOIN orders ON orders.serial = order_serial
     LEFT JOIN order_groups ON order_groups.serial = group_serial
     WHERE order_groups.operator_number IS NOT orders.operator_number
       OR order_groups.player_id IS NOT orders.player_id
       OR order_groups.created_at IS NOT group_created_at`,
  ),
  sqlCheck(
    'group-orders',
    'Order',
    `SELECT orders.serial, orders.created_at AS time,
       'rests though its order group was triggered or deleted.' AS finding
     FROM order_groups JOIN order_group_orders ON group_serial = order_groups.serial
     JOIN orders ON orders.serial = order_serial
     WHERE order_groups.status <> ${active} AND orders.status <= 1
       AND orders.serial > cancel_up_to`,
  ),
  // A reset may have come between two trades of one moment: then less counts than was traded.
  sqlCheck(
    'group-fills',
    'Order group',
    `WITH filled AS (
       SELECT group_serial, trades.created_at AS at, shares
       FROM order_group_orders JOIN trades ON buy_order_serial = order_serial
       UNION ALL
       SELECT group_serial, trades.created_at, shares
       FROM order_group_orders JOIN trades ON sell_order_serial = order_serial
     ), traded AS (
       SELECT group_serial, at, sum(shares) AS shares FROM filled GROUP BY group_serial, at
     )
     SELECT order_groups.serial, created_at AS time,
       'counts ' || (fills.shares / 100.0) || ' shares of a moment in which ' ||
       (ifnull(traded.shares, 0) / 100.0) || ' were traded.' AS finding
     FROM order_group_fills AS fills
     JOIN order_groups ON order_groups.serial = fills.group_serial
       AND order_groups.generation = fills.generation
     LEFT JOIN traded ON traded.group_serial = fills.group_serial AND at = filled_at
     WHERE fills.shares > ifnull(traded.shares, 0)
       OR (fills.generation = 0 AND fills.shares <> ifnull(traded.shares, 0))`,
  ),
]
