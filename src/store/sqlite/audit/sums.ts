// Checks of stored sums and counts against the records that they sum up.

import { MERGE, MINT } from '../../../core/words.ts'
import { issuer } from '../../rows.ts'
import { type Check, sqlCheck } from './check.ts'

const everyTally = `
  SELECT operator_number, market_serial, count(*) AS orders, 0 AS trades FROM orders
    GROUP BY operator_number, market_serial
  UNION ALL SELECT operator_number, 0, count(*), 0 FROM orders GROUP BY operator_number
  UNION ALL SELECT buyer_number, market_serial, 0, count(*) FROM trades
    WHERE buyer_number <> ${issuer} GROUP BY buyer_number, market_serial
  UNION ALL SELECT buyer_number, 0, 0, count(*) FROM trades
    WHERE buyer_number <> ${issuer} GROUP BY buyer_number
  UNION ALL SELECT seller_number, market_serial, 0, count(*) FROM trades
    WHERE seller_number NOT IN (buyer_number, ${issuer}) GROUP BY seller_number, market_serial
  UNION ALL SELECT seller_number, 0, 0, count(*) FROM trades
    WHERE seller_number NOT IN (buyer_number, ${issuer}) GROUP BY seller_number`

/** Complete sets by request and by matching: each match once, whatever its legs. */
const everySet = `
  SELECT market_serial, is_redeem, shares FROM sets
  UNION ALL
  SELECT market_serial, kind = ${MERGE}, min(shares) FROM trades WHERE kind IN (${MINT}, ${MERGE})
  GROUP BY market_serial, kind, iif(kind = ${MERGE}, buy_order_serial, sell_order_serial)`

export const sumChecks: readonly Check[] = [
  sqlCheck(
    'market-counters',
    'Market',
    `SELECT markets.serial, created_at AS time, 'counts ' || ifnull(trade_count, 'no') ||
       ' trades of ' || as_shares(volume) || ' shares; there are ' || trades || ' of ' ||
       as_shares(traded) || '.' AS finding
     FROM (
       SELECT m.serial, created_at, counters.volume, trade_count,
         (SELECT count(*) FROM trades WHERE market_serial = m.serial) AS trades,
         (SELECT ifnull(sum(shares), 0) FROM trades WHERE market_serial = m.serial) AS traded
       FROM markets AS m LEFT JOIN market_counters AS counters ON counters.market_serial = m.serial
     ) AS markets
     WHERE trade_count IS NOT trades OR CAST(volume AS INTEGER) IS NOT traded`,
  ),
  sqlCheck(
    'market-sets',
    'Market',
    `SELECT markets.serial, created_at AS time, 'counts ' || as_shares(sets_minted) ||
       ' sets minted and ' || as_shares(sets_redeemed) || ' redeemed; its records add up to ' ||
       as_shares(ifnull(minted, 0)) || ' and ' || as_shares(ifnull(redeemed, 0)) || '.' AS finding
     FROM markets JOIN market_counters ON market_counters.market_serial = markets.serial
     LEFT JOIN (
       SELECT market_serial, sum(iif(is_redeem, 0, shares)) AS minted,
         sum(iif(is_redeem, shares, 0)) AS redeemed
       FROM (${everySet}) GROUP BY market_serial
     ) AS made ON made.market_serial = markets.serial
     WHERE CAST(sets_minted AS INTEGER) <> ifnull(minted, 0)
       OR CAST(sets_redeemed AS INTEGER) <> ifnull(redeemed, 0)`,
  ),
  sqlCheck(
    'tallies',
    null,
    `SELECT 'Operator ' || ifnull(operators.id, 'number ' || operator_number) ||
       ' has tallies of ' || sum(tallied_orders) || ' orders and ' ||
       sum(tallied_trades) || ' trades in ' ||
       iif(market_serial = 0, 'all markets', 'market number ' || market_serial) || '; there are ' ||
       sum(orders) || ' and ' || sum(trades) || '.' AS finding
     FROM (
       SELECT operator_number, market_serial, orders, trades,
         0 AS tallied_orders, 0 AS tallied_trades
       FROM (${everyTally})
       UNION ALL SELECT operator_number, market_serial, 0, 0, orders, trades FROM tallies
     ) LEFT JOIN operators ON operators.number = operator_number
     GROUP BY operator_number, market_serial
     HAVING sum(orders) <> sum(tallied_orders) OR sum(trades) <> sum(tallied_trades)`,
  ),
  sqlCheck(
    'candles',
    null,
    `SELECT 'The candle of outcome number ' || outcome_serial || ' at minute ' || minute ||
       ' with ' || width || ' minutes does not match its trades.' AS finding
     FROM (
       SELECT m.outcome_serial, width, minute, f.price AS open, high, low, l.price AS close,
         m.shares, trades
       FROM (
         SELECT outcome_serial, column1 AS width,
           created_at / 60000 - created_at / 60000 % column1 AS minute, min(serial) AS first,
           max(serial) AS last, max(price) AS high, min(price) AS low, sum(shares) AS shares,
           count(*) AS trades
         FROM trades, (VALUES (1), (5), (60), (1440)) GROUP BY outcome_serial, width, minute
       ) AS m JOIN trades AS f ON f.serial = first JOIN trades AS l ON l.serial = last
       UNION ALL
       SELECT outcome_serial, width, minute, open, high, low, close, shares, trades FROM candles
     ) GROUP BY outcome_serial, width, minute
     HAVING count(*) <> 2 OR min(open) <> max(open) OR min(high) <> max(high)
       OR min(low) <> max(low) OR min(close) <> max(close) OR min(shares) <> max(shares)
       OR min(trades) <> max(trades)`,
  ),
]
