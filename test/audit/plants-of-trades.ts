// Corruptions of trades and sums: statements that no service executes.

import { aTrade, open, type Plant, settled } from './plant.ts'

/** A fee that is no LINEAR one. */
const ownQuadratic = `buyer_fee % (shares * price) <> 0 AND market_serial IN
  (SELECT serial FROM markets WHERE fee_schedule IS NOT NULL)`

export const plantsOfTrades: readonly Plant[] = [
  {
    check: 'trade-shares',
    title: 'a trade has no shares',
    sql: `UPDATE trades SET shares = 0 WHERE ${aTrade()}`,
  },
  {
    check: 'trade-orders',
    title: 'the two orders of a trade are swapped',
    sql: `UPDATE trades SET buy_order_serial = sell_order_serial,
      sell_order_serial = buy_order_serial WHERE ${aTrade()}`,
  },
  {
    check: 'trade-orders',
    title: 'a trade has another operator than its order',
    sql: `UPDATE trades SET buyer_number = 3 - buyer_number WHERE ${aTrade()}`,
  },
  {
    check: 'trade-orders',
    title: 'an order of a trade is missing',
    sql: `DELETE FROM orders WHERE serial = (SELECT min(buy_order_serial) FROM trades)`,
  },
  {
    check: 'trade-leg',
    title: 'a leg has an operator on the side of the issuer',
    sql: `UPDATE trades SET seller_number = 1 WHERE ${aTrade('kind = 1')}`,
  },
  {
    check: 'trade-leg',
    title: 'the order of a leg is missing',
    sql: `DELETE FROM orders WHERE serial = (SELECT min(sell_order_serial) FROM trades
      WHERE kind = 2)`,
  },
  {
    check: 'trade-match',
    title: 'a leg is missing',
    sql: `DELETE FROM trades WHERE ${aTrade('kind = 1')}`,
  },
  {
    check: 'trade-match',
    title: 'the prices of the legs of a match do not add up to 1',
    sql: `UPDATE trades SET price = price + 1 WHERE ${aTrade('kind = 2')}`,
  },
  {
    check: 'market-sets',
    title: 'a minting match is stored as a merge',
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
    title: 'a trade is beyond the limit of the incoming order',
    sql: `UPDATE orders SET price = 1 WHERE serial =
      (SELECT min(buy_order_serial) FROM trades WHERE is_sell_incoming = 0)`,
  },
  {
    check: 'trade-fees',
    title: 'a fee is too high by one step',
    sql: `UPDATE trades SET buyer_fee = buyer_fee + 1 WHERE ${aTrade()}`,
  },
  {
    check: 'trade-fees',
    title: 'a QUADRATIC fee is too high by one step',
    sql: `UPDATE trades SET buyer_fee = buyer_fee + 1 WHERE ${aTrade(ownQuadratic)}`,
  },
  {
    check: 'market-fees',
    title: 'a fee schedule has an unknown model',
    sql: `UPDATE markets SET fee_schedule = json_set(fee_schedule, '$.model', 'CUBIC')`,
  },
  {
    check: 'market-fees',
    title: 'a fee schedule has a rate above 100 %',
    sql: `UPDATE markets SET fee_schedule = json_set(fee_schedule, '$.makerRate', 10001)`,
  },
  {
    check: 'market-fees',
    title: 'a fee schedule is cut off',
    sql: `UPDATE markets SET fee_schedule = substr(fee_schedule, 2)`,
  },
  {
    check: 'market-bands',
    title: 'a price band is wider than all prices',
    sql: `UPDATE markets SET price_band = json_set(price_band, '$.maxMove', 10000)`,
  },
  {
    check: 'market-bands',
    title: 'a price band does not say whether it suspends the market',
    sql: `UPDATE markets SET price_band = json_remove(price_band, '$.suspendOnBand')`,
  },
  {
    check: 'market-bands',
    title: 'a price band is cut off',
    sql: `UPDATE markets SET price_band = substr(price_band, 2)`,
  },
  {
    check: 'operator-fees',
    title: 'the fee schedule of an operator lacks a rate',
    sql: `UPDATE operators SET fee_schedule = '{"model":"LINEAR","takerRate":5}'`,
  },
  {
    check: 'trade-fees',
    title: 'a fee is negative',
    sql: `UPDATE trades SET seller_fee = -seller_fee WHERE ${aTrade()}`,
  },
  {
    check: 'trade-fees',
    title: 'a fee is more than 100 %',
    sql: `UPDATE trades SET seller_fee = shares * price * 10001 WHERE ${aTrade()}`,
  },
  {
    check: 'trade-window',
    title: 'a trade happened before its market opened',
    sql: `UPDATE trades SET created_at = 1 WHERE ${aTrade()}`,
  },
  {
    check: 'trade-window',
    title: 'a trade happened after the trading window',
    sql: `UPDATE markets SET trading_ends_at = (SELECT max(created_at) FROM trades
      WHERE market_serial = ${open}) WHERE serial = ${open}`,
  },
  {
    check: 'trade-after-close',
    title: 'a trade happened after its market was closed',
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
    title: 'a market counts sets that were not minted',
    sql: 'UPDATE market_counters SET sets_minted = sets_minted + 100',
  },
  {
    check: 'tallies',
    title: 'an operator counts an order too many',
    sql: 'UPDATE tallies SET orders = orders + 1 WHERE operator_number = 1 AND market_serial = 0',
  },
  {
    check: 'tallies',
    title: 'a tally is missing',
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
    title: 'a candle is missing',
    sql: 'DELETE FROM candles WHERE minute = (SELECT min(minute) FROM candles)',
  },
]
