// Checks of the books: of all open orders of an outcome.

import { type Check, sqlCheck } from './check.ts'

const outcomes = 'outcomes LEFT JOIN markets ON markets.serial = outcomes.market_serial'

export const bookChecks: readonly Check[] = [
  sqlCheck(
    'book-crossed',
    'Outcome',
    `SELECT outcomes.serial, markets.created_at AS time, 'has a best bid of ' || as_price(bid) ||
       ' and a best ask of ' || as_price(ask) || '.' AS finding
     FROM (
       SELECT outcome_serial, max(iif(is_sell, NULL, price)) AS bid,
         min(iif(is_sell, price, NULL)) AS ask
       FROM orders WHERE status <= 1 AND price > 0 GROUP BY outcome_serial
     ) AS best JOIN (${outcomes}) ON outcomes.serial = best.outcome_serial WHERE bid >= ask`,
  ),
  sqlCheck(
    'book-ended',
    'Order',
    `SELECT orders.serial, orders.created_at AS time, 'rests in a market that is ' ||
       CASE markets.status WHEN 6 THEN 'SETTLED' WHEN 7 THEN 'CANCELLED' ELSE 'not open yet' END ||
       '.' AS finding
     FROM orders JOIN markets ON markets.serial = orders.market_serial
     LEFT JOIN jobs ON jobs.market_serial = markets.serial
     WHERE orders.status <= 1 AND (
       markets.status < 2 OR markets.status = 6
       OR (markets.status = 7 AND ifnull(jobs.is_done, 1) = 1)
     )`,
  ),
  sqlCheck(
    'book-last-price',
    'Outcome',
    `SELECT outcomes.serial, markets.created_at AS time, 'has the last price ' ||
       as_price(ifnull(last_price, 0)) || '; its last trade is at ' ||
       as_price(ifnull(trades.price, 0)) || '.' AS finding
     FROM ${outcomes} LEFT JOIN books ON books.outcome_serial = outcomes.serial
     LEFT JOIN trades ON trades.serial =
       (SELECT max(key_serial) FROM trades_of_outcome WHERE key_outcome_serial = outcomes.serial)
     WHERE ifnull(last_price, 0) <> ifnull(trades.price, 0)`,
  ),
]
