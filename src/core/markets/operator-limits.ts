// How much an operator may have that has not ended: markets, outcomes, and text. Markets and
// outcomes take memory, and text takes disk space. Markets that exceed a lowered limit stay; only
// additions are rejected.

import type { Reject } from '../reject.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Operator } from '../state/operator.ts'

/** The defaults; 0 is no limit. */
export const operatorMarketsMax = 20_000
export const operatorOutcomesMax = 100_000
export const operatorTextMbMax = 256

const bytesPerMb = 1024 * 1024

/** What a command adds. */
export type Growth = {
  readonly markets: number
  readonly outcomes: number
  readonly textBytes: number
}

export function checkGrowth(
  { rules }: Exchange,
  { live }: Operator,
  growth: Growth,
): Reject | null {
  const marketsMax = rules.operatorMarketsMax ?? operatorMarketsMax
  if (isExceeded(live.markets, growth.markets, marketsMax)) {
    return { code: 'OPERATOR_LIMIT', limit: 'MAX_OPERATOR_MARKETS', max: marketsMax }
  }
  const outcomesMax = rules.operatorOutcomesMax ?? operatorOutcomesMax
  if (isExceeded(live.outcomes, growth.outcomes, outcomesMax)) {
    return { code: 'OPERATOR_LIMIT', limit: 'MAX_OPERATOR_OUTCOMES', max: outcomesMax }
  }
  const textMbMax = rules.operatorTextMbMax ?? operatorTextMbMax
  if (isExceeded(live.textBytes, growth.textBytes, textMbMax * bytesPerMb)) {
    return { code: 'OPERATOR_LIMIT', limit: 'MAX_OPERATOR_TEXT_MB', max: textMbMax }
  }
  return null
}

function isExceeded(present: number, growth: number, max: number): boolean {
  return max > 0 && growth > 0 && present + growth > max
}
