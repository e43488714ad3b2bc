// Fee schedules as they are on the wire.

import type { FeeSchedule } from '../../core/fee.ts'
import { decimals, textOf } from '../../core/money.ts'
import type * as wire from '../schemas/fee-schedule.ts'

export function presentFeeSchedule(schedule: FeeSchedule | null): wire.FeeSchedule {
  if (schedule === null) return null
  return {
    model: schedule.model,
    takerPercent: textOf(schedule.takerRate, decimals.feeRate),
    makerPercent: textOf(schedule.makerRate, decimals.feeRate),
  }
}
