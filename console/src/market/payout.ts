// What a share of an outcome pays once the market is resolved. Pure.

import type { Market, Outcome } from '../wire.ts'

type Resolved = Pick<Market, 'winningOutcomeId' | 'payouts'>

/** null while nobody knows. Where there is a winner, the exchange lists no payouts. */
export function payoutOf(
  { winningOutcomeId, payouts }: Resolved,
  { id }: Pick<Outcome, 'id'>,
): string | null {
  if (winningOutcomeId !== null) return winningOutcomeId === id ? '1' : '0'
  return payouts?.find(({ outcomeId }) => outcomeId === id)?.payoutPerShare ?? null
}
