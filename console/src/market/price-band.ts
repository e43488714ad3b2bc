// The price band of a market as it is typed and shown. Pure.

import { ConsoleError } from '../explain.ts'
import { price } from '../figures.ts'
import { numberOf, readNumber } from '../typed-number.ts'
import type { Market, PriceBand, PriceBandRequest } from '../wire.ts'

export type TypedBand = {
  readonly isOn: boolean
  /** As typed. */
  readonly maxMove: string
  readonly suspends: boolean
}

export const moveBounds = { max: 1 }
const examplePrice = 0.5

export function typedBandOf(band: PriceBand | null): TypedBand {
  if (band === null) return { isOn: false, maxMove: '', suspends: false }
  return { isOn: true, maxMove: band.maxMove, suspends: band.suspendOnBand }
}

/** null without a band. Throws the sentence if the move is missing or cannot be read. */
export function bandOf({ isOn, maxMove, suspends }: TypedBand): PriceBandRequest | null {
  if (!isOn) return null
  const move = numberOf(maxMove, moveBounds)
  if (move === null) throw new ConsoleError('Enter the largest move of the price band.')
  return { maxMove: move, suspendOnBand: suspends }
}

/** "From 0.50, one order trades between 0.40 and 0.60." Empty while no move is typed. */
export function bandExample(typed: string): string {
  const { value } = readNumber(typed, moveBounds)
  if (value === null || value === 0 || value > 1) return ''
  const [low, high] = [Math.max(0, examplePrice - value), Math.min(1, examplePrice + value)]
  return `From ${price(examplePrice)}, one order trades between ${price(low)} and ${price(high)}.`
}

/** Throws the sentence if the move cannot be read. */
export function hasBandChanged(
  { priceBand }: Pick<Market, 'priceBand'>,
  typed: TypedBand,
): boolean {
  return JSON.stringify(bandOf(typed)) !== JSON.stringify(bandOf(typedBandOf(priceBand)))
}

export function bandInWords({ maxMove, suspendOnBand }: PriceBand): string {
  const most = `One order moves a price by at most ${price(Number(maxMove))}.`
  return suspendOnBand ? `${most} Beyond that, the market is suspended.` : most
}
