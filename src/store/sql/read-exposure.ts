// Reads a player's exposure: its open orders, and its positions in markets that have not ended.

import { marketStatuses } from '../../core/words.ts'
import type { Exposure, PlayerQuery } from '../record-store.ts'
import type { Cells } from './cells.ts'
import { exactOf, numberOf, textOf } from './cells.ts'
import { exact, sumOf } from './exact-sums.ts'
import { all, type Reading } from './reading.ts'

const settled = marketStatuses.indexOf('SETTLED')
const cancelled = marketStatuses.indexOf('CANCELLED')

type Stake = { openBuyCost: bigint; positionsCost: bigint }

export function* readExposure(query: PlayerQuery): Reading<Exposure> {
  const stakes = new Map<string, Stake>()
  const stakeIn = (currency: string): Stake => {
    const stake = stakes.get(currency) ?? { openBuyCost: 0n, positionsCost: 0n }
    stakes.set(currency, stake)
    return stake
  }
  let openOrders = 0
  for (const cells of yield* openOrdersOf(query)) {
    openOrders += numberOf(cells.orders)
    if (cells.is_sell === 0) stakeIn(textOf(cells.currency)).openBuyCost += sumOf(cells, 'value')
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

// Added up in SQL: a player may have tens of thousands of open orders.
function openOrdersOf({ operatorNumber, playerId }: PlayerQuery): Reading<readonly Cells[]> {
  return all(
    `SELECT currency, is_sell, count(*) AS orders, ${exact('(shares - filled) * price', 'value')}
     FROM open_orders_of_player AS found
     LEFT JOIN markets AS m ON m.serial = found.market_serial
     WHERE key_operator_number = ? AND key_player_id = ? GROUP BY currency, is_sell`,
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
