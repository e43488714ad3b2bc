// The trades of an operator by day as they are on the wire.

import { decimals, textOf } from '../../core/money.ts'
import { type DayTotals, dayMs } from '../../store/store.ts'
import type * as wire from '../schemas/statistics.ts'
import { feeText } from './quantity.ts'

export function presentDay({ day, shares, fees, trades, players }: DayTotals): wire.DayStatistics {
  return {
    date: dateText(day),
    volume: textOf(shares, decimals.shares),
    fees: feeText(fees),
    trades,
    activePlayers: players,
  }
}

/** From days since 1970. */
export function dateText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}
