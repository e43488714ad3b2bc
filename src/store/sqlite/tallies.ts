// How many orders and trades an operator has, kept with each turn: counting millions of rows for
// every page would take seconds.

import { numberOf } from './cells.ts'
import type { Statements } from './connection.ts'

/** The tally of an operator over all markets has market 0. */
const everyMarket = 0

export function tallyOf(
  statements: Statements,
  operator: number,
  market: number | null,
): { orders: number; trades: number } {
  // No market has that serial; whoever asks for it has an id that leads nowhere.
  if (market === everyMarket) return { orders: 0, trades: 0 }
  const cells = statements
    .get('SELECT orders, trades FROM tallies WHERE operator = ? AND market = ?')
    .get(operator, market ?? everyMarket)
  if (cells === undefined) return { orders: 0, trades: 0 }
  return { orders: numberOf(cells.orders), trades: numberOf(cells.trades) }
}
