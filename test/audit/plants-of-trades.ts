// Corruptions of trades and sums: statements that a healthy database never sees.

import { aTrade, open, type Plant, settled } from './plant.ts'

export const plantsOfTrades: readonly Plant[] = [
  {
    check: 'trade-shares',
    title: 'a trade is of nothing',
    sql: `UPDATE trades SET shares = 0 WHERE ${aTrade()}`,
  },
  {
    check: 'trade-orders',
    title: 'a trade has its orders the wrong way round',
    sql: `UPDATE trades SET buy_order_serial = sell_order_serial,
      sell_order_serial = buy_order_serial WHERE ${aTrade()}`,
  },
  {
    check: 'trade-orders',
    title: 'a trade names another operator than its order',
    sql: `UPDATE trades SET buyer_number = 3 - buyer_number WHERE ${aTrade()}`,
  },
  {
    check: 'trade-orders',
    title: 'an order of a trade is gone',
    sql: `DELETE FROM orders WHERE serial = (SELECT min(buy_order_serial) FROM trades)`,
  },
  {
    check: 'trade-leg',
    title: 'a leg pays its shares to the owner of the market',
    sql: `UPDATE trades SET seller_number = 1 WHERE ${aTrade('kind = 1')}`,
  },
  {
    check: 'trade-leg',
    title: 'the order of a leg is gone',
    sql: `DELETE FROM orders WHERE serial = (SELECT min(sell_order_serial) FROM trades
      WHERE kind = 2)`,
  },
  {
    check: 'trade-match',
    title: 'a leg is gone',
    sql: `DELETE FROM trades WHERE ${aTrade('kind = 1')}`,
  },
  {
    check: 'trade-match',
    title: 'the legs of a match come to more than a set',
    sql: `UPDATE trades SET price = price + 1 WHERE ${aTrade('kind = 2')}`,
  },
  {
    check: 'market-sets',
    title: 'a match by minting is counted as none',
    sql: `UPDATE trades SET kind = 2 WHERE sell_order_serial =
      (SELECT min(sell_order_serial) FROM trades WHERE kind = 1)`,
  },
  {
    check: 'trade-price',
    title: 'a trade is not at the price of the resting order',
    sql: `UPDATE trades SET price = price - 1 WHERE ${aTrade('is_sell_incoming = 0')}`,
  },
  {
    check: 'trade-price',
    title: 'a trade is past the limit of the incoming order',
    sql: `UPDATE orders SET price = 1 WHERE serial =
      (SELECT min(buy_order_serial) FROM trades WHERE is_sell_incoming = 0)`,
  },
  {
    check: 'trade-fees',
    title: 'a fee is a step too high',
    sql: `UPDATE trades SET buyer_fee = buyer_fee + 1 WHERE ${aTrade()}`,
  },
  {
    check: 'trade-fees',
    title: 'a fee is paid to the payer',
    sql: `UPDATE trades SET seller_fee = -seller_fee WHERE ${aTrade()}`,
  },
  {
    check: 'trade-fees',
    title: 'a fee is more than 100 %',
    sql: `UPDATE trades SET seller_fee = shares * price * 10001 WHERE ${aTrade()}`,
  },
  {
    check: 'trade-window',
    title: 'a trade is from before its market opened',
    sql: `UPDATE trades SET created_at = 1 WHERE ${aTrade()}`,
  },
  {
    check: 'trade-window',
    title: 'a trade is from after its market ended',
    sql: `UPDATE markets SET trading_ends_at = (SELECT max(created_at) FROM trades
      WHERE market_serial = ${open}) WHERE serial = ${open}`,
  },
  {
    check: 'trade-after-close',
    title: 'a trade is from after its market was closed',
    sql: `UPDATE trades SET created_at = created_at + 3600000 WHERE serial =
      (SELECT max(serial) FROM trades WHERE market_serial = ${settled})`,
  },
  {
    check: 'market-counters',
    title: 'a market counts a trade too many',
    sql: 'UPDATE market_counters SET trade_count = trade_count + 1',
  },
  {
    check: 'market-counters',
    title: 'a market counts a share too few',
    sql: 'UPDATE market_counters SET volume = volume - 1',
  },
  {
    check: 'market-sets',
    title: 'a market counts sets that nobody minted',
    sql: 'UPDATE market_counters SET sets_minted = sets_minted + 100',
  },
  {
    check: 'tallies',
    title: 'an operator counts an order too many',
    sql: 'UPDATE tallies SET orders = orders + 1 WHERE operator_number = 1 AND market_serial = 0',
  },
  {
    check: 'tallies',
    title: 'a tally is gone',
    sql: `DELETE FROM tallies WHERE operator_number = 2 AND market_serial = ${settled}`,
  },
  {
    check: 'candles',
    title: 'a candle opens at another price',
    sql: `UPDATE candles SET open = open + 1
      WHERE minute = (SELECT min(minute) FROM candles) AND open < high`,
  },
  {
    check: 'candles',
    title: 'a day counts a trade too many',
    sql: 'UPDATE candles SET trades = trades + 1 WHERE width = 1440',
  },
  {
    check: 'candles',
    title: 'a candle is gone',
    sql: 'DELETE FROM candles WHERE minute = (SELECT min(minute) FROM candles)',
  },
]
