// How many orders and trades an operator has, kept with each turn: counting millions of rows for
// every page would take seconds.

import { numberOf } from './cells.ts'
import { first, type Reading } from './reading.ts'

/** The tally of an operator over all markets has market 0. */
const everyMarket = 0

export function* tallyOf(
  operator: number,
  market: number | null,
): Reading<{ orders: number; trades: number }> {
  // No market has that serial; whoever asks for it has an id that leads nowhere.
  if (market === everyMarket) return { orders: 0, trades: 0 }
  const cells = yield* first(
    'SELECT orders, trades FROM tallies WHERE operator = ? AND market = ?',
    operator,
    market ?? everyMarket,
  )
  if (cells === undefined) return { orders: 0, trades: 0 }
  return { orders: numberOf(cells.orders), trades: numberOf(cells.trades) }
}
