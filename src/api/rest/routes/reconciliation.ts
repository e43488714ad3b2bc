// For those who keep the wallets: what a player has at stake, and whether a market adds up. Both
// come from the stored records alone.

import { charactersOf } from '../../../registry/text-checks.ts'
import { Refusal, refusalOf } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { isLine } from '../../parse/text.ts'
import { presentExposure, presentReconciliation } from '../../present/reconciliation.ts'
import { named, playerIdMax } from '../../schemas/fields.ts'
import { Exposure, Reconciliation } from '../../schemas/holding.ts'
import type { Context } from '../context.ts'
import { visibleMarket } from '../visible-market.ts'
import type { Routes } from './routes.ts'

const nothing = { currencies: [], openOrders: 0, positions: 0 }

export function addReconciliation(routes: Routes, context: Context): void {
  const { reads, rules, ids } = context
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/players/:playerId/exposure',
      scope: 'read',
      tag: 'Positions',
      name: 'getExposure',
      summary: 'See what a player has at stake',
      description:
        'What you must keep locked: open BUY orders with their fees, and what was paid for ' +
        'shares. A player who is not known has nothing.',
      answer: named(Exposure),
    },
    async ({ operator, params: { playerId } }) => {
      const asked = { operator: operator.number, playerId }
      const exposure = isPlayerId(playerId) ? await reads.exposure(asked) : nothing
      return new Done(presentExposure(playerId, exposure, operator.feeRate ?? rules.feeRate))
    },
  )

  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/markets/:id/reconciliation',
      scope: 'read',
      tag: 'Settlements',
      name: 'getReconciliation',
      summary: 'Add up everything that is stored of a market',
      description: 'For its owner. Sets, trades, positions and settlements are read, all of them.',
      answer: named(Reconciliation),
      errors: ['MARKET_NOT_FOUND'],
    },
    async ({ operator, params }) => {
      const market = await visibleMarket(context, operator, params.id)
      if (market instanceof Refusal) return market
      if (market.owner !== operator.number) {
        const message = 'Only the operator that owns the market may read its reconciliation.'
        return refusalOf({ code: 'FORBIDDEN', message })
      }
      const sums = await reads.reconciliation(market.serial)
      return new Done(presentReconciliation(ids, market, sums))
    },
  )
}

// No order was ever taken for any other.
function isPlayerId(text: string): boolean {
  return charactersOf(text) <= playerIdMax && isLine(text)
}
