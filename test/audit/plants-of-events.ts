// Corruptions of events: statements that a healthy database never sees.

import { anEventRecord, anOrder, aPosition, aTrade, open, PLACED, type Plant } from './plant.ts'

export const plantsOfEvents: readonly Plant[] = [
  {
    check: 'event-sequence',
    title: 'a telling is missing',
    sql: `DELETE FROM tellings WHERE operator = 1 AND first_sequence = (SELECT first_sequence
      FROM tellings WHERE operator = 1 ORDER BY first_sequence LIMIT 1 OFFSET 20)`,
  },
  {
    check: 'event-sequence',
    title: 'the last telling is missing',
    sql: `DELETE FROM tellings WHERE operator = 2 AND first_sequence =
      (SELECT max(first_sequence) FROM tellings WHERE operator = 2)`,
  },
  {
    check: 'event-time',
    title: 'an event is older than the one before',
    sql: `UPDATE tellings SET created_at = created_at - 1 WHERE ${anEventRecord(PLACED)}`,
  },
  {
    check: 'event-time',
    title: 'an event is of the future',
    sql: `UPDATE tellings SET created_at = created_at + 100000
      WHERE operator = 2 AND first_sequence =
      (SELECT max(first_sequence) FROM tellings WHERE operator = 2)`,
  },
  {
    check: 'event-chunks',
    title: 'a chunk hides a type that is told in it',
    sql: `UPDATE telling_chunks SET types = types & ~(1 << ${PLACED}) WHERE operator = 1`,
  },
  {
    check: 'event-chunks',
    title: 'a chunk is gone',
    sql: 'DELETE FROM telling_chunks WHERE operator = 2',
  },
  {
    check: 'event-chunks',
    title: 'a chunk is there without events',
    sql: 'INSERT INTO telling_chunks (operator, chunk, types) VALUES (1, 999999, 1)',
  },
  {
    check: 'event-body',
    title: 'a body is cut short',
    sql: `UPDATE tellings SET body = json_remove(body, '$[#-1]') WHERE ${anEventRecord(PLACED)}`,
  },
  {
    check: 'event-body',
    title: 'a body is no JSON',
    sql: `UPDATE tellings SET body = substr(body, 2) WHERE ${anEventRecord(PLACED)}`,
  },
  {
    check: 'event-body',
    title: 'a telling hides one of its types',
    sql: `UPDATE tellings SET types = types & ~(1 << ${PLACED}) WHERE ${anEventRecord(PLACED)}`,
  },
  {
    check: 'event-body',
    title: 'a telling is of another market',
    sql: `UPDATE tellings SET market = 999999 WHERE ${anEventRecord(PLACED)}`,
  },
  {
    check: 'event-books',
    title: 'an open order has fewer shares than the book was told to have',
    sql: `UPDATE orders SET shares = shares - 1 WHERE ${anOrder('status = 0')}`,
  },
  {
    check: 'event-books',
    title: 'a book is at another version',
    sql: `UPDATE books SET version = version + 1 WHERE outcome =
      (SELECT serial FROM outcomes WHERE market = ${open} AND place = 0)`,
  },
  {
    check: 'event-books',
    title: 'a change of a book was not told',
    sql: `DELETE FROM tellings WHERE operator = 1 AND first_sequence = (SELECT first_sequence
      FROM tellings WHERE operator = 1 AND types & 8 ORDER BY first_sequence LIMIT 1 OFFSET 2)`,
  },
  {
    check: 'event-placed',
    title: 'an order was not told of',
    sql: `DELETE FROM tellings WHERE operator = 1 AND first_sequence = (SELECT first_sequence
      FROM tellings WHERE operator = 1 AND types & 32 ORDER BY first_sequence LIMIT 1 OFFSET 2)`,
  },
  {
    check: 'event-placed',
    title: 'an order was told of as placed after it had ended',
    sql: `UPDATE tellings SET first_sequence = first_sequence + 1000000,
        last_sequence = last_sequence + 1000000
      WHERE operator = 1 AND first_sequence = (SELECT first_sequence FROM tellings
        WHERE operator = 1 AND types & 32
        ORDER BY first_sequence LIMIT 1 OFFSET 1)`,
  },
  {
    check: 'event-matched',
    title: 'a trade was told at another price',
    sql: `UPDATE trades SET price = price + 1 WHERE ${aTrade()}`,
  },
  {
    check: 'event-matched',
    title: 'a trade that was told of is gone',
    sql: `DELETE FROM trades WHERE ${aTrade()}`,
  },
  {
    check: 'event-closed',
    title: 'an EXPIRED order was told of as CANCELLED',
    sql: `UPDATE orders SET status = 4, expires_at = 1
      WHERE ${anOrder('status = 3 AND filled = 0')}`,
  },
  {
    check: 'event-closed',
    title: 'an order that was told of as closed is open',
    sql: `UPDATE orders SET status = 0 WHERE ${anOrder('status = 3 AND filled = 0')}`,
  },
  {
    check: 'event-owners',
    title: 'an order belongs to somebody else than was told of it',
    sql: `UPDATE orders SET operator = 3 - operator WHERE ${anOrder('1')}`,
  },
  {
    check: 'event-owners',
    title: 'an order was told of under another id',
    sql: `UPDATE orders SET created_at = created_at - 1 WHERE ${anOrder('filled = 0')}`,
  },
  {
    check: 'event-owners',
    title: 'a position belongs to somebody else than was told of it',
    sql: `UPDATE positions SET player_id = 'mallory' WHERE ${aPosition('1')}`,
  },
  {
    check: 'event-owners',
    title: 'a settlement belongs to somebody else than was told of it',
    sql: `UPDATE settlements SET operator = 3 - operator
      WHERE serial = (SELECT min(serial) FROM settlements)`,
  },
  {
    check: 'event-positions',
    title: 'a position is not what was told of it last',
    sql: `UPDATE positions SET profit = profit + 1 WHERE ${aPosition('1')}`,
  },
  {
    check: 'event-settlements',
    title: 'a settlement is of more shares than was told',
    sql: `UPDATE settlements SET shares = shares + 1 WHERE serial =
      (SELECT min(serial) FROM settlements WHERE payout_per_share > 0)`,
  },
  {
    check: 'event-markets',
    title: 'a market is in a state that was not told',
    sql: `UPDATE markets SET status = 3 WHERE serial = ${open}`,
  },
]
