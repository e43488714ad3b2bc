// Parses a resolution: by one winning outcome, or by the payout per share of each outcome.

import type { Ids } from '../../core/ids.ts'
import type { NewResolution, Payout } from '../../core/markets/verdict.ts'
import { decimals, stepsOf } from '../../core/money.ts'
import { invalidField, type Refusal } from '../errors.ts'
import type { ResolutionBody } from '../schemas/market.ts'
import { checkRules, type Rule } from './rule.ts'
import { serialOf } from './serial.ts'

export const resolutionRules: readonly Rule<ResolutionBody>[] = [
  {
    fields: ['winningOutcomeId', 'payouts'],
    faultIn: ({ winningOutcomeId: winner = null, payouts = null }) => {
      if ((winner === null) !== (payouts === null)) return null
      return winner === null
        ? { field: 'winningOutcomeId', message: 'is required unless payouts is sent' }
        : { field: 'payouts', message: 'must not be sent together with winningOutcomeId' }
    },
  },
]

export function resolutionOf(ids: Ids, body: ResolutionBody): NewResolution | Refusal {
  const refused = checkRules(resolutionRules, body)
  if (refused !== null) return refused
  const winner = body.winningOutcomeId ?? null
  if (winner !== null) return { winningOutcomeSerial: serialOf(ids, winner) }
  const payouts = body.payouts ?? []
  const parsed: Payout[] = []
  for (const [at, { outcomeId, payoutPerShare }] of payouts.entries()) {
    const ticks = stepsOf(payoutPerShare, decimals.price)
    if (ticks === null || ticks < 0) {
      return invalidField(
        `payouts[${at}].payoutPerShare`,
        `must be a multiple of 0.0001, got ${payoutPerShare}`,
      )
    }
    const serial = serialOf(ids, outcomeId)
    if (serial === 0)
      return invalidField(`payouts[${at}].outcomeId`, 'is not an outcome of this market')
    parsed.push({ outcomeSerial: serial, payoutPerShare: ticks })
  }
  return { payouts: parsed }
}
