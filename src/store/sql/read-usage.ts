// Reads how much of its limits a player uses. The engine keeps this only for players that have
// limits, so that it is read from the store for all alike.

import type { Serial } from '../../core/ids.ts'
import { marketStatuses } from '../../core/words.ts'
import type { PlayerQuery, PlayerUsage } from '../record-store.ts'
import { type Cells, exactOf, numberOf, serialOf } from './cells.ts'
import { exact, sumOf } from './exact-sums.ts'
import { all, type Reading } from './reading.ts'

const settled = marketStatuses.indexOf('SETTLED')
const cancelled = marketStatuses.indexOf('CANCELLED')

type Used = { createdAt: number; cost: bigint; shares: Map<Serial, bigint> }

export function* readUsage(query: PlayerQuery): Reading<PlayerUsage> {
  const markets = new Map<Serial, Used>()
  const add = (cells: Cells, cost: bigint) => {
    const [market, outcome] = [serialOf(cells.market_serial), serialOf(cells.outcome_serial)]
    const createdAt = numberOf(cells.market_created_at)
    const used = markets.get(market) ?? { createdAt, cost: 0n, shares: new Map() }
    used.cost += cost
    used.shares.set(outcome, (used.shares.get(outcome) ?? 0n) + exactOf(cells.shares))
    markets.set(market, used)
  }
  for (const cells of yield* openBuysOf(query)) add(cells, sumOf(cells, 'value'))
  for (const cells of yield* holdingsOf(query)) add(cells, exactOf(cells.cost))
  return inOrder(markets).map(([marketSerial, { createdAt, cost, shares }]) => ({
    marketSerial,
    marketCreatedAt: createdAt,
    cost,
    outcomes: inOrder(shares).map(([outcomeSerial, shares]) => ({ outcomeSerial, shares })),
  }))
}

function inOrder<Value>(bySerial: ReadonlyMap<Serial, Value>): [Serial, Value][] {
  return [...bySerial].sort(([one], [other]) => one - other)
}

// Added up in SQL: a player may have tens of thousands of open orders.
function openBuysOf({ operatorNumber, playerId }: PlayerQuery): Reading<readonly Cells[]> {
  return all(
    `SELECT market_serial, outcome_serial, market_created_at,
       CAST(sum(shares - filled) AS TEXT) AS shares, ${exact('(shares - filled) * price', 'value')}
     FROM (
       SELECT found.*, m.created_at AS market_created_at
       FROM open_orders_of_player AS found
       LEFT JOIN markets AS m ON m.serial = found.market_serial
       WHERE key_operator_number = ? AND key_player_id = ? AND is_sell = 0
         AND m.status NOT IN (${settled}, ${cancelled})
     ) AS own GROUP BY market_serial, outcome_serial, market_created_at`,
    operatorNumber,
    playerId,
  )
}

function holdingsOf({ operatorNumber, playerId }: PlayerQuery): Reading<readonly Cells[]> {
  return all(
    `SELECT p.market_serial, p.outcome_serial, m.created_at AS market_created_at,
       CAST(p.shares AS TEXT) AS shares, p.cost
     FROM positions AS p INDEXED BY positions_by_player
     LEFT JOIN markets AS m ON m.serial = p.market_serial
     WHERE p.operator_number = ? AND p.player_id = ? AND p.shares > 0
       AND m.status NOT IN (${settled}, ${cancelled})`,
    operatorNumber,
    playerId,
  )
}
