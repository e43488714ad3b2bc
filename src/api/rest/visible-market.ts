// Which markets a caller may look at.

import { isPublic, isVisibleTo } from '../../core/state/access.ts'
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
  if (market !== null && canSee(operator, market)) return market
  return refusalOf({ code: 'MARKET_NOT_FOUND' })
}

/** The serial of an outcome that everybody may look at: its market is no DRAFT. */
export async function publicOutcome(
  { reads, ids }: Context,
  { marketId, outcomeId }: { readonly marketId: string; readonly outcomeId: string },
): Promise<number | Refusal> {
  const market = await reads.market(serialOf(ids, marketId))
  if (market === null || !isPublic(market)) return refusalOf({ code: 'MARKET_NOT_FOUND' })
  const outcome = serialOf(ids, outcomeId)
  const isIts = market.outcomes.some(({ serial }) => serial === outcome)
  return isIts ? outcome : refusalOf({ code: 'OUTCOME_NOT_FOUND' })
}

function canSee(operator: OperatorRow, market: MarketRow): boolean {
  const isOwner = market.ownerNumber === operator.number
  return isVisibleTo({ ...market, isOwner }, operator.supportedCurrencies)
}
