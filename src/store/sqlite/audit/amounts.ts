// Checks of orders by amount, against their trades.

import { feeUnitsPerMicro } from '../../../core/money.ts'
import { type OrderOptions, packOptions } from '../../../core/orders/options.ts'
import { selfTradePreventions } from '../../../core/words.ts'
import { type Check, sqlCheck } from './check.ts'

const filled = 2
const rejected = 5
const restable = selfTradePreventions.map((selfTradePrevention): OrderOptions => {
  return { timeInForce: 'GTC', isPostOnly: false, selfTradePrevention }
})
export const amountChecks: readonly Check[] = [
  sqlCheck(
    'order-amount',
    'Order',
    `SELECT serial, created_at AS time, 'has spent ' || as_fee(spent) || ' of ' ||
       as_money(amount) || '; its trades and fees add up to ' || as_fee(paid) || '.' AS finding
     FROM (
       SELECT a.serial, o.created_at, a.amount, a.spent,
         ifnull(f.value * ${feeUnitsPerMicro} + f.fee, 0) AS paid
       FROM order_amounts AS a JOIN orders AS o ON o.serial = a.serial
       LEFT JOIN fills AS f ON f.serial = a.serial
     ) WHERE spent <> paid OR spent > amount * ${feeUnitsPerMicro}`,
  ),
  sqlCheck(
    'order-amount-shares',
    'Order',
    `SELECT o.serial, o.created_at AS time, 'is by amount, and a SELL, rests, or has ' ||
       as_shares(o.filled) || ' of ' || as_shares(o.shares) || ' shares filled.' AS finding
     FROM order_amounts AS a JOIN orders AS o ON o.serial = a.serial
     WHERE o.is_sell = 1 OR o.status <= 1 OR o.shares <> o.filled
       OR (o.shares = 0 AND o.status = ${filled}) OR (o.shares > 0 AND o.status = ${rejected})
       OR (o.price > 0 AND o.options IN (${restable.map(packOptions).join(', ')}))
     UNION ALL
     SELECT serial, 0, 'has an amount and does not exist.' FROM order_amounts
     WHERE serial NOT IN (SELECT serial FROM orders)`,
  ),
]
