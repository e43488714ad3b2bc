// The payout of a share once the market is resolved. Pure.

import type { Market, Outcome } from '../wire.ts'

type Resolved = Pick<Market, 'winningOutcomeId' | 'payouts'>

/** null before the market is resolved. A market with a winner has no list of payouts. */
export function payoutOf(
  { winningOutcomeId, payouts }: Resolved,
  { id }: Pick<Outcome, 'id'>,
): string | null {
  if (winningOutcomeId !== null) return winningOutcomeId === id ? '1' : '0'
  return payouts?.find(({ outcomeId }) => outcomeId === id)?.payoutPerShare ?? null
}
