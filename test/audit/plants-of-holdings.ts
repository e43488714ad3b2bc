// Corruptions of positions and settlements, and of what the core makes of all records: statements
// that no service executes.

import { anOrder, aPosition, open, type Plant, settled } from './plant.ts'

export const plantsOfHoldings: readonly Plant[] = [
  {
    check: 'position-shares',
    title: 'a position has more shares than its trades and sets gave it',
    sql: `UPDATE positions SET shares = shares + 1 WHERE ${aPosition('1')}`,
  },
  {
    check: 'position-holders',
    title: 'a position is missing',
    sql: `DELETE FROM positions WHERE ${aPosition('1')}`,
  },
  {
    check: 'position-cash',
    title: 'a cost is a micro-unit too high',
    sql: `UPDATE positions SET cost = cost + 1 WHERE ${aPosition('shares > 0')}`,
  },
  {
    check: 'position-cash',
    title: 'a mint has another number of shares',
    sql: 'UPDATE sets SET shares = shares + 1 WHERE serial = (SELECT min(serial) FROM sets)',
  },
  {
    check: 'position-cost',
    title: 'a position without shares has a cost',
    sql: `UPDATE positions SET shares = 0 WHERE ${aPosition('shares > 0')}`,
  },
  {
    check: 'position-cost',
    title: 'a cost is negative',
    sql: `UPDATE positions SET cost = -1 WHERE ${aPosition('shares > 0')}`,
  },
  {
    check: 'position-reserved',
    title: 'a position has fewer reserved shares than its orders offer',
    sql: `UPDATE positions SET reserved = reserved - 1 WHERE ${aPosition('reserved > 0')}`,
  },
  {
    check: 'offers-held',
    title: 'an order offers shares of a position that does not exist',
    sql: `UPDATE orders SET player_id = 'mallory' WHERE ${anOrder('status <= 1 AND is_sell = 1')}`,
  },
  {
    check: 'outcome-shares',
    title: 'an outcome has more shares than the others',
    sql: `UPDATE positions SET shares = shares + 100 WHERE ${aPosition(`market_serial = ${open}`)}`,
  },
  {
    check: 'position-parents',
    title: 'a position has another market than its outcome',
    sql: `UPDATE positions SET market_serial = ${settled}
      WHERE ${aPosition(`market_serial = ${open}`)}`,
  },
  {
    check: 'settlement-position',
    title: 'a settlement has more shares than its position',
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
    title: 'a losing outcome is paid',
    sql: `UPDATE settlements SET payout_per_share = 10000
      WHERE serial = (SELECT min(serial) FROM settlements WHERE payout_per_share = 0)`,
  },
  {
    check: 'settlement-status',
    title: 'a settlement is not completed',
    sql: 'UPDATE settlements SET status = 1',
  },
  {
    check: 'settlement-sums',
    title: 'a job counts a settlement too many',
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
    title: 'an open order belongs to an ended market',
    sql: `UPDATE orders SET status = 0
      WHERE market_serial = ${settled} AND status = 3 AND filled = 0;
      INSERT INTO open_order_index_by_operator
      SELECT operator_number, serial FROM orders WHERE market_serial = ${settled} AND status = 0;
      INSERT INTO open_order_index_by_side
      SELECT operator_number, is_sell, market_serial, outcome_serial, serial FROM orders
      WHERE market_serial = ${settled} AND status = 0`,
  },
  {
    check: 'rules',
    title: 'a position has negative shares',
    sql: `UPDATE positions SET shares = -1 WHERE ${aPosition(`market_serial = ${open}`)}`,
  },
]
