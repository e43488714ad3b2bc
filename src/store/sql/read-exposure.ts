// Reads a player's exposure: its open orders, and its positions in markets that have not ended.

import { marketStatuses } from '../../core/words.ts'
import type { Exposure, PlayerQuery } from '../record-store.ts'
import type { Cells } from './cells.ts'
import { exactOf, textOf } from './cells.ts'
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
  for (const { currency, is_sell, value } of yield* openOrdersOf(query)) {
    openOrders += 1
    if (is_sell === 0) stakeIn(textOf(currency)).openBuyCost += exactOf(value)
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

function openOrdersOf({ operatorNumber, playerId }: PlayerQuery): Reading<readonly Cells[]> {
  return all(
    `SELECT currency, is_sell, (shares - filled) * price AS value
     FROM open_orders_of_player AS o LEFT JOIN markets AS m ON m.serial = o.market_serial
     WHERE key_operator_number = ? AND key_player_id = ?`,
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
