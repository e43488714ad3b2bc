// What must hold of every trade, alone and beside its orders: two, or one for a leg of a match by
// complete sets, on whose other side stands the issuer.

import { ticksPerUnit } from '../../../core/money.ts'
import { DIRECT, MERGE, MINT } from '../../../core/words.ts'
import { issuer } from '../../rows.ts'
import { type Check, sqlCheck } from './check.ts'

const withOrders = `
  trades LEFT JOIN orders AS buy ON buy.serial = buy_order
  LEFT JOIN orders AS sell ON sell.serial = sell_order`
const resting = 'iif(is_sell_incoming, buy.price, sell.price)'
// An amendment that changes the price gives the order a new place in the queue. What it traded
// before was at prices that are not on record any more.
const isOfPresent = (order: string) => `trades.serial > ${order}.queue_serial`
const isRestingPresent = `iif(is_sell_incoming, ${isOfPresent('buy')}, ${isOfPresent('sell')})`
const isNeverMoved = `iif(
  is_sell_incoming, sell.queue_serial = sell.serial, buy.queue_serial = buy.serial)`
const isFeeWrong = (fee: string) => `
  typeof(${fee}) <> 'integer' OR ${fee} < 0 OR ${fee} % (shares * price) <> 0
  OR ${fee} / (shares * price) > 10000`

/** Each leg with its own side, and that of the issuer. */
const own = (column: string, other = false) =>
  `iif((kind = ${MERGE}) = ${other ? 0 : 1}, sell${column}, buy${column})`
const legs = `
  SELECT *, kind = ${MERGE} AS is_merge, ${own('_order')} AS own_order,
    ${own('_order_created_at')} AS own_created_at, ${own('er')} AS own_operator,
    ${own('_order', true)} AS match_serial, ${own('er', true)} AS other_operator,
    ${own('_order_created_at', true)} AS other_created_at, ${own('er_fee', true)} AS other_fee
  FROM trades WHERE kind IN (${MINT}, ${MERGE})`

export const tradeChecks: readonly Check[] = [
  sqlCheck(
    'trade-shares',
    'Trade',
    `SELECT serial, created_at AS time, 'is of ' || as_shares(shares) || ' shares at ' ||
       as_price(price) || '.' AS finding
     FROM trades WHERE shares <= 0 OR price NOT BETWEEN 1 AND 9999`,
  ),
  sqlCheck(
    'trade-orders',
    'Trade',
    `SELECT trades.serial, trades.created_at AS time,
       'does not fit its BUY and its SELL order.' AS finding
     FROM ${withOrders}
     WHERE kind = ${DIRECT} AND (buy.is_sell IS NOT 0 OR sell.is_sell IS NOT 1
       OR buy.market <> trades.market OR sell.market <> trades.market
       OR buy.outcome <> trades.outcome OR sell.outcome <> trades.outcome
       OR buy.operator <> buyer OR sell.operator <> seller
       OR buy.created_at <> buy_order_created_at OR sell.created_at <> sell_order_created_at
       OR max(buy.created_at, sell.created_at) > trades.created_at
       OR (iif(is_sell_incoming, sell.created_at, buy.created_at) <> trades.created_at
         AND ${isNeverMoved}))`,
  ),
  sqlCheck(
    'trade-leg',
    'Trade',
    `SELECT leg.serial, leg.created_at AS time, 'is a leg that does not fit its order.' AS finding
     FROM (${legs}) AS leg LEFT JOIN orders ON orders.serial = own_order
     WHERE orders.is_sell IS NOT is_merge OR orders.market <> leg.market
       OR orders.outcome <> leg.outcome OR orders.operator <> own_operator
       OR orders.created_at <> own_created_at OR orders.created_at > leg.created_at
       OR is_sell_incoming <> is_merge OR other_operator <> ${issuer} OR other_fee <> 0
       OR other_created_at <> leg.created_at OR match_serial >= leg.serial
     UNION ALL
     SELECT serial, created_at, 'is of a kind that there is not.' FROM trades
     WHERE kind NOT BETWEEN ${DIRECT} AND ${MERGE}
       OR (kind = ${DIRECT} AND ${issuer} IN (buyer, seller))`,
  ),
  sqlCheck(
    'trade-match',
    null,
    `SELECT 'The match number ' || match_serial || ' has ' || count(*) || ' legs of ' ||
       as_shares(min(shares)) || ' to ' || as_shares(max(shares)) || ' shares, at ' ||
       as_price(sum(price)) || ' in all.' AS finding
     FROM (${legs}) AS leg
     GROUP BY match_serial
     HAVING min(shares) <> max(shares) OR sum(price) <> ${ticksPerUnit}
       OR count(*) <> count(DISTINCT leg.outcome) OR min(kind) <> max(kind)
       OR count(*) <> (SELECT count(*) FROM outcomes WHERE outcomes.market = min(leg.market))`,
  ),
  sqlCheck(
    'trade-price',
    'Trade',
    `SELECT trades.serial, trades.created_at AS time, 'is at ' || as_price(trades.price) ||
       '; the resting order waited at ' || as_price(${resting}) || '.' AS finding
     FROM ${withOrders} WHERE kind = ${DIRECT} AND trades.price <> ${resting}
       AND ${isRestingPresent}
     UNION ALL
     SELECT trades.serial, trades.created_at, 'is at ' || as_price(trades.price) ||
       ', past the limit of an order.'
     FROM ${withOrders}
     WHERE (buy.price > 0 AND trades.price > buy.price AND ${isOfPresent('buy')})
       OR (trades.price < sell.price AND ${isOfPresent('sell')})`,
  ),
  sqlCheck(
    'trade-fees',
    'Trade',
    `SELECT serial, created_at AS time, 'has fees that no whole rate from 0 to 100 % gives.'
       AS finding
     FROM trades
     WHERE shares * price > 0 AND (${isFeeWrong('buyer_fee')} OR ${isFeeWrong('seller_fee')})`,
  ),
  sqlCheck(
    'trade-window',
    'Trade',
    `SELECT trades.serial, trades.created_at AS time,
       'happened while its market did not trade.' AS finding
     FROM trades JOIN markets ON markets.serial = market
     WHERE trades.created_at < markets.created_at OR markets.status < 2
       OR trades.created_at < trading_starts_at
       OR (trading_ends_at > 0 AND trades.created_at >= trading_ends_at)
       OR trades.created_at > resolution ->> '$.resolvedAt'`,
  ),
  sqlCheck(
    'trade-after-close',
    'Trade',
    `SELECT trades.serial, trades.created_at AS time,
       'happened after its market was closed.' AS finding
     FROM trades JOIN told_markets ON told_markets.serial = market
     WHERE trades.created_at > closed_at`,
  ),
]
