// Sums and counts that are kept, held against what they sum up.

import { MERGE, MINT } from '../../../core/words.ts'
import { issuer } from '../../rows.ts'
import { type Check, sqlCheck } from './check.ts'

const everyTally = `
  SELECT operator, market, count(*) AS orders, 0 AS trades FROM orders GROUP BY operator, market
  UNION ALL SELECT operator, 0, count(*), 0 FROM orders GROUP BY operator
  UNION ALL SELECT buyer, market, 0, count(*) FROM trades WHERE buyer <> ${issuer}
    GROUP BY buyer, market
  UNION ALL SELECT buyer, 0, 0, count(*) FROM trades WHERE buyer <> ${issuer} GROUP BY buyer
  UNION ALL SELECT seller, market, 0, count(*) FROM trades
    WHERE seller NOT IN (buyer, ${issuer}) GROUP BY seller, market
  UNION ALL SELECT seller, 0, 0, count(*) FROM trades
    WHERE seller NOT IN (buyer, ${issuer}) GROUP BY seller`

/** Complete sets by request, and by matching: each match once, whatever its legs. */
const everySet = `
  SELECT market, is_redeem, shares FROM sets
  UNION ALL
  SELECT market, kind = ${MERGE}, min(shares) FROM trades WHERE kind IN (${MINT}, ${MERGE})
  GROUP BY market, kind, iif(kind = ${MERGE}, buy_order, sell_order)`

export const sumChecks: readonly Check[] = [
  sqlCheck(
    'market-counters',
    'Market',
    `SELECT markets.serial, created_at AS time, 'counts ' || ifnull(trade_count, 'no') ||
       ' trades of ' || as_shares(volume) || ' shares; there are ' || trades || ' of ' ||
       as_shares(traded) || '.' AS finding
     FROM (
       SELECT m.serial, created_at, counters.volume, trade_count,
         (SELECT count(*) FROM trades WHERE market = m.serial) AS trades,
         (SELECT ifnull(sum(shares), 0) FROM trades WHERE market = m.serial) AS traded
       FROM markets AS m LEFT JOIN market_counters AS counters ON counters.market = m.serial
     ) AS markets
     WHERE trade_count IS NOT trades OR CAST(volume AS INTEGER) IS NOT traded`,
  ),
  sqlCheck(
    'market-sets',
    'Market',
    `SELECT markets.serial, created_at AS time, 'counts ' || as_shares(sets_minted) ||
       ' sets minted and ' || as_shares(sets_redeemed) || ' redeemed; its records add up to ' ||
       as_shares(ifnull(minted, 0)) || ' and ' || as_shares(ifnull(redeemed, 0)) || '.' AS finding
     FROM markets JOIN market_counters ON market_counters.market = markets.serial
     LEFT JOIN (
       SELECT market, sum(iif(is_redeem, 0, shares)) AS minted,
         sum(iif(is_redeem, shares, 0)) AS redeemed
       FROM (${everySet}) GROUP BY market
     ) AS made ON made.market = markets.serial
     WHERE CAST(sets_minted AS INTEGER) <> ifnull(minted, 0)
       OR CAST(sets_redeemed AS INTEGER) <> ifnull(redeemed, 0)`,
  ),
  sqlCheck(
    'tallies',
    null,
    `SELECT 'Operator ' || ifnull(operators.id, 'number ' || operator) || ' is said to have ' ||
       sum(told_orders) || ' orders and ' || sum(told_trades) || ' trades in ' ||
       iif(market = 0, 'all markets', 'market number ' || market) || '; there are ' ||
       sum(orders) || ' and ' || sum(trades) || '.' AS finding
     FROM (
       SELECT operator, market, orders, trades, 0 AS told_orders, 0 AS told_trades
       FROM (${everyTally})
       UNION ALL SELECT operator, market, 0, 0, orders, trades FROM tallies
     ) LEFT JOIN operators ON operators.number = operator
     GROUP BY operator, market
     HAVING sum(orders) <> sum(told_orders) OR sum(trades) <> sum(told_trades)`,
  ),
  sqlCheck(
    'candles',
    null,
    `SELECT 'The candle of outcome number ' || outcome || ' at minute ' || minute || ' with ' ||
       width || ' minutes is not what its trades make.' AS finding
     FROM (
       SELECT m.outcome, width, minute, f.price AS open, high, low, l.price AS close, m.shares,
         trades
       FROM (
         SELECT outcome, column1 AS width,
           created_at / 60000 - created_at / 60000 % column1 AS minute, min(serial) AS first,
           max(serial) AS last, max(price) AS high, min(price) AS low, sum(shares) AS shares,
           count(*) AS trades
         FROM trades, (VALUES (1), (5), (60), (1440)) GROUP BY outcome, width, minute
       ) AS m JOIN trades AS f ON f.serial = first JOIN trades AS l ON l.serial = last
       UNION ALL
       SELECT outcome, width, minute, open, high, low, close, shares, trades FROM candles
     ) GROUP BY outcome, width, minute
     HAVING count(*) <> 2 OR min(open) <> max(open) OR min(high) <> max(high)
       OR min(low) <> max(low) OR min(close) <> max(close) OR min(shares) <> max(shares)
       OR min(trades) <> max(trades)`,
  ),
]
