// Checks of orders, alone and against their trades.

import { keyLifetimeMs } from '../../../core/idempotency.ts'
import { packOptions, withOutsideBand } from '../../../core/orders/options.ts'
import { orderStatuses, selfTradePreventions, timesInForce } from '../../../core/words.ts'
import { type Check, sqlCheck } from './check.ts'

const isByAmount = 'serial IN (SELECT serial FROM order_amounts)'
const isStatus = (column: string) => `${column} BETWEEN 0 AND ${orderStatuses.length - 1}`
const isRight = `CASE status
  WHEN 0 THEN filled = 0
  WHEN 1 THEN filled > 0 AND filled < shares
  WHEN 2 THEN filled = shares
  WHEN 3 THEN filled < shares OR ${isByAmount}
  WHEN 4 THEN filled < shares
  WHEN 5 THEN filled = 0
  ELSE 0 END`
const statusName = `CASE ${orderStatuses
  .map((word, place) => `WHEN status = ${place} THEN '${word}'`)
  .join(' ')} ELSE 'of status ' || status END`
// Few enough to be listed.
const everyOptions = timesInForce.flatMap((timeInForce) =>
  [false, true].flatMap((isPostOnly) =>
    selfTradePreventions.map((selfTradePrevention) => ({
      timeInForce,
      isPostOnly,
      selfTradePrevention,
    })),
  ),
)
const restable = everyOptions.filter(({ timeInForce }) => timeInForce === 'GTC').map(packOptions)
const rejectable = everyOptions
  .filter(({ timeInForce, isPostOnly }) => isPostOnly || timeInForce === 'FOK')
  .map(packOptions)

// A FOK order is REJECTED because it cannot be filled, also where a band is the reason.
const outsideBand = everyOptions.filter(({ timeInForce }) => timeInForce !== 'FOK').map(packOptions)
const outsideBandBit = withOutsideBand(0)
const isOutsideBand = `(options & ${outsideBandBit}) <> 0`
const plainOptions = `(options & ~${outsideBandBit})`

export const orderChecks: readonly Check[] = [
  sqlCheck(
    'order-shares',
    'Order',
    `SELECT serial, created_at AS time,
       'has ' || as_shares(filled) || ' of ' || as_shares(shares) || ' shares filled.' AS finding
     FROM orders WHERE filled < 0 OR filled > shares OR (shares <= 0 AND NOT ${isByAmount})`,
  ),
  sqlCheck(
    'order-status',
    'Order',
    `SELECT serial, created_at AS time, 'is ' || ${statusName} || ' with ' || as_shares(filled) ||
       ' of ' || as_shares(shares) || ' shares filled.' AS finding
     FROM orders WHERE NOT (${isRight}) OR NOT ${isStatus('status')}`,
  ),
  sqlCheck(
    'order-fills',
    'Order',
    `SELECT orders.serial, created_at AS time, 'has ' || as_shares(filled) ||
       ' shares filled; its trades add up to ' || as_shares(ifnull(fills.shares, 0)) || '.'
       AS finding
     FROM orders LEFT JOIN fills USING (serial) WHERE filled <> ifnull(fills.shares, 0)`,
  ),
  sqlCheck(
    'order-cost',
    'Order',
    `SELECT orders.serial, created_at AS time, 'has cost ' || as_money(cost) ||
       '; its trades add up to ' || as_money(ifnull(fills.value, 0)) || '.' AS finding
     FROM orders LEFT JOIN fills USING (serial) WHERE cost <> ifnull(fills.value, 0)`,
  ),
  sqlCheck(
    'order-type',
    'Order',
    `SELECT serial, created_at AS time, 'is a MARKET order and rests.' AS finding
     FROM orders WHERE price = 0 AND status <= 1
     UNION ALL
     SELECT serial, created_at, 'has the limit ' || as_price(price) || '.'
     FROM orders WHERE price NOT BETWEEN 0 AND 9999
     UNION ALL
     SELECT serial, created_at, 'is REJECTED without an option that can cause it.'
     FROM orders WHERE price > 0 AND status = 5 AND options NOT IN (${rejectable.join(', ')})
       AND NOT ${isOutsideBand} AND NOT ${isByAmount}
     UNION ALL
     SELECT serial, created_at, 'was outside of a price band and is no order REJECTED for that.'
     FROM orders WHERE ${isOutsideBand}
       AND (status <> 5 OR ${plainOptions} NOT IN (${outsideBand.join(', ')}))
     UNION ALL
     SELECT serial, created_at, 'rests and is not GTC, or has unknown options.'
     FROM orders WHERE (status <= 1 AND options NOT IN (${restable.join(', ')}))
       OR ${plainOptions} NOT IN (${everyOptions.map(packOptions).join(', ')})`,
  ),
  sqlCheck(
    'order-key',
    null,
    `SELECT 'The transactionId "' || transaction_id || '" of operator ' || operators.id ||
       ' is in use ' || count(*) || ' times.' AS finding
     FROM (
       SELECT k.operator_number, k.transaction_id FROM (
         SELECT operator_number, transaction_id, market_serial, created_at FROM orders
         WHERE transaction_id IS NOT NULL
         UNION ALL SELECT operator_number, transaction_id, market_serial, created_at FROM sets
         WHERE transaction_id IS NOT NULL
       ) AS k LEFT JOIN markets ON markets.serial = k.market_serial
       WHERE markets.status < 6 OR k.created_at > (SELECT max(now) FROM head) - ${keyLifetimeMs}
     ) AS live LEFT JOIN operators ON operators.number = live.operator_number
     GROUP BY operator_number, transaction_id HAVING count(*) > 1`,
  ),
  sqlCheck(
    'order-fingerprint',
    'Order',
    `SELECT serial, created_at AS time, iif(fingerprint = 0,
       'has a transactionId and no fingerprint of its request.',
       'has a fingerprint and no transactionId.') AS finding
     FROM orders WHERE (transaction_id IS NULL) <> (fingerprint = 0)`,
  ),
  sqlCheck(
    'order-expiry',
    'Order',
    `SELECT serial, created_at AS time, 'is EXPIRED before its time.' AS finding
     FROM orders WHERE status = 4 AND (expires_at = 0 OR updated_at < expires_at)
     UNION ALL
     SELECT orders.serial, orders.created_at, 'has traded at or past its expiry.'
     FROM trades JOIN orders ON orders.serial = buy_order_serial
     WHERE expires_at > 0 AND trades.created_at >= expires_at
     UNION ALL
     SELECT orders.serial, orders.created_at, 'has traded at or past its expiry.'
     FROM trades JOIN orders ON orders.serial = sell_order_serial
     WHERE expires_at > 0 AND trades.created_at >= expires_at`,
  ),
  sqlCheck(
    'order-parents',
    'Order',
    `SELECT orders.serial, orders.created_at AS time,
       'belongs to an operator, market or outcome that does not exist.' AS finding
     FROM orders LEFT JOIN operators ON operators.number = operator_number
     LEFT JOIN outcomes ON outcomes.serial = outcome_serial
     LEFT JOIN markets ON markets.serial = orders.market_serial
     WHERE operators.number IS NULL OR markets.serial IS NULL
       OR outcomes.market_serial IS NOT orders.market_serial`,
  ),
  sqlCheck(
    'order-times',
    'Order',
    `SELECT serial, created_at AS time, 'was updated before it was created, or in the future.'
       AS finding
     FROM orders WHERE updated_at < created_at OR updated_at > (SELECT max(now) FROM head)`,
  ),
]
