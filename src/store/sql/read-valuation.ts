// Reads what the positions of a player are worth, in all markets together.

import { valuationOf } from '../../core/valuation.ts'
import type { PlayerQuery, PlayerValuation } from '../record-store.ts'
import { exactOf, numberOf, serialOf, textOf } from './cells.ts'
import { markFor, payoutsOfMarkets } from './read-holdings.ts'
import { all, type Reading } from './reading.ts'

/** Rows that one statement returns: a player may have had very many positions. */
export const rowsPerPart = 5_000

type Sums = { -readonly [Name in keyof PlayerValuation[number]]: PlayerValuation[number][Name] }

export function* readValuation({
  operatorNumber,
  playerId,
}: PlayerQuery): Reading<PlayerValuation> {
  const byCurrency = new Map<string, Sums>()
  for (let after = 0; ; ) {
    const rows = yield* all(
      `SELECT p.serial, p.market_serial, p.shares, p.cost, p.profit, m.currency,
         m.status AS market_status, outcomes.place AS outcome_index, books.last_price
       FROM positions AS p INDEXED BY positions_by_player
       LEFT JOIN markets AS m ON m.serial = p.market_serial
       LEFT JOIN outcomes ON outcomes.serial = p.outcome_serial
       LEFT JOIN books ON books.outcome_serial = p.outcome_serial
       WHERE operator_number = ? AND player_id = ? AND p.serial > ?
       ORDER BY p.serial LIMIT ${rowsPerPart}`,
      ...[operatorNumber, playerId, after],
    )
    const payouts = yield* payoutsOfMarkets(rows)
    for (const cells of rows) {
      const currency = textOf(cells.currency)
      const sums = byCurrency.get(currency) ?? noneIn(currency)
      byCurrency.set(currency, sums)
      const holding = {
        shares: numberOf(cells.shares),
        cost: exactOf(cells.cost),
        profit: exactOf(cells.profit),
      }
      const { value, unrealized, total } = valuationOf(holding, markFor(cells, payouts))
      sums.positions += 1
      sums.cost += holding.cost
      sums.realized += holding.profit
      sums.value += value
      sums.unrealized += unrealized
      sums.total += total
      after = serialOf(cells.serial)
    }
    if (rows.length < rowsPerPart) break
  }
  return [...byCurrency.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1))
}

function noneIn(currency: string): Sums {
  return { currency, positions: 0, cost: 0n, value: 0n, unrealized: 0n, realized: 0n, total: 0n }
}
