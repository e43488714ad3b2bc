// What must hold of the events that are kept: no gap, no way back in time, and of everything that
// happened since the first of them exactly what it takes to know of it.

import { decimals, numberOf as numberFrom } from '../../../core/money.ts'
import { exactOf, numberOf } from '../../sql/cells.ts'
import { type Check, type Scene, sqlCheck } from './check.ts'
import { EventBooks } from './event-books.ts'
import { eventTables, noteEvents } from './event-tables.ts'

const named = (column: string) => `ifnull(operators.id, 'number ' || ${column})`

/** In this order: what the first of the second group reads is what the others look at. */
export function eventChecks(): readonly Check[] {
  const books = new EventBooks()
  const body: Check = {
    name: 'event-body',
    // Three fifths of the time, over 50,000 orders.
    weight: 60,
    run: (scene) => {
      scene.database.exec(eventTables)
      return noteEvents(scene, books)
    },
  }
  const folded: Check = { name: 'event-books', run: (scene) => books.findings(scene) }
  return [...recordChecks, body, folded, ...publishedChecks]
}

const recordChecks: readonly Check[] = [
  sqlCheck(
    'event-sequence',
    null,
    `SELECT 'The events of operator ' || ${named('operator')} || ' from ' || first_sequence ||
       ' do not follow those to ' || before || '.' AS finding
     FROM (
       SELECT *, lag(last_sequence) OVER (PARTITION BY operator ORDER BY first_sequence) AS before
       FROM tellings
     ) LEFT JOIN operators ON operators.number = operator
     WHERE first_sequence <> before + 1 OR last_sequence < first_sequence
     UNION ALL
     SELECT 'The last event of operator ' || ${named('operator')} || ' is ' || last ||
       ' and not ' || ifnull(sequence, 0) || '.'
     FROM (SELECT operator, max(last_sequence) AS last FROM tellings GROUP BY operator)
     LEFT JOIN sequences USING (operator) LEFT JOIN operators ON operators.number = operator
     WHERE last <> ifnull(sequence, 0)`,
  ),
  sqlCheck(
    'event-time',
    null,
    `SELECT 'The events of operator ' || ${named('operator')} || ' from ' || first_sequence ||
       ' are older than those before them, or of the future.' AS finding
     FROM (
       SELECT operator, first_sequence, created_at,
         lag(created_at) OVER (PARTITION BY operator ORDER BY first_sequence) AS before
       FROM tellings
     ) AS told LEFT JOIN operators ON operators.number = operator
     WHERE told.created_at < before OR told.created_at > (SELECT max(now) FROM shards)`,
  ),
  sqlCheck(
    'event-chunks',
    null,
    `SELECT 'The chunk of events ' || chunk || ' of operator ' || ${named('operator')} ||
       ' hides what is told there.' AS finding
     FROM (
       SELECT DISTINCT t.operator, t.first_sequence / 1024 AS chunk FROM tellings AS t
       LEFT JOIN telling_chunks AS c
         ON c.operator = t.operator AND c.chunk = t.first_sequence / 1024
       WHERE t.types & ~ifnull(c.types, 0) <> 0
     ) LEFT JOIN operators ON operators.number = operator
     UNION ALL
     SELECT 'The chunk of events ' || chunk || ' of operator ' || ${named('operator')} ||
       ' is empty.'
     FROM telling_chunks AS c LEFT JOIN operators ON operators.number = operator
     WHERE NOT EXISTS (
       SELECT 1 FROM tellings WHERE operator = c.operator
         AND first_sequence >= chunk * 1024 AND first_sequence < (chunk + 1) * 1024
     )`,
  ),
]

const inWindow = (table: string, time: string) =>
  `JOIN windows ON windows.operator = ${table}.operator WHERE ${table}.${time} >= since`

const publishedChecks: readonly Check[] = [
  sqlCheck(
    'event-placed',
    'Order',
    `SELECT o.serial, o.created_at AS time, 'has ' || ifnull(placed, 0) || ' ORDER_PLACED.'
       AS finding
     FROM orders AS o LEFT JOIN told_orders AS t ON t.operator = o.operator AND t.serial = o.serial
     ${inWindow('o', 'created_at')} AND ifnull(placed, 0) <> 1
     UNION ALL
     SELECT o.serial, o.created_at, 'was told of as matched or cancelled before it was placed.'
     FROM told_orders AS t JOIN orders AS o ON o.serial = t.serial WHERE is_late = 1`,
  ),
  sqlCheck(
    'event-matched',
    'Trade',
    `SELECT t.serial, t.created_at AS time, 'has ' || ifnull(times, 0) ||
       ' ORDER_MATCHED that fit it for its ' || side || ' order.' AS finding
     FROM (
       SELECT serial, created_at, buyer AS operator, buy_order AS told_order, price, shares,
         'BUY' AS side FROM trades
       UNION ALL SELECT serial, created_at, seller, sell_order, price, shares, 'SELL' FROM trades
     ) AS t LEFT JOIN told_trades AS told ON told.operator = t.operator
       AND told.serial = t.serial AND told.order_serial = told_order
       AND told.price = t.price AND told.shares = t.shares
     ${inWindow('t', 'created_at')} AND ifnull(times, 0) <> 1
     UNION ALL
     SELECT told.serial, NULL, 'was told of and is not there.'
     FROM told_trades AS told LEFT JOIN trades ON trades.serial = told.serial
     WHERE trades.serial IS NULL`,
  ),
  sqlCheck(
    'event-closed',
    'Order',
    `SELECT o.serial, o.created_at AS time, 'is CANCELLED or EXPIRED with ' || ifnull(closed, 0) ||
       ' ORDER_CANCELLED of that status.' AS finding
     FROM orders AS o LEFT JOIN told_orders AS t
       ON t.operator = o.operator AND t.serial = o.serial AND t.status = o.status
     ${inWindow('o', 'updated_at')} AND o.status IN (3, 4) AND ifnull(closed, 0) <> 1
     UNION ALL
     SELECT o.serial, o.created_at, 'was told of as closed and is not.'
     FROM told_orders AS t JOIN orders AS o ON o.serial = t.serial
     WHERE closed > 0 AND o.status NOT IN (3, 4)`,
  ),
  sqlCheck(
    'event-owners',
    null,
    `SELECT 'Operator ' || ${named('t.operator')} || ' was told of order number ' || t.serial ||
       ', which is not its own or has another id.' AS finding
     FROM told_orders AS t LEFT JOIN orders AS o ON o.serial = t.serial
     LEFT JOIN operators ON operators.number = t.operator
     WHERE o.operator IS NOT t.operator OR o.created_at <> t.time
     UNION ALL
     SELECT 'Operator ' || ${named('t.operator')} || ' was told of position number ' || t.serial ||
       ' of player "' || t.player_id || '", which is not its own.'
     FROM told_positions AS t LEFT JOIN positions AS p ON p.serial = t.serial
     LEFT JOIN operators ON operators.number = t.operator
     WHERE p.operator IS NOT t.operator OR p.player_id <> t.player_id
     UNION ALL
     SELECT 'Operator ' || ${named('t.operator')} || ' was told of settlement number ' ||
       t.serial || ' of player "' || t.player_id || '", which is not its own.'
     FROM told_settlements AS t LEFT JOIN settlements AS s ON s.serial = t.serial
     LEFT JOIN operators ON operators.number = t.operator
     WHERE s.operator IS NOT t.operator OR s.player_id <> t.player_id`,
  ),
  { name: 'event-positions', run: positionFindings },
  sqlCheck(
    'event-settlements',
    'Settlement',
    `SELECT s.serial, s.created_at AS time, 'was not told of, or otherwise than it is.' AS finding
     FROM settlements AS s LEFT JOIN told_settlements AS t
       ON t.operator = s.operator AND t.serial = s.serial
     ${inWindow('s', 'created_at')} AND
       (t.serial IS NULL OR abs(payout * 1000000 - s.shares * payout_per_share) > 0.5)`,
  ),
  sqlCheck(
    'event-markets',
    'Market',
    `SELECT markets.serial, created_at AS time, 'has another status than was told of it last.'
       AS finding
     FROM told_markets AS t JOIN markets ON markets.serial = t.serial
     WHERE markets.status <> t.status`,
  ),
]

// Compared as they are written: events have the JSON number that is nearest to a sum.
function* positionFindings({ database, ids }: Scene): Iterable<string> {
  const rows = database
    .prepare(
      `SELECT p.serial, p.created_at, p.shares, p.cost, p.profit, t.serial AS told,
         t.shares AS told_shares, t.cost AS told_cost, t.profit AS told_profit
       FROM positions AS p JOIN windows ON windows.operator = p.operator
       LEFT JOIN told_positions AS t ON t.operator = p.operator AND t.serial = p.serial
       WHERE t.serial IS NOT NULL OR p.updated_at >= since`,
    )
    .iterate()
  for (const cells of rows) {
    const isSame =
      cells.told_shares === numberFrom(numberOf(cells.shares), decimals.shares) &&
      cells.told_cost === numberFrom(exactOf(cells.cost), decimals.money) &&
      cells.told_profit === numberFrom(exactOf(cells.profit), decimals.money)
    if (isSame) continue
    const id = ids.textOf(numberOf(cells.serial), numberOf(cells.created_at))
    if (cells.told === null) yield `Position ${id} was changed and not told of.`
    else yield `Position ${id} is not what was told of it last.`
  }
}
