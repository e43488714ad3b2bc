// For operators that keep the wallets: the exposure of a player, and whether a market adds up. Both
// are computed from the stored records alone.

import { feesOf } from '../../../core/fee.ts'
import { Refusal, refusalOf } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { isPlayerId } from '../../parse/player-id.ts'
import {
  presentExposure,
  presentReconciliation,
  presentValuation,
} from '../../present/reconciliation.ts'
import { named } from '../../schemas/fields.ts'
import { Exposure, Reconciliation, Valuation } from '../../schemas/holding.ts'
import type { Context } from '../context.ts'
import { visibleMarket } from '../visible-market.ts'
import type { Routes } from './routes.ts'

const nothing = { currencies: [], openOrders: 0, positions: 0 }

export function addReconciliation(routes: Routes, context: Context): void {
  const { rules } = context
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/players/:playerId/exposure',
      scope: 'read',
      tag: 'Positions',
      name: 'getExposure',
      summary: 'Get the exposure of a player',
      description:
        'What the operator must keep locked: the cost and fees of open BUY orders, and the cost ' +
        'of positions. An unknown player has no exposure.',
      answer: named(Exposure),
    },
    async ({ operator, params: { playerId }, reads }) => {
      const query = { operatorNumber: operator.number, playerId }
      const exposure = isPlayerId(playerId) ? await reads().exposure(query) : nothing
      return new Done(presentExposure(playerId, exposure, feesOf(operator, rules.feeRate)))
    },
  )

  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/players/:playerId/valuation',
      scope: 'read',
      tag: 'Positions',
      name: 'getValuation',
      summary: 'Get what the positions of a player are worth',
      description:
        'Adds up the valued positions of GET /positions, by currency. An unknown player has none.',
      answer: named(Valuation),
    },
    async ({ operator, params: { playerId }, reads }) => {
      const query = { operatorNumber: operator.number, playerId }
      const sums = isPlayerId(playerId) ? await reads().valuation(query) : []
      return new Done(presentValuation(playerId, sums))
    },
  )

  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/markets/:id/reconciliation',
      scope: 'read',
      tag: 'Settlements',
      name: 'getReconciliation',
      summary: 'Reconcile the stored records of a market',
      description:
        'For the owner of the market. Adds up all its sets, trades, positions and settlements.',
      answer: named(Reconciliation),
      errors: ['MARKET_NOT_FOUND'],
    },
    async ({ operator, shard, params, reads }) => {
      const market = await visibleMarket({ operator, shard, reads }, params.id)
      if (market instanceof Refusal) return market
      if (market.ownerNumber !== operator.number) {
        const message = 'Only the operator that owns the market may read its reconciliation.'
        return refusalOf({ code: 'FORBIDDEN', message })
      }
      const sums = await reads().reconciliation(market.serial)
      return new Done(presentReconciliation(shard.ids, market, sums))
    },
  )
}
