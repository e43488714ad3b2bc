// What positions in a market pay by the outcome that wins, and the profit that their player has
// made then. Pure.

import type { Position } from '../wire.ts'

export type PayoutIfWins = {
  /** null for any outcome of which the player has no shares. */
  readonly outcomeId: string | null
  readonly paid: string
  /** With what was realised before, without fees. */
  readonly profit: string
}

type Held = Pick<Position, 'outcomeId' | 'payoutIfWins' | 'totalCost' | 'realizedPnl'>

/** The outcome that pays most is first; empty without shares. */
export function payoutsIfWins(
  positions: readonly Held[],
  { outcomeCount }: { readonly outcomeCount: number },
): readonly PayoutIfWins[] {
  const spent = positions.reduce(
    (sum, { totalCost, realizedPnl }) => sum + microsOf(totalCost) - microsOf(realizedPnl),
    0n,
  )
  const held = positions
    .map(({ outcomeId, payoutIfWins }) => ({ outcomeId, paid: microsOf(payoutIfWins) }))
    .filter(({ paid }) => paid > 0n)
    .sort((one, other) => (one.paid < other.paid ? 1 : one.paid > other.paid ? -1 : 0))
  const others = held.length < outcomeCount ? [{ outcomeId: null, paid: 0n }] : []
  if (held.length === 0) return []
  return [...held, ...others].map(({ outcomeId, paid }) => ({
    outcomeId,
    paid: textOf(paid),
    profit: textOf(paid - spent),
  }))
}

/** The sum of amounts of money. */
export function sumOf(amounts: readonly string[]): string {
  return textOf(amounts.reduce((sum, each) => sum + microsOf(each), 0n))
}

const decimals = 6

function microsOf(amount: string): bigint {
  const [whole = '0', part = ''] = amount.split('.')
  return BigInt(`${whole}${part.padEnd(decimals, '0')}`)
}

function textOf(micros: bigint): string {
  const digits = String(micros < 0n ? -micros : micros).padStart(decimals + 1, '0')
  const part = digits.slice(-decimals).replace(/0+$/, '')
  const whole = `${micros < 0n ? '-' : ''}${digits.slice(0, -decimals)}`
  return part === '' ? whole : `${whole}.${part}`
}
