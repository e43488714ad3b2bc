// What the settlement of a market would pay, before it is resolved or settled.

import { checkPayouts, verdictOf } from '../../../core/markets/verdict.ts'
import type { MarketRow } from '../../../store/store.ts'
import { Refusal, refusalOf } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { resolutionOf } from '../../parse/resolution.ts'
import { presentSettlementPreview } from '../../present/settlement-preview.ts'
import { named } from '../../schemas/fields.ts'
import { operatorsShownMax, SettlementPreview } from '../../schemas/holding.ts'
import { PreviewSettlementBody, type ResolutionBody } from '../../schemas/market.ts'
import type { ShardAccess } from '../../shards.ts'
import { visibleMarket } from '../visible-market.ts'
import type { Routes } from './routes.ts'

export function addSettlementPreview(routes: Routes): void {
  routes.operator(
    {
      method: 'POST',
      path: '/api/v1/markets/:id/settlement-preview',
      scope: 'manage',
      tag: 'Settlements',
      idempotencyKey: 'IGNORED',
      isAudited: false,
      name: 'previewSettlement',
      summary: 'Preview what a settlement pays',
      description:
        'For the owner of the market. Takes the result as resolving the market does; without ' +
        'one, that of the resolved market. Changes nothing. Adds up the positions as they are ' +
        `now, and shows the ${operatorsShownMax} operators that are paid most.`,
      body: PreviewSettlementBody,
      answer: named(SettlementPreview),
      errors: ['MARKET_NOT_FOUND', 'MARKET_INVALID_TRANSITION'],
    },
    async ({ operator, shard, params, body, reads }) => {
      const market = await visibleMarket({ operator, shard, reads }, params.id)
      if (market instanceof Refusal) return market
      if (market.ownerNumber !== operator.number) {
        const message = 'Only the operator that owns the market may preview its settlement.'
        return refusalOf({ code: 'FORBIDDEN', message })
      }
      if (market.status === 'CANCELLED') {
        const { status } = market
        return refusalOf({ code: 'MARKET_INVALID_TRANSITION', status, action: 'settled' })
      }
      const payouts = payoutsOf(shard, market, body)
      if (payouts instanceof Refusal) return payouts
      const sums = await reads().settlementSums(market.serial)
      return new Done(presentSettlementPreview(shard.ids, { market, payouts, sums }))
    },
  )
}

function payoutsOf(
  { ids }: ShardAccess,
  { outcomes, resolution }: MarketRow,
  body: ResolutionBody,
): readonly number[] | Refusal {
  const isGiven = (body.winningOutcomeId ?? body.payouts ?? null) !== null
  if (!isGiven && resolution !== null) return resolution.payouts
  const given = resolutionOf(ids, body)
  if (given instanceof Refusal) return given
  const malformed = 'payouts' in given ? checkPayouts(given.payouts) : null
  if (malformed !== null) return refusalOf(malformed)
  const verdict = verdictOf(
    outcomes.map(({ serial }) => serial),
    given,
  )
  return 'code' in verdict ? refusalOf(verdict) : verdict.payouts
}
