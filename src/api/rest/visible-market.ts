// Which markets a caller may look at.

import type { MarketRow, OperatorRow } from '../../store/store.ts'
import { type Refusal, refusalOf } from '../errors.ts'
import { serialOf } from '../parse/serial.ts'
import type { Context } from './context.ts'

/** Of anybody: as the rules have it for trading. */
export async function visibleMarket(
  { reads, ids }: Context,
  operator: OperatorRow,
  id: string,
): Promise<MarketRow | Refusal> {
  const market = await reads.market(serialOf(ids, id))
  if (market !== null && isVisibleTo(market, operator)) return market
  return refusalOf({ code: 'MARKET_NOT_FOUND' })
}

/** The serial of an outcome that everybody may look at: its market is no DRAFT. */
export async function publicOutcome(
  { reads, ids }: Context,
  { marketId, outcomeId }: { readonly marketId: string; readonly outcomeId: string },
): Promise<number | Refusal> {
  const market = await reads.market(serialOf(ids, marketId))
  if (market === null || market.status === 'DRAFT') return refusalOf({ code: 'MARKET_NOT_FOUND' })
  const outcome = serialOf(ids, outcomeId)
  const isIts = market.outcomes.some(({ serial }) => serial === outcome)
  return isIts ? outcome : refusalOf({ code: 'OUTCOME_NOT_FOUND' })
}

function isVisibleTo(market: MarketRow, operator: OperatorRow): boolean {
  if (market.ownerNumber === operator.number) return true
  if (!market.isShared || market.status === 'DRAFT') return false
  return operator.supportedCurrencies.includes(market.currency)
}
