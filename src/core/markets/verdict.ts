// What the outcomes of a market pay by a resolution: by one winner, or by payouts.

import type { Serial } from '../ids.ts'
import { decimals, textOf, ticksPerUnit } from '../money.ts'
import { invalid, type Reject } from '../reject.ts'
import type { Resolution } from '../state/market.ts'

/** What a share of an outcome pays, in ticks; outcomes that are left out pay nothing. */
export type Payout = { readonly outcomeSerial: Serial; readonly payoutPerShare: number }

export type NewResolution =
  | { readonly winningOutcomeSerial: Serial }
  | { readonly payouts: readonly Payout[] }

export type Verdict = Pick<Resolution, 'payouts' | 'winner'>

/** `outcomes` are those of the market, in its order. */
export function verdictOf(
  outcomes: readonly Serial[],
  resolution: NewResolution,
): Verdict | Reject {
  return 'payouts' in resolution
    ? divided(outcomes, resolution.payouts)
    : won(outcomes, resolution.winningOutcomeSerial)
}

function won(outcomes: readonly Serial[], winningOutcomeSerial: Serial): Verdict | Reject {
  const winner = outcomes.indexOf(winningOutcomeSerial)
  if (winner < 0) return invalid('winningOutcomeId', 'is not an outcome of this market')
  return { payouts: outcomes.map((_, index) => (index === winner ? ticksPerUnit : 0)), winner }
}

// There is no winner, even where one outcome gets everything: the market was resolved by payouts.
function divided(outcomes: readonly Serial[], given: readonly Payout[]): Verdict | Reject {
  const payouts = outcomes.map(() => 0)
  for (const { outcomeSerial, payoutPerShare } of given) {
    const index = outcomes.indexOf(outcomeSerial)
    if (index < 0) return invalid('payouts', 'contains an outcome that is not in this market')
    payouts[index] = payoutPerShare
  }
  return { payouts, winner: null }
}

/** Of payouts alone, whatever the market is. */
export function checkPayouts(payouts: readonly Payout[]): Reject | null {
  if (new Set(payouts.map(({ outcomeSerial }) => outcomeSerial)).size < payouts.length) {
    return invalid('payouts', 'contains the same outcome twice')
  }
  if (payouts.some(({ payoutPerShare }) => !(payoutPerShare >= 0))) {
    return invalid('payouts', 'must not be negative')
  }
  const sum = payouts.reduce((total, { payoutPerShare }) => total + payoutPerShare, 0)
  if (sum === ticksPerUnit) return null
  return invalid('payouts', `must add up to 1, got ${textOf(sum, decimals.price)}`)
}
