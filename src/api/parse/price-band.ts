// A price band becomes whole ticks. The schema has checked its bounds.

import { decimals, stepsOf } from '../../core/money.ts'
import type { PriceBand } from '../../core/state/market.ts'
import { invalidField, type Refusal } from '../errors.ts'
import { priceStep } from '../schemas/fields.ts'
import type { PriceBandInput } from '../schemas/price-band.ts'

export function priceBandOf(input: PriceBandInput | undefined): PriceBand | null | Refusal {
  if (input === null || input === undefined) return null
  const { maxMove, suspendOnBand = false } = input
  const steps = stepsOf(maxMove, decimals.price)
  if (steps === null) {
    return invalidField('priceBand.maxMove', `must be a multiple of ${priceStep}, got ${maxMove}`)
  }
  return { maxMove: steps, suspendOnBand }
}
