// How many trades one order may make when it is placed or amended. Without a limit one command
// could match hundreds of thousands of orders while all other commands wait for it.

import type { Rules } from '../state/exchange.ts'

/** Trades, counting each leg of a match by complete sets; Infinity where there is no limit. */
export function fillLimitOf({ orderFillsMax = 0 }: Rules): number {
  return orderFillsMax === 0 ? Infinity : orderFillsMax
}

/**
 * Whether a match of that many trades may follow those that the order has made. A match is made
 * whole or not at all; the first always fits.
 */
export function fitsFillLimit(fillLimit: number, made: number, more: number): boolean {
  return made === 0 || made + more <= fillLimit
}
