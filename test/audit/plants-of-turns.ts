// Corruptions of the file, turns and markets: statements that no service executes.

import { anOrder, cancelled, middle, open, type Plant, settled } from './plant.ts'

export const plantsOfTurns: readonly Plant[] = [
  {
    check: 'file',
    title: 'an index has lost entries',
    sql: `PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'status < 6', 'status < 9')
      WHERE name = 'markets_live';`,
  },
  {
    check: 'index-orders',
    title: 'an order is missing in the index of its player',
    sql: `DELETE FROM order_index_by_player WHERE serial = ${middle('orders', 'serial')}`,
  },
  {
    check: 'index-orders',
    title: 'an open order is in the index of another player',
    sql: `UPDATE open_order_index_by_player SET player_id = 'mallory'
      WHERE serial = (SELECT max(serial) FROM open_order_index_by_operator)`,
  },
  {
    check: 'index-orders',
    title: 'an open order is in the index of the other side',
    sql: `UPDATE open_order_index_by_side SET is_sell = 1 - is_sell
      WHERE serial = (SELECT max(serial) FROM open_order_index_by_operator)`,
  },
  {
    check: 'index-trades',
    title: 'a trade is missing in the index of its seller',
    sql: `DELETE FROM trade_index_by_operator WHERE serial = ${middle('trades', 'serial')} AND
      operator_number =
      (SELECT seller_number FROM trades WHERE serial = ${middle('trades', 'serial')})`,
  },
  {
    check: 'index-lengths',
    title: 'a closed order is in the index of open orders',
    sql: `INSERT INTO open_order_index_by_operator
      SELECT operator_number, serial FROM orders WHERE status > 1 LIMIT 1`,
  },
  {
    check: 'index-lengths',
    title: 'an open order is listed among the closed ones',
    sql: `INSERT INTO closed_orders (serial) SELECT max(serial) FROM open_order_index_by_operator`,
  },
  {
    check: 'turn-chain',
    title: 'a turn is missing',
    sql: `DELETE FROM batches WHERE batch = ${middle('batches', 'batch')}`,
  },
  {
    check: 'turn-chain',
    title: 'the head has another sequence than the last turn',
    sql: 'UPDATE head SET command_sequence = command_sequence + 1',
  },
  {
    check: 'turn-chain',
    title: 'the head has another hash',
    sql: 'UPDATE head SET hash = zeroblob(32)',
  },
  {
    check: 'turn-chain',
    title: 'two turns have the same hash',
    sql: 'UPDATE batches SET hash = (SELECT hash FROM batches WHERE batch = 2) WHERE batch = 3',
  },
  {
    check: 'turn-chain',
    title: 'a hash is cut short',
    sql: 'UPDATE batches SET hash = zeroblob(3) WHERE batch = 3',
  },
  {
    check: 'turn-epochs',
    title: 'an epoch goes back',
    sql: 'UPDATE batches SET epoch = epoch + 1 WHERE batch = 2',
  },
  {
    check: 'turn-epochs',
    title: 'a turn has an epoch that the shard has not reached',
    sql: 'UPDATE head SET epoch = 1',
  },
  {
    check: 'turn-times',
    title: 'a turn is earlier than the one before',
    sql: `UPDATE batches SET now = 1 WHERE batch = ${middle('batches', 'batch')}`,
  },
  {
    check: 'head-serials',
    title: 'a serial was never allocated',
    sql: 'UPDATE head SET last_serial = last_serial - 1',
  },
  {
    check: 'serials-unique',
    title: 'an order and a trade share a serial',
    sql: `UPDATE orders SET serial = (SELECT max(serial) FROM trades) WHERE ${anOrder('1')}`,
  },
  {
    check: 'market-resolution',
    title: 'an open market is resolved',
    sql: `UPDATE markets SET resolution = '{"payouts":[10000,0,0]}' WHERE serial = ${open}`,
  },
  {
    check: 'market-resolution',
    title: 'a settled market has no resolution',
    sql: `UPDATE markets SET resolution = NULL WHERE serial = ${settled}`,
  },
  {
    check: 'market-resolution',
    title: 'payouts add up to more than 1',
    sql: `UPDATE markets SET resolution = json_set(resolution, '$.payouts[1]', 1)
      WHERE serial = ${settled}`,
  },
  {
    check: 'market-outcomes',
    title: 'an outcome is missing',
    sql: `DELETE FROM outcomes WHERE market_serial = ${open} AND place = 1`,
  },
  {
    check: 'market-participants',
    title: 'a participant is missing',
    sql: `DELETE FROM participants WHERE market_serial = ${open}`,
  },
  {
    check: 'market-participants',
    title: 'an operator is a participant without having traded',
    sql: `INSERT INTO participants (market_serial, operator_number) VALUES (${open}, 3)`,
  },
  {
    check: 'market-job',
    title: 'a settled market has no job',
    sql: `DELETE FROM jobs WHERE market_serial = ${settled}`,
  },
  {
    check: 'market-job',
    title: 'an open market has a job',
    sql: `INSERT INTO jobs SELECT ${open}, is_done, job FROM jobs
      WHERE market_serial = ${cancelled}`,
  },
  {
    check: 'market-job',
    title: 'a finished job has another phase than DONE',
    sql: `UPDATE jobs SET job = json_set(job, '$.phase', 'PAYING')
      WHERE market_serial = ${settled}`,
  },
]
