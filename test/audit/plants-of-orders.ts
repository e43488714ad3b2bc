// Corruptions of orders and books: statements that no service executes.

import { controlsHolders } from '../../src/core/state/controls.ts'
import { anOrder, aTrade, cancelled, open, type Plant, settled } from './plant.ts'

const aSpending = 'serial = (SELECT min(serial) FROM order_amounts WHERE spent > 0)'
const aSale = (playerId: string) => anOrder(`is_sell = 1 AND player_id = '${playerId}'`)
// Of one that is in force since before the first record.
const haltSince0 = (holder: (typeof controlsHolders)[number], operatorNumber: number) => {
  const kind = controlsHolders.indexOf(holder)
  const terms = `json_object('mode', 'HALTED', 'reason', 'A reason', 'until', NULL)`
  const record = `json_object('holder', json_object('kind', '${holder}'), 'terms', ${terms},
    'changedAt', 0)`
  return `REPLACE INTO controls (holder_kind, operator_number, player_id, record)
    VALUES (${kind}, ${operatorNumber}, '', ${record})`
}

export const plantsOfOrders: readonly Plant[] = [
  {
    check: 'order-shares',
    title: 'an order is filled beyond its shares',
    sql: `UPDATE orders SET filled = shares + 1 WHERE ${anOrder('status = 2')}`,
  },
  {
    check: 'order-status',
    title: 'a filled order is CANCELLED',
    sql: `UPDATE orders SET status = 3 WHERE ${anOrder('status = 2')}`,
  },
  {
    check: 'order-status',
    title: 'a status does not exist',
    sql: `UPDATE orders SET status = 9 WHERE ${anOrder('status = 3')}`,
  },
  {
    check: 'order-fills',
    title: 'an order is filled less than its trades',
    sql: `UPDATE orders SET filled = filled - 1 WHERE ${anOrder('status = 3 AND filled > 1')}`,
  },
  {
    check: 'order-fills',
    title: 'a trade is missing',
    sql: `DELETE FROM trades WHERE ${aTrade()}`,
  },
  {
    check: 'order-cost',
    title: 'a cost is a micro-unit too high',
    sql: `UPDATE orders SET cost = cost + 1 WHERE ${anOrder('filled > 0')}`,
  },
  {
    check: 'order-type',
    title: 'a MARKET order rests',
    sql: `UPDATE orders SET price = 0 WHERE ${anOrder('status = 0')}`,
  },
  {
    check: 'order-type',
    title: 'a LIMIT order is REJECTED without a reason',
    sql: `UPDATE orders SET price = 5000, options = 0 WHERE ${anOrder('status = 5')}`,
  },
  {
    check: 'order-type',
    title: 'an order that rests was outside of a price band',
    sql: `UPDATE orders SET options = options + 16384 WHERE ${anOrder('status = 0')}`,
  },
  {
    check: 'order-type',
    title: 'a LIMIT order outside of a price band is REJECTED for nothing',
    sql: `UPDATE orders SET options = 0 WHERE ${anOrder('price > 0 AND options = 16384')}`,
  },
  {
    check: 'order-type',
    title: 'a FOK order is REJECTED as outside of a price band',
    sql: `UPDATE orders SET options = 16386 WHERE ${anOrder('options = 16384')}`,
  },
  {
    check: 'order-type',
    title: 'an IOC order rests',
    sql: `UPDATE orders SET options = 1 WHERE ${anOrder('status = 0')}`,
  },
  {
    check: 'order-amount',
    title: 'an order by amount has spent more than its amount',
    sql: `UPDATE order_amounts SET amount = spent / 10000 - 1 WHERE ${aSpending}`,
  },
  {
    check: 'order-amount',
    title: 'an order by amount has spent a step more than its trades and fees',
    sql: `UPDATE order_amounts SET spent = spent + 1 WHERE ${aSpending}`,
  },
  {
    check: 'order-amount-shares',
    title: 'an order by amount is filled in part',
    sql: `UPDATE orders SET shares = shares + 1 WHERE serial =
      (SELECT min(serial) FROM order_amounts)`,
  },
  {
    check: 'order-shares',
    title: 'the amount of an order that has spent nothing is missing',
    sql: 'DELETE FROM order_amounts WHERE spent = 0',
  },
  {
    check: 'order-key',
    title: 'two orders have the same transactionId',
    sql: `UPDATE orders SET transaction_id = 'twice', fingerprint = 1 WHERE operator_number = 1
      AND serial > (SELECT max(serial) FROM orders) - 20`,
  },
  {
    check: 'order-key',
    title: 'an order and a mint have the same transactionId',
    sql: `UPDATE orders SET fingerprint = 1, transaction_id =
        (SELECT transaction_id FROM sets
         WHERE market_serial = ${open} AND operator_number = 1 LIMIT 1)
      WHERE serial = (SELECT max(serial) FROM orders WHERE operator_number = 1)`,
  },
  {
    check: 'order-fingerprint',
    title: 'an order with a transactionId has no fingerprint',
    sql: `UPDATE orders SET fingerprint = 0 WHERE ${anOrder('transaction_id IS NOT NULL')}`,
  },
  {
    check: 'order-expiry',
    title: 'an order expired early',
    sql: `UPDATE orders SET expires_at = updated_at + 1 WHERE ${anOrder('status = 4')}`,
  },
  {
    check: 'order-expiry',
    title: 'a BUY order traded past its expiry',
    sql: `UPDATE orders SET expires_at = created_at WHERE ${anOrder('filled > 0 AND is_sell = 0')}`,
  },
  {
    check: 'order-expiry',
    title: 'a SELL order traded past its expiry',
    sql: `UPDATE orders SET expires_at = created_at WHERE ${anOrder('filled > 0 AND is_sell = 1')}`,
  },
  {
    check: 'order-parents',
    title: 'an order belongs to no market',
    sql: `UPDATE orders SET market_serial = 999999 WHERE ${anOrder('1')}`,
  },
  {
    check: 'order-times',
    title: 'an order was updated before it was created',
    sql: `UPDATE orders SET updated_at = created_at - 1 WHERE ${anOrder('1')}`,
  },
  {
    check: 'book-crossed',
    title: 'a bid is above the best ask',
    sql: `UPDATE orders SET price = 9900 WHERE ${anOrder('status <= 1 AND is_sell = 0')}`,
  },
  {
    check: 'book-ended',
    title: 'an order rests in a settled market',
    sql: `UPDATE orders SET status = 0
      WHERE market_serial = ${settled} AND status = 3 AND filled = 0`,
  },
  {
    check: 'book-ended',
    title: 'an order rests in a cancelled market',
    sql: `UPDATE orders SET status = 0
      WHERE market_serial = ${cancelled} AND status = 3 AND filled = 0`,
  },
  {
    check: 'dead-man-late',
    title: 'an armed switch has a deadline that has passed',
    sql: `UPDATE dead_men SET deadline = (SELECT now FROM head) WHERE state = 0`,
  },
  {
    check: 'dead-man-orders',
    title: 'an order rests of a player whose switch was triggered',
    sql: `UPDATE orders SET player_id = (SELECT player_id FROM dead_men WHERE state = 1)
      WHERE ${anOrder('status <= 1 AND operator_number = 1')}`,
  },
  {
    check: 'dead-man-orders',
    title: 'orders rest of an operator whose switch was triggered',
    sql: `UPDATE dead_men SET state = 1 WHERE player_id = ''`,
  },
  {
    check: 'limit-orders',
    title: 'a BUY order costs more than its player may spend',
    sql: `UPDATE orders SET price = 9900, shares = 2000
      WHERE player_id = 'gina' AND queue_serial = serial`,
  },
  {
    check: 'limit-orders',
    title: 'a BUY order costs more than the default of the operator',
    sql: `UPDATE orders SET price = 9900, shares = 90000000 WHERE player_id = 'hugo'`,
  },
  {
    check: 'limit-orders',
    title: 'sets cost more than their player may spend',
    sql: `UPDATE sets SET shares = shares + 1 WHERE player_id = 'gina'`,
  },
  {
    check: 'limit-usage',
    title: 'a player has bought one hundredth of a share too many',
    sql: `UPDATE orders SET shares = shares + 1, price = 1
      WHERE player_id = 'gina' AND queue_serial <> serial`,
  },
  {
    check: 'limit-usage',
    title: 'a player has spent one micro-unit too many in a market',
    sql: `UPDATE positions SET cost = cost + 1 WHERE player_id = 'gina'
      AND serial = (SELECT min(serial) FROM positions WHERE player_id = 'gina')`,
  },
  {
    check: 'group-member',
    title: 'an order is in the group of another player',
    sql: `UPDATE order_groups SET player_id = 'mallory' WHERE status = 0`,
  },
  {
    check: 'group-orders',
    title: 'an order rests in a group that was triggered',
    sql: `UPDATE order_groups SET status = 1 WHERE status = 0`,
  },
  {
    check: 'group-fills',
    title: 'a group counts more than was traded',
    sql: `UPDATE order_group_fills SET shares = shares + 1`,
  },
  {
    check: 'group-fills',
    title: 'a group counts less than was traded',
    sql: `UPDATE order_group_fills SET shares = shares - 1`,
  },
  {
    check: 'brake-holder',
    title: 'a brake has the record of another player',
    sql: `UPDATE controls SET player_id = 'mallory' WHERE player_id = 'erin'`,
  },
  {
    check: 'brake-orders',
    title: 'an order was placed by a player that is halted',
    sql: `UPDATE orders SET player_id = 'erin' WHERE ${aSale('fred')}`,
  },
  {
    check: 'brake-orders',
    title: 'a BUY order was placed by a player that may only reduce',
    sql: `UPDATE orders SET is_sell = 0 WHERE ${aSale('fred')}`,
  },
  {
    check: 'brake-orders',
    title: 'orders were placed on an exchange that is halted',
    sql: haltSince0('EXCHANGE', 0),
  },
  {
    check: 'brake-orders',
    title: 'orders were placed by an operator that the administrator has halted',
    sql: haltSince0('ADMINISTRATOR', 1),
  },
  {
    check: 'brake-orders',
    title: 'orders were placed by an operator that has halted itself',
    sql: haltSince0('OPERATOR', 1),
  },
  {
    check: 'brake-sets',
    title: 'sets were redeemed by a player that is halted',
    sql: `UPDATE sets SET player_id = 'erin' WHERE player_id = 'fred' AND is_redeem = 1`,
  },
  {
    check: 'brake-sets',
    title: 'sets were minted by a player that may only reduce',
    sql: `UPDATE sets SET is_redeem = 0 WHERE player_id = 'fred' AND is_redeem = 1`,
  },
  {
    check: 'book-last-price',
    title: 'a last price differs from that of the last trade',
    sql: `UPDATE books SET last_price = last_price + 1 WHERE last_price > 0`,
  },
]
