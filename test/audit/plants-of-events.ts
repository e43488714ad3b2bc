// Corruptions of events: statements that no service executes.

import { anEventRecord, anOrder, aPosition, aTrade, open, PLACED, type Plant } from './plant.ts'

export const plantsOfEvents: readonly Plant[] = [
  {
    check: 'event-sequence',
    title: 'an event record is missing',
    sql: `DELETE FROM event_records
      WHERE operator_number = 1 AND first_sequence = (SELECT first_sequence
      FROM event_records WHERE operator_number = 1 ORDER BY first_sequence LIMIT 1 OFFSET 20)`,
  },
  {
    check: 'event-sequence',
    title: 'the last event record is missing',
    sql: `DELETE FROM event_records WHERE operator_number = 2 AND first_sequence =
      (SELECT max(first_sequence) FROM event_records WHERE operator_number = 2)`,
  },
  {
    check: 'event-time',
    title: 'an event is older than the one before',
    sql: `UPDATE event_records SET created_at = created_at - 1 WHERE ${anEventRecord(PLACED)}`,
  },
  {
    check: 'event-time',
    title: 'an event is in the future',
    sql: `UPDATE event_records SET created_at = created_at + 100000
      WHERE operator_number = 2 AND first_sequence =
      (SELECT max(first_sequence) FROM event_records WHERE operator_number = 2)`,
  },
  {
    check: 'event-chunks',
    title: 'a chunk lacks a type of its events',
    sql: `UPDATE event_chunks SET types = types & ~(1 << ${PLACED}) WHERE operator_number = 1`,
  },
  {
    check: 'event-chunks',
    title: 'a chunk is missing',
    sql: 'DELETE FROM event_chunks WHERE operator_number = 2',
  },
  {
    check: 'event-chunks',
    title: 'a chunk has no events',
    sql: 'INSERT INTO event_chunks (operator_number, chunk, types) VALUES (1, 999999, 1)',
  },
  {
    check: 'event-body',
    title: 'a body is cut short',
    sql: `UPDATE event_records SET body = json_remove(body, '$[#-1]')
      WHERE ${anEventRecord(PLACED)}`,
  },
  {
    check: 'event-body',
    title: 'a body is not JSON',
    sql: `UPDATE event_records SET body = substr(body, 2) WHERE ${anEventRecord(PLACED)}`,
  },
  {
    check: 'event-body',
    title: 'an event record lacks one of its types',
    sql: `UPDATE event_records SET types = types & ~(1 << ${PLACED})
      WHERE ${anEventRecord(PLACED)}`,
  },
  {
    check: 'event-body',
    title: 'an event record belongs to another market',
    sql: `UPDATE event_records SET market_serial = 999999 WHERE ${anEventRecord(PLACED)}`,
  },
  {
    check: 'event-books',
    title: 'an open order has fewer shares than the published book',
    sql: `UPDATE orders SET shares = shares - 1 WHERE ${anOrder('status = 0')}`,
  },
  {
    check: 'event-books',
    title: 'a book has another version than was published',
    sql: `UPDATE books SET version = version + 1 WHERE outcome_serial =
      (SELECT serial FROM outcomes WHERE market_serial = ${open} AND place = 0)`,
  },
  {
    check: 'event-books',
    title: 'a change of a book was not published',
    sql: `DELETE FROM event_records
      WHERE operator_number = 1 AND first_sequence = (SELECT first_sequence
      FROM event_records WHERE operator_number = 1
        AND types & 8 ORDER BY first_sequence LIMIT 1 OFFSET 2)`,
  },
  {
    check: 'event-placed',
    title: 'an order was not published',
    sql: `DELETE FROM event_records
      WHERE operator_number = 1 AND first_sequence = (SELECT first_sequence
      FROM event_records WHERE operator_number = 1
        AND types & 32 ORDER BY first_sequence LIMIT 1 OFFSET 2)`,
  },
  {
    check: 'event-placed',
    title: 'an order was published as placed after it was closed',
    sql: `UPDATE event_records SET first_sequence = first_sequence + 1000000,
        last_sequence = last_sequence + 1000000
      WHERE operator_number = 1 AND first_sequence = (SELECT first_sequence FROM event_records
        WHERE operator_number = 1 AND types & 32
        ORDER BY first_sequence LIMIT 1 OFFSET 1)`,
  },
  {
    check: 'event-matched',
    title: 'a trade was published at another price',
    sql: `UPDATE trades SET price = price + 1 WHERE ${aTrade()}`,
  },
  {
    check: 'event-matched',
    title: 'a published trade is missing',
    sql: `DELETE FROM trades WHERE ${aTrade()}`,
  },
  {
    check: 'event-parts',
    title: 'a trade was published with another fee of its BUY order',
    sql: `UPDATE trades SET buyer_fee = buyer_fee * 2
      WHERE ${aTrade('buyer_number > 0 AND buyer_fee > 0')}`,
  },
  {
    check: 'event-parts',
    title: 'a trade was published with another fee of its SELL order',
    sql: `UPDATE trades SET seller_fee = seller_fee - shares * price
      WHERE ${aTrade('seller_number > 0 AND seller_fee > 0')}`,
  },
  {
    check: 'event-parts',
    title: 'the maker of a trade was published as its taker',
    sql: `UPDATE trades SET is_sell_incoming = 1 - is_sell_incoming WHERE ${aTrade('kind = 0')}`,
  },
  {
    check: 'event-parts',
    title: 'a leg of a resting order was published as that of the incoming order',
    sql: `UPDATE trades SET sell_order_serial = serial - 1
      WHERE ${aTrade('kind = 1 AND serial > sell_order_serial + 1')}`,
  },
  {
    check: 'event-closed',
    title: 'an EXPIRED order was published as CANCELLED',
    sql: `UPDATE orders SET status = 4, expires_at = 1
      WHERE ${anOrder('status = 3 AND filled = 0')}`,
  },
  {
    check: 'event-closed',
    title: 'an order that was published as closed is open',
    sql: `UPDATE orders SET status = 0 WHERE ${anOrder('status = 3 AND filled = 0')}`,
  },
  {
    check: 'event-owners',
    title: 'an order belongs to another operator than it was published to',
    sql: `UPDATE orders SET operator_number = 3 - operator_number WHERE ${anOrder('1')}`,
  },
  {
    check: 'event-owners',
    title: 'an order was published with another id',
    sql: `UPDATE orders SET created_at = created_at - 1 WHERE ${anOrder('filled = 0')}`,
  },
  {
    check: 'event-owners',
    title: 'an order belongs to another player than was published',
    sql: `UPDATE orders SET player_id = 'mallory' WHERE ${anOrder('filled > 0')}`,
  },
  {
    check: 'event-owners',
    title: 'an order has another transactionId than was published',
    sql: `UPDATE orders SET transaction_id = transaction_id || '!'
      WHERE ${anOrder('transaction_id IS NOT NULL')}`,
  },
  {
    check: 'event-owners',
    title: 'a position belongs to another player than was published',
    sql: `UPDATE positions SET player_id = 'mallory' WHERE ${aPosition('1')}`,
  },
  {
    check: 'event-owners',
    title: 'a settlement belongs to another operator than it was published to',
    sql: `UPDATE settlements SET operator_number = 3 - operator_number
      WHERE serial = (SELECT min(serial) FROM settlements)`,
  },
  {
    check: 'event-positions',
    title: 'a position differs from what was last published',
    sql: `UPDATE positions SET profit = profit + 1 WHERE ${aPosition('1')}`,
  },
  {
    check: 'event-settlements',
    title: 'a settlement has more shares than were published',
    sql: `UPDATE settlements SET shares = shares + 1 WHERE serial =
      (SELECT min(serial) FROM settlements WHERE payout_per_share > 0)`,
  },
  {
    check: 'event-markets',
    title: 'a market has a status that was not published',
    sql: `UPDATE markets SET status = 3 WHERE serial = ${open}`,
  },
  {
    check: 'event-markets',
    title: 'a market has an end of trading that was not published',
    sql: `UPDATE markets SET trading_ends_at = trading_ends_at + 1 WHERE serial = ${open}`,
  },
  {
    check: 'event-markets',
    title: 'a market has a price band that was not published',
    sql: `UPDATE markets SET price_band = json_set(price_band, '$.maxMove', 201)`,
  },
  {
    check: 'event-markets',
    title: 'a market suspends at its price band, which was not published',
    sql: `UPDATE markets SET price_band = json_set(price_band, '$.suspendOnBand', json('false'))`,
  },
  {
    check: 'event-markets',
    title: 'a market has lost its price band',
    sql: `UPDATE markets SET price_band = NULL`,
  },
]
