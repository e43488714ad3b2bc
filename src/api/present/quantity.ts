// Whole steps as decimal texts. They are made several times for every order, so prices come from a
// table, and whole shares, which most orders have, skip the division.

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

/** From micro-units. */
export function moneyText(micros: number | bigint): string {
  return textOf(micros, decimals.money)
}

/** From units of 1e-10. */
export function feeText(steps: number | bigint): string {
  return textOf(steps, decimals.fee)
}

/** From an average price in units of 1e-8. */
export function averageText(steps: number): string {
  return steps === 0 ? '0' : textOf(steps, decimals.average)
}
