// Corruptions of positions and settlements, and of what the core makes of all records: statements
// that a healthy database never sees.

import { anOrder, aPosition, open, type Plant, settled } from './plant.ts'

export const plantsOfHoldings: readonly Plant[] = [
  {
    check: 'position-shares',
    title: 'a position holds a step more than came to it',
    sql: `UPDATE positions SET shares = shares + 1 WHERE ${aPosition('1')}`,
  },
  {
    check: 'position-holders',
    title: 'a position is gone',
    sql: `DELETE FROM positions WHERE ${aPosition('1')}`,
  },
  {
    check: 'position-cash',
    title: 'a cost is a micro-unit too high',
    sql: `UPDATE positions SET cost = cost + 1 WHERE ${aPosition('shares > 0')}`,
  },
  {
    check: 'position-cash',
    title: 'a mint is of another size',
    sql: 'UPDATE sets SET shares = shares + 1 WHERE serial = (SELECT min(serial) FROM sets)',
  },
  {
    check: 'position-cost',
    title: 'nothing has a cost',
    sql: `UPDATE positions SET shares = 0 WHERE ${aPosition('shares > 0')}`,
  },
  {
    check: 'position-cost',
    title: 'a cost is negative',
    sql: `UPDATE positions SET cost = -1 WHERE ${aPosition('shares > 0')}`,
  },
  {
    check: 'position-reserved',
    title: 'a position has less reserved than is offered',
    sql: `UPDATE positions SET reserved = reserved - 1 WHERE ${aPosition('reserved > 0')}`,
  },
  {
    check: 'offers-held',
    title: 'an order offers what nobody holds',
    sql: `UPDATE orders SET player_id = 'mallory' WHERE ${anOrder('status <= 1 AND is_sell = 1')}`,
  },
  {
    check: 'outcome-shares',
    title: 'one outcome has a share more than the others',
    sql: `UPDATE positions SET shares = shares + 100 WHERE ${aPosition(`market_serial = ${open}`)}`,
  },
  {
    check: 'position-parents',
    title: 'a position is of another market than its outcome',
    sql: `UPDATE positions SET market_serial = ${settled}
      WHERE ${aPosition(`market_serial = ${open}`)}`,
  },
  {
    check: 'settlement-position',
    title: 'a settlement is of more than was held',
    sql: `UPDATE settlements SET shares = shares + 1
      WHERE serial = (SELECT min(serial) FROM settlements)`,
  },
  {
    check: 'settlement-missing',
    title: 'a position was not settled',
    sql: 'DELETE FROM settlements WHERE serial = (SELECT min(serial) FROM settlements)',
  },
  {
    check: 'settlement-missing',
    title: 'a position of an open market was settled',
    sql: `UPDATE settlements SET market_serial = ${open}
      WHERE serial = (SELECT min(serial) FROM settlements)`,
  },
  {
    check: 'settlement-payout',
    title: 'the losers are paid',
    sql: `UPDATE settlements SET payout_per_share = 10000
      WHERE serial = (SELECT min(serial) FROM settlements WHERE payout_per_share = 0)`,
  },
  {
    check: 'settlement-status',
    title: 'a settlement has not come to an end',
    sql: 'UPDATE settlements SET status = 1',
  },
  {
    check: 'settlement-sums',
    title: 'a run counts a settlement too many',
    sql: `UPDATE jobs SET job = json_set(job, '$.settled', 99) WHERE market_serial = ${settled}`,
  },
  {
    check: 'settlement-sums',
    title: 'more is paid out than was paid in',
    sql: `UPDATE market_counters SET sets_minted = sets_minted - 1
      WHERE market_serial = ${settled}`,
  },
  {
    check: 'rules',
    title: 'an open order is of a market that is over',
    sql: `UPDATE orders SET status = 0
      WHERE market_serial = ${settled} AND status = 3 AND filled = 0;
      INSERT INTO open_order_index_by_operator
      SELECT operator_number, serial FROM orders WHERE market_serial = ${settled} AND status = 0`,
  },
  {
    check: 'rules',
    title: 'a position holds less than nothing',
    sql: `UPDATE positions SET shares = -1 WHERE ${aPosition(`market_serial = ${open}`)}`,
  },
]
