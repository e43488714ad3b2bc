// The number of orders and trades of an operator, updated with each turn: counting millions of rows
// for every page would take seconds.

import type { Serial } from '../../core/ids.ts'
import { numberOf } from './cells.ts'
import { first, type Reading } from './reading.ts'

/** The tally of an operator over all markets has market 0. */
const everyMarket = 0

export function* tallyOf(
  operatorNumber: number,
  marketSerial: Serial | null,
): Reading<{ orders: number; trades: number }> {
  // A query for an unknown id has the serial 0, which no market has.
  if (marketSerial === everyMarket) return { orders: 0, trades: 0 }
  const cells = yield* first(
    'SELECT orders, trades FROM tallies WHERE operator_number = ? AND market_serial = ?',
    operatorNumber,
    marketSerial ?? everyMarket,
  )
  if (cells === undefined) return { orders: 0, trades: 0 }
  return { orders: numberOf(cells.orders), trades: numberOf(cells.trades) }
}
