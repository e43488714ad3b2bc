// Checks of the stored events: no gap, no step back in time, and exactly the events that belong to
// the records which changed since the first of them.

import { decimals, numberOf as numberFrom } from '../../../core/money.ts'
import { DIRECT } from '../../../core/words.ts'
import { exactOf, numberOf, serialOf } from '../../sql/cells.ts'
import { type Check, type Snapshot, sqlCheck } from './check.ts'
import { EventBooks } from './event-books.ts'
import { eventTables, expandEvents } from './event-tables.ts'

const named = (column: string) => `ifnull(operators.id, 'number ' || ${column})`

/** In this order: the checks after event-body read the tables that it fills. */
export function eventChecks(): readonly Check[] {
  const books = new EventBooks()
  const body: Check = {
    name: 'event-body',
    // Three fifths of the time, over 50,000 orders.
    weight: 60,
    run: (snapshot) => {
      snapshot.database.exec(eventTables)
      return expandEvents(snapshot, books)
    },
  }
  const folded: Check = { name: 'event-books', run: (snapshot) => books.findings(snapshot) }
  return [...recordChecks, body, folded, ...publishedChecks]
}

const recordChecks: readonly Check[] = [
  sqlCheck(
    'event-sequence',
    null,
    `SELECT 'The events of operator ' || ${named('operator_number')} || ' from ' ||
       first_sequence || ' do not follow those to ' || before || '.' AS finding
     FROM (
       SELECT *, lag(last_sequence) OVER (
         PARTITION BY operator_number ORDER BY first_sequence
       ) AS before
       FROM event_records
     ) LEFT JOIN operators ON operators.number = operator_number
     WHERE first_sequence <> before + 1 OR last_sequence < first_sequence
     UNION ALL
     SELECT 'The last event of operator ' || ${named('operator_number')} || ' is ' || last ||
       '; expected ' || ifnull(event_sequence, 0) || '.'
     FROM (
       SELECT operator_number, max(last_sequence) AS last FROM event_records
       GROUP BY operator_number
     ) LEFT JOIN event_sequences USING (operator_number)
     LEFT JOIN operators ON operators.number = operator_number
     WHERE last <> ifnull(event_sequence, 0)`,
  ),
  sqlCheck(
    'event-time',
    null,
    `SELECT 'The events of operator ' || ${named('operator_number')} || ' from ' ||
       first_sequence || ' are older than those before them, or in the future.' AS finding
     FROM (
       SELECT operator_number, first_sequence, created_at,
         lag(created_at) OVER (PARTITION BY operator_number ORDER BY first_sequence) AS before
       FROM event_records
     ) AS record LEFT JOIN operators ON operators.number = operator_number
     WHERE record.created_at < before OR record.created_at > (SELECT max(now) FROM head)`,
  ),
  sqlCheck(
    'event-chunks',
    null,
    `SELECT 'The chunk of events ' || chunk || ' of operator ' || ${named('operator_number')} ||
       ' lacks types of its events.' AS finding
     FROM (
       SELECT DISTINCT t.operator_number, t.first_sequence / 1024 AS chunk FROM event_records AS t
       LEFT JOIN event_chunks AS c
         ON c.operator_number = t.operator_number AND c.chunk = t.first_sequence / 1024
       WHERE t.types & ~ifnull(c.types, 0) <> 0
     ) LEFT JOIN operators ON operators.number = operator_number
     UNION ALL
     SELECT 'The chunk of events ' || chunk || ' of operator ' || ${named('operator_number')} ||
       ' has no events.'
     FROM event_chunks AS c LEFT JOIN operators ON operators.number = operator_number
     WHERE NOT EXISTS (
       SELECT 1 FROM event_records WHERE operator_number = c.operator_number
         AND first_sequence >= chunk * 1024 AND first_sequence < (chunk + 1) * 1024
     )`,
  ),
]

const inWindow = (table: string, time: string) =>
  `JOIN windows ON windows.operator_number = ${table}.operator_number
   WHERE ${table}.${time} >= since`

const publishedChecks: readonly Check[] = [
  sqlCheck(
    'event-placed',
    'Order',
    `SELECT o.serial, o.created_at AS time, 'has ' || ifnull(placed, 0) || ' ORDER_PLACED.'
       AS finding
     FROM orders AS o
     LEFT JOIN published_orders AS t
       ON t.operator_number = o.operator_number AND t.serial = o.serial
     ${inWindow('o', 'created_at')} AND ifnull(placed, 0) <> 1
     UNION ALL
     SELECT o.serial, o.created_at, 'was published as matched or cancelled before it was placed.'
     FROM published_orders AS t JOIN orders AS o ON o.serial = t.serial WHERE is_late = 1`,
  ),
  sqlCheck(
    'event-matched',
    'Trade',
    `SELECT t.serial, t.created_at AS time, 'has ' || ifnull(times, 0) ||
       ' matching ORDER_MATCHED for its ' || side || ' order.' AS finding
     FROM (
       SELECT serial, created_at, buyer_number AS operator_number,
         buy_order_serial AS order_serial, price, shares, 'BUY' AS side FROM trades
       UNION ALL
       SELECT serial, created_at, seller_number, sell_order_serial, price, shares, 'SELL'
       FROM trades
     ) AS t LEFT JOIN published_trades AS p ON p.operator_number = t.operator_number
       AND p.serial = t.serial AND p.order_serial = t.order_serial
       AND p.price = t.price AND p.shares = t.shares
     ${inWindow('t', 'created_at')} AND ifnull(times, 0) <> 1
     UNION ALL
     SELECT p.serial, NULL, 'was published and does not exist.'
     FROM published_trades AS p LEFT JOIN trades ON trades.serial = p.serial
     WHERE trades.serial IS NULL`,
  ),
  sqlCheck(
    'event-parts',
    'Trade',
    `SELECT t.serial, t.created_at AS time,
       'was published with another fee or role of its ' || side || ' order.' AS finding
     FROM (
       SELECT serial, created_at, buyer_number AS operator_number, buy_order_serial AS order_serial,
         'BUY' AS side, buyer_fee AS fee,
         iif(kind = ${DIRECT}, is_sell_incoming = 0, serial = sell_order_serial + 1) AS is_taker
       FROM trades
       UNION ALL
       SELECT serial, created_at, seller_number, sell_order_serial, 'SELL', seller_fee,
         iif(kind = ${DIRECT}, is_sell_incoming = 1, serial = buy_order_serial + 1)
       FROM trades
     ) AS t JOIN published_trades AS p ON p.operator_number = t.operator_number
       AND p.serial = t.serial AND p.order_serial = t.order_serial
     WHERE p.fee <> t.fee / 1e${decimals.fee} OR p.role <> iif(is_taker, 'TAKER', 'MAKER')`,
  ),
  sqlCheck(
    'event-closed',
    'Order',
    `SELECT o.serial, o.created_at AS time, 'is CANCELLED or EXPIRED with ' || ifnull(closed, 0) ||
       ' ORDER_CANCELLED of that status.' AS finding
     FROM orders AS o LEFT JOIN published_orders AS t
       ON t.operator_number = o.operator_number AND t.serial = o.serial AND t.status = o.status
     ${inWindow('o', 'updated_at')} AND o.status IN (3, 4) AND ifnull(closed, 0) <> 1
     UNION ALL
     SELECT o.serial, o.created_at, 'was published as closed and is not.'
     FROM published_orders AS t JOIN orders AS o ON o.serial = t.serial
     WHERE closed > 0 AND o.status NOT IN (3, 4)`,
  ),
  sqlCheck(
    'event-owners',
    null,
    `SELECT 'Operator ' || ${named('t.operator_number')} || ' received order number ' || t.serial ||
       ', which is not its own or has another id.' AS finding
     FROM published_orders AS t LEFT JOIN orders AS o ON o.serial = t.serial
     LEFT JOIN operators ON operators.number = t.operator_number
     WHERE o.operator_number IS NOT t.operator_number OR o.created_at <> t.time
     UNION ALL
     SELECT 'Operator ' || ${named('t.operator_number')} || ' received order number ' || t.serial ||
       ' with player "' || t.player_id || '" and transactionId "' || t.transaction_id ||
       '", which are not those of the order.'
     FROM published_placers AS t JOIN orders AS o ON o.serial = t.serial
     LEFT JOIN operators ON operators.number = t.operator_number
     WHERE o.player_id <> t.player_id OR ifnull(o.transaction_id, '') <> t.transaction_id
     UNION ALL
     SELECT 'Operator ' || ${named('t.operator_number')} || ' received position number ' ||
       t.serial ||
       ' of player "' || t.player_id || '", which is not its own.'
     FROM published_positions AS t LEFT JOIN positions AS p ON p.serial = t.serial
     LEFT JOIN operators ON operators.number = t.operator_number
     WHERE p.operator_number IS NOT t.operator_number OR p.player_id <> t.player_id
     UNION ALL
     SELECT 'Operator ' || ${named('t.operator_number')} || ' received settlement number ' ||
       t.serial || ' of player "' || t.player_id || '", which is not its own.'
     FROM published_settlements AS t LEFT JOIN settlements AS s ON s.serial = t.serial
     LEFT JOIN operators ON operators.number = t.operator_number
     WHERE s.operator_number IS NOT t.operator_number OR s.player_id <> t.player_id`,
  ),
  { name: 'event-positions', run: positionFindings },
  sqlCheck(
    'event-settlements',
    'Settlement',
    `SELECT s.serial, s.created_at AS time, 'was not published, or with another payout.' AS finding
     FROM settlements AS s LEFT JOIN published_settlements AS t
       ON t.operator_number = s.operator_number AND t.serial = s.serial
     ${inWindow('s', 'created_at')} AND
       (t.serial IS NULL OR abs(payout * 1000000 - s.shares * payout_per_share) > 0.5)`,
  ),
  sqlCheck(
    'event-markets',
    'Market',
    `SELECT markets.serial, created_at AS time, 'has another status than was last published.'
       AS finding
     FROM published_markets AS t JOIN markets ON markets.serial = t.serial
     WHERE markets.status <> t.status
     UNION ALL
     SELECT markets.serial, created_at, 'has another end of trading than was last published.'
     FROM published_markets AS t JOIN markets ON markets.serial = t.serial
     WHERE markets.trading_ends_at <> t.ends_at
     UNION ALL
     SELECT markets.serial, created_at, 'has another price band than was last published.'
     FROM published_bands AS t JOIN markets ON markets.serial = t.serial
     WHERE CASE WHEN price_band IS NULL THEN t.max_move <> 0 WHEN json_valid(price_band) THEN
       price_band ->> '$.maxMove' <> t.max_move OR price_band ->> '$.suspendOnBand' <> t.suspends
       END`,
  ),
]

// Compared as JSON numbers: an event has the number that is nearest to a sum.
function* positionFindings({ database, ids }: Snapshot): Iterable<string> {
  const rows = database
    .prepare(
      `SELECT p.serial, p.created_at, p.shares, p.cost, p.profit, t.serial AS published,
         t.shares AS published_shares, t.cost AS published_cost, t.profit AS published_profit
       FROM positions AS p JOIN windows ON windows.operator_number = p.operator_number
       LEFT JOIN published_positions AS t ON t.operator_number = p.operator_number
         AND t.serial = p.serial
       WHERE t.serial IS NOT NULL OR p.updated_at >= since`,
    )
    .iterate()
  for (const cells of rows) {
    const isSame =
      cells.published_shares === numberFrom(numberOf(cells.shares), decimals.shares) &&
      cells.published_cost === numberFrom(exactOf(cells.cost), decimals.money) &&
      cells.published_profit === numberFrom(exactOf(cells.profit), decimals.money)
    if (isSame) continue
    const id = ids.textOf(serialOf(cells.serial), numberOf(cells.created_at))
    if (cells.published === null) yield `Position ${id} was changed and not published.`
    else yield `Position ${id} differs from what was last published.`
  }
}
