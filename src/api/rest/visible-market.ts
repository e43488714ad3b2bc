// The markets and outcomes that a caller may read.

import type { Serial } from '../../core/ids.ts'
import { isPublic, isVisibleTo } from '../../core/state/access.ts'
import type { MarketRow, OperatorRow, RecordStore } from '../../store/store.ts'
import { type Refusal, refusalOf } from '../errors.ts'
import { serialOf } from '../parse/serial.ts'
import type { ShardAccess } from '../shards.ts'

type Viewer = {
  readonly operator: OperatorRow
  readonly shard: ShardAccess
  readonly reads: () => RecordStore
}

/** The caller's own market, or a shared one that it may trade in. */
export async function visibleMarket(
  { operator, shard, reads }: Viewer,
  id: string,
): Promise<MarketRow | Refusal> {
  const market = await reads().market(serialOf(shard.ids, id))
  if (market !== null && canSee(operator, market)) return market
  return refusalOf({ code: 'MARKET_NOT_FOUND' })
}

/** The serial of a public outcome, whose market is not a DRAFT. */
export async function publicOutcome(
  { ids }: ShardAccess,
  reads: RecordStore,
  { marketId, outcomeId }: { readonly marketId: string; readonly outcomeId: string },
): Promise<Serial | Refusal> {
  const market = await reads.market(serialOf(ids, marketId))
  if (market === null || !isPublic(market)) return refusalOf({ code: 'MARKET_NOT_FOUND' })
  const outcome = serialOf(ids, outcomeId)
  const isInMarket = market.outcomes.some(({ serial }) => serial === outcome)
  return isInMarket ? outcome : refusalOf({ code: 'OUTCOME_NOT_FOUND' })
}

function canSee(operator: OperatorRow, market: MarketRow): boolean {
  const isOwner = market.ownerNumber === operator.number
  return isVisibleTo({ ...market, isOwner }, operator.supportedCurrencies)
}
