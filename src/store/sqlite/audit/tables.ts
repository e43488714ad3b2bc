// What the checks share: SQL functions that format quantities, and temporary tables with sums over
// all trades. The database itself is not written to.

import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { mayBeFee } from '../../../core/fee.ts'
import { partOfSet } from '../../../core/markets/sets.ts'
import { decimals, textOf } from '../../../core/money.ts'

/** Functions that format quantities for findings, and the rules of the core that checks need. */
export function addFunctions(database: DatabaseSync): void {
  const options = { deterministic: true, useBigIntArguments: true }
  const quantity = (places: number) => (steps: SQLOutputValue) =>
    typeof steps === 'bigint' || typeof steps === 'string' ? textOf(BigInt(steps), places) : 'none'
  database.function('as_shares', options, quantity(decimals.shares))
  database.function('as_price', options, quantity(decimals.price))
  database.function('as_money', options, quantity(decimals.money))
  database.function('as_fee', options, quantity(decimals.fee))
  database.function('may_be_fee', { deterministic: true }, (fee, shares, price) => {
    const fill = { shares: Number(shares), price: Number(price) }
    return mayBeFee(Number(fee), fill) ? 1 : 0
  })
  database.function('part_of_set', options, (shares, count, index) =>
    BigInt(partOfSet(Number(shares), Number(count), Number(index))),
  )
}

/** `fills`: sums of an order's trades. `flows`: shares that a holder got, and their value. */
export function addSums(database: DatabaseSync): void {
  database.exec(`
    CREATE TEMP TABLE fills (
      serial INTEGER PRIMARY KEY, shares INTEGER, value INTEGER, fee INTEGER
    );
    INSERT INTO fills SELECT serial, sum(shares), sum(shares * price), sum(fee) FROM (
      SELECT buy_order_serial AS serial, shares, price, buyer_fee AS fee FROM trades
      UNION ALL SELECT sell_order_serial, shares, price, seller_fee FROM trades
    ) GROUP BY serial ORDER BY serial;

    CREATE TEMP TABLE flows (
      outcome_serial INTEGER, operator_number INTEGER, player_id TEXT, shares INTEGER,
      billions INTEGER, rest INTEGER,
      PRIMARY KEY (outcome_serial, operator_number, player_id)
    ) WITHOUT ROWID;
    INSERT INTO flows
    SELECT outcome_serial, operator_number, player_id, sum(shares), ${sumOfValues}
    FROM (${movements}) GROUP BY outcome_serial, operator_number, player_id
    ORDER BY outcome_serial, operator_number, player_id;
  `)
}

// In two parts, because the value of all that a holder traded may pass 2^63.
const sumOfValues = 'sum(value / 1000000000), sum(value % 1000000000)'

const movements = `
  SELECT trades.outcome_serial, operator_number, player_id, trades.shares,
    trades.shares * trades.price AS value
  FROM trades JOIN orders ON orders.serial = buy_order_serial
  UNION ALL
  SELECT trades.outcome_serial, operator_number, player_id, -trades.shares,
    -trades.shares * trades.price
  FROM trades JOIN orders ON orders.serial = sell_order_serial
  UNION ALL
  SELECT outcomes.serial, operator_number, player_id, iif(is_redeem, -shares, shares),
    iif(is_redeem, -1, 1) * part_of_set(
      shares, (SELECT count(*) FROM outcomes AS o WHERE o.market_serial = sets.market_serial), place
    )
  FROM sets JOIN outcomes ON outcomes.market_serial = sets.market_serial`

/** The value of a flow, from its two parts. */
export function flowValue(billions: number, rest: number): bigint {
  return BigInt(billions) * 1_000_000_000n + BigInt(rest)
}
