// Reads a player's exposure: its open orders, and its positions in markets that have not ended.

import { spreadDivisor } from '../../core/fee.ts'
import { ticksPerUnit } from '../../core/money.ts'
import { marketStatuses } from '../../core/words.ts'
import type { Exposure, OpenBuys, PlayerQuery } from '../record-store.ts'
import type { Cells } from './cells.ts'
import { exactOf, numberOf, textOf } from './cells.ts'
import { exact, sumOf } from './exact-sums.ts'
import { feeScheduleOf } from './market-records.ts'
import { all, type Reading } from './reading.ts'

const settled = marketStatuses.indexOf('SETTLED')
const cancelled = marketStatuses.indexOf('CANCELLED')

/** Past so many kinds of open orders, their fees are rounded together, which is never too low. */
const exactKindsMax = 10_000

type Stake = { openBuyCost: bigint; openBuys: OpenBuys[]; positionsCost: bigint }

export function* readExposure(query: PlayerQuery): Reading<Exposure> {
  const stakes = new Map<string, Stake>()
  const stakeIn = (currency: string): Stake => {
    const stake = stakes.get(currency) ?? { openBuyCost: 0n, openBuys: [], positionsCost: 0n }
    stakes.set(currency, stake)
    return stake
  }
  let openOrders = 0
  const exactly = yield* openOrdersOf(query, spreadDivisor, `LIMIT ${exactKindsMax + 1}`)
  const kinds = exactly.length <= exactKindsMax ? exactly : yield* openOrdersOf(query, 1, '')
  for (const cells of kinds) {
    const orders = numberOf(cells.orders)
    openOrders += orders
    if (cells.is_sell !== 0) continue
    const stake = stakeIn(textOf(cells.currency))
    const value = sumOf(cells, 'value')
    const feeSchedule = feeScheduleOf(cells.own_fees)
    stake.openBuyCost += value
    const spread = sumOf(cells, 'spread')
    const spreadRest = numberOf(cells.spread_rest)
    stake.openBuys.push({ value, spread, spreadRest, orders, feeSchedule })
  }
  let positions = 0
  for (const { currency, cost } of yield* holdingsOf(query)) {
    positions += 1
    stakeIn(textOf(currency)).positionsCost += exactOf(cost)
  }
  const currencies = [...stakes].map(([currency, stake]) => ({ currency, ...stake }))
  currencies.sort((one, other) => (one.currency < other.currency ? -1 : 1))
  return { currencies, openOrders, positions }
}

// Added up in SQL: a player may have hundreds of thousands of open orders. The fee of each is
// rounded, so those whose spreads have the same remainder are added up together.
function openOrdersOf(
  { operatorNumber, playerId }: PlayerQuery,
  divisor: number,
  limit: string,
): Reading<readonly Cells[]> {
  return all(
    `SELECT currency, is_sell, own_fees, spread % ${divisor} AS spread_rest,
       count(*) AS orders, ${exact('value', 'value')}, ${exact('spread', 'spread')}
     FROM (
       SELECT currency, is_sell, (shares - filled) * price AS value,
         (shares - filled) * price * (${ticksPerUnit} - price) AS spread,
         CASE WHEN owner_number = key_operator_number THEN fee_schedule END AS own_fees
       FROM open_orders_of_player AS found
     LEFT JOIN markets AS m ON m.serial = found.market_serial
     WHERE key_operator_number = ? AND key_player_id = ?
     ) AS own GROUP BY currency, is_sell, own_fees, spread % ${divisor}
     ${limit}`,
    operatorNumber,
    playerId,
  )
}

function holdingsOf({ operatorNumber, playerId }: PlayerQuery): Reading<readonly Cells[]> {
  return all(
    `SELECT currency, cost FROM positions AS p INDEXED BY positions_by_player
     LEFT JOIN markets AS m ON m.serial = p.market_serial
     WHERE operator_number = ? AND player_id = ? AND shares > 0
       AND m.status NOT IN (${settled}, ${cancelled})`,
    operatorNumber,
    playerId,
  )
}
