// Percentages of fees become whole steps. The schemas have checked their bounds.

import type { FeeSchedule } from '../../core/fee.ts'
import { decimals, type FeeRate, stepsOf } from '../../core/money.ts'
import { invalidField, Refusal } from '../errors.ts'
import type { FeeScheduleInput } from '../schemas/fee-schedule.ts'

export function feePercentOf(percent: number | null | undefined): FeeRate | null | Refusal {
  return percent === null || percent === undefined ? null : rateOf('feePercent', percent)
}

export function feeScheduleOf(input: FeeScheduleInput | undefined): FeeSchedule | null | Refusal {
  if (input === null || input === undefined) return null
  const takerRate = rateOf('feeSchedule.takerPercent', input.takerPercent)
  if (takerRate instanceof Refusal) return takerRate
  const makerRate = rateOf('feeSchedule.makerPercent', input.makerPercent)
  if (makerRate instanceof Refusal) return makerRate
  return { model: input.model, takerRate, makerRate }
}

function rateOf(field: string, percent: number): FeeRate | Refusal {
  const steps = stepsOf(percent, decimals.feeRate)
  if (steps === null) return invalidField(field, `must be a multiple of 0.01, got ${percent}`)
  return steps as FeeRate
}
