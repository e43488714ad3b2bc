// Fee schedules as they are typed and shown. Pure.

import { ConsoleError } from '../explain.ts'
import { money } from '../figures.ts'
import { numberOf, readNumber } from '../typed-number.ts'
import type { FeeSchedule, FeeScheduleRequest } from '../wire.ts'

export type FeeModel = FeeSchedule['model']
export type FeeChoice = 'NONE' | FeeModel

/** The percentages as typed. */
export type TypedFees = {
  readonly choice: FeeChoice
  readonly taker: string
  readonly maker: string
}

export const percentBounds = { max: 100 }

export const basisOf: Readonly<Record<FeeModel, string>> = {
  LINEAR: 'shares × price',
  QUADRATIC: 'shares × price × (1 − price)',
}

export function typedFeesOf(schedule: FeeSchedule | null): TypedFees {
  if (schedule === null) return { choice: 'NONE', taker: '', maker: '' }
  const { model, takerPercent, makerPercent } = schedule
  return { choice: model, taker: takerPercent, maker: makerPercent }
}

/** null without a schedule. Throws the sentence if a percentage is missing or cannot be read. */
export function scheduleOf({ choice, taker, maker }: TypedFees): FeeScheduleRequest | null {
  if (choice === 'NONE') return null
  const [takerPercent, makerPercent] = [
    numberOf(taker, percentBounds),
    numberOf(maker, percentBounds),
  ]
  if (takerPercent === null) throw new ConsoleError('Enter the fee of the taker; 0 for none.')
  if (makerPercent === null) throw new ConsoleError('Enter the fee of the maker; 0 for none.')
  return { model: choice, takerPercent, makerPercent }
}

/** "7% / 0.5%", first as taker. */
export function ratesOf({ takerPercent, makerPercent }: FeeSchedule): string {
  return `${takerPercent}% / ${makerPercent}%`
}

/** What 100 shares at 0.50 pay; null while no percentage from 0 to 100 is typed. */
export function exampleFee(model: FeeModel, percent: string): string | null {
  const { value } = readNumber(percent, percentBounds)
  if (value === null || value > percentBounds.max) return null
  const partOfPercent = model === 'LINEAR' ? 50 : 25
  // In whole steps of 0.01 percent, so that the product is exact.
  return money(String((Math.round(value * 100) * partOfPercent) / 10_000))
}
