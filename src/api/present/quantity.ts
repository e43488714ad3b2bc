// Whole steps as the decimal texts of records. Prices repeat, and most orders are of whole shares:
// both take a short cut, for these texts are made several times for every order.

import { decimals, textOf, ticksPerUnit } from '../../core/money.ts'

const sharesPerUnit = 10 ** decimals.shares
const priceTexts = Array.from({ length: ticksPerUnit + 1 }, (_, ticks) =>
  textOf(ticks, decimals.price),
)

export function sharesText(steps: number): string {
  return steps % sharesPerUnit === 0
    ? String(steps / sharesPerUnit)
    : textOf(steps, decimals.shares)
}

export function priceText(ticks: number): string {
  return priceTexts[ticks] ?? textOf(ticks, decimals.price)
}

/** Of micro-units. */
export function moneyText(micros: number | bigint): string {
  return textOf(micros, decimals.money)
}

/** Of units of 1e-10. */
export function feeText(steps: number | bigint): string {
  return textOf(steps, decimals.fee)
}

/** Of an average price with eight decimals. */
export function averageText(steps: number): string {
  return steps === 0 ? '0' : textOf(steps, decimals.average)
}
