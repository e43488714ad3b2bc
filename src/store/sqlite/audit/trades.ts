// Checks of trades, alone and against their orders: two, or one for a leg of a match by complete
// sets, which has the issuer on its other side.

import { ticksPerUnit } from '../../../core/money.ts'
import { DIRECT, MERGE, MINT } from '../../../core/words.ts'
import { issuer } from '../../rows.ts'
import { type Check, sqlCheck } from './check.ts'

const withOrders = `
  trades LEFT JOIN orders AS buy ON buy.serial = buy_order_serial
  LEFT JOIN orders AS sell ON sell.serial = sell_order_serial`
const resting = 'iif(is_sell_incoming, buy.price, sell.price)'
// An amendment that changes the price gives the order a new queue serial. The limit of its earlier
// trades is not stored.
const isOfPresent = (order: string) => `trades.serial > ${order}.queue_serial`
const isRestingPresent = `iif(is_sell_incoming, ${isOfPresent('buy')}, ${isOfPresent('sell')})`
const isNeverMoved = `iif(
  is_sell_incoming, sell.queue_serial = sell.serial, buy.queue_serial = buy.serial)`
const isFeeWrong = (fee: string) => `
  typeof(${fee}) <> 'integer' OR NOT may_be_fee(${fee}, shares, price)`

/** Each leg with its own side and the side of the issuer. */
const own = (column: string, other = false) =>
  `iif((kind = ${MERGE}) = ${other ? 0 : 1}, sell${column}, buy${column})`
const legs = `
  SELECT *, kind = ${MERGE} AS is_merge, ${own('_order_serial')} AS own_order,
    ${own('_order_created_at')} AS own_created_at, ${own('er_number')} AS own_operator,
    ${own('_order_serial', true)} AS match_serial, ${own('er_number', true)} AS other_operator,
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
       'does not match its BUY and its SELL order.' AS finding
     FROM ${withOrders}
     WHERE kind = ${DIRECT} AND (buy.is_sell IS NOT 0 OR sell.is_sell IS NOT 1
       OR buy.market_serial <> trades.market_serial OR sell.market_serial <> trades.market_serial
       OR buy.outcome_serial <> trades.outcome_serial
       OR sell.outcome_serial <> trades.outcome_serial
       OR buy.operator_number <> buyer_number OR sell.operator_number <> seller_number
       OR buy.created_at <> buy_order_created_at OR sell.created_at <> sell_order_created_at
       OR max(buy.created_at, sell.created_at) > trades.created_at
       OR (iif(is_sell_incoming, sell.created_at, buy.created_at) <> trades.created_at
         AND ${isNeverMoved}))`,
  ),
  sqlCheck(
    'trade-leg',
    'Trade',
    `SELECT leg.serial, leg.created_at AS time, 'is a leg that does not match its order.' AS finding
     FROM (${legs}) AS leg LEFT JOIN orders ON orders.serial = own_order
     WHERE orders.is_sell IS NOT is_merge OR orders.market_serial <> leg.market_serial
       OR orders.outcome_serial <> leg.outcome_serial OR orders.operator_number <> own_operator
       OR orders.created_at <> own_created_at OR orders.created_at > leg.created_at
       OR is_sell_incoming <> is_merge OR other_operator <> ${issuer} OR other_fee <> 0
       OR other_created_at <> leg.created_at OR match_serial >= leg.serial
     UNION ALL
     SELECT serial, created_at, 'has an unknown kind.' FROM trades
     WHERE kind NOT BETWEEN ${DIRECT} AND ${MERGE}
       OR (kind = ${DIRECT} AND ${issuer} IN (buyer_number, seller_number))`,
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
       OR count(*) <> count(DISTINCT leg.outcome_serial) OR min(kind) <> max(kind)
       OR count(*) <> (
         SELECT count(*) FROM outcomes WHERE outcomes.market_serial = min(leg.market_serial)
       )`,
  ),
  sqlCheck(
    'trade-price',
    'Trade',
    `SELECT trades.serial, trades.created_at AS time, 'is at ' || as_price(trades.price) ||
       '; the limit of the resting order is ' || as_price(${resting}) || '.' AS finding
     FROM ${withOrders} WHERE kind = ${DIRECT} AND trades.price <> ${resting}
       AND ${isRestingPresent}
     UNION ALL
     SELECT trades.serial, trades.created_at, 'is at ' || as_price(trades.price) ||
       ', beyond the limit of an order.'
     FROM ${withOrders}
     WHERE (buy.price > 0 AND trades.price > buy.price AND ${isOfPresent('buy')})
       OR (trades.price < sell.price AND ${isOfPresent('sell')})`,
  ),
  sqlCheck(
    'trade-fees',
    'Trade',
    `SELECT serial, created_at AS time, 'has fees that do not match a rate from 0 to 100 %.'
       AS finding
     FROM trades
     WHERE shares > 0 AND price BETWEEN 1 AND 9999
       AND (${isFeeWrong('buyer_fee')} OR ${isFeeWrong('seller_fee')})`,
  ),
  sqlCheck(
    'trade-window',
    'Trade',
    `SELECT trades.serial, trades.created_at AS time,
       'happened while its market was not open.' AS finding
     FROM trades JOIN markets ON markets.serial = market_serial
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
     FROM trades JOIN published_markets ON published_markets.serial = market_serial
     WHERE trades.created_at > closed_at`,
  ),
]
