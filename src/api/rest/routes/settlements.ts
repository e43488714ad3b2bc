// Settling a market, and the settlement record of each position.

import { Type } from 'typebox'
import type { SettlementRow } from '../../../store/store.ts'
import { Refusal, refusalOf } from '../../errors.ts'
import { answerOfStored } from '../../faults.ts'
import { Done } from '../../http/response.ts'
import { serialOf } from '../../parse/serial.ts'
import {
  presentSettlement,
  presentSettlementSummary,
  presentSettleTotals,
} from '../../present/holding.ts'
import { page } from '../../schemas/envelope.ts'
import { named } from '../../schemas/fields.ts'
import {
  AcknowledgeSettlementBody,
  HoldingsQuery,
  Settlement,
  SettlementSummary,
  SettleResult,
} from '../../schemas/holding.ts'
import { rowsPerPiece, totalsAnswer } from '../array-stream.ts'
import type { Context } from '../context.ts'
import { holdingsAnswer } from '../holdings-answer.ts'
import { retryAnswer } from '../retry-answer.ts'
import { visibleMarket } from '../visible-market.ts'
import type { Routes } from './routes.ts'

/** In the order in which they were created. */
const inOrder = { isOldestFirst: true, isCounted: false }

export function addSettlements(routes: Routes, context: Context): void {
  addSettle(routes, context)
  addRetry(routes, context)
  addAcknowledge(routes, context)
  addReads(routes, context)
}

function addSettle(routes: Routes, { submit, reads, ids }: Context): void {
  routes.operator(
    {
      method: 'POST',
      path: '/api/v1/markets/:id/settle',
      scope: 'manage',
      tag: 'Settlements',
      name: 'settleMarket',
      summary: 'Settle a resolved market',
      description: 'Cancels its open orders and creates a settlement record for every position.',
      answer: named(SettleResult),
      errors: [
        'MARKET_NOT_FOUND',
        'MARKET_INVALID_TRANSITION',
        'SETTLEMENT_ALREADY_COMPLETED',
        'SETTLEMENT_FAILED',
      ],
    },
    async ({ operator, params }) => {
      const marketSerial = serialOf(ids, params.id)
      const result = await submit('settle', { operatorId: operator.id, marketSerial })
      if (!result.isAccepted) return refusalOf(result.reject)
      const operatorNumber = operator.number
      const filter = { operatorNumber, marketSerial, playerId: null, limit: rowsPerPiece }
      return answerOfStored(async () => {
        const totals = presentSettleTotals(params.id.toLowerCase(), result.answer)
        return totalsAnswer(totals, 'settlements', {
          read: (after) => reads.settlements({ ...filter, after, ...inOrder }),
          present: (row) => presentSettlement(ids, row),
        })
      })
    },
  )
}

function addRetry(routes: Routes, context: Context): void {
  routes.operator(
    {
      method: 'POST',
      path: '/api/v1/markets/:id/retry-settlements',
      scope: 'manage',
      tag: 'Settlements',
      name: 'retrySettlements',
      summary: 'Retry failed settlements',
      description: 'Sets FAILED settlements back to COMPLETED. Counts and totals cover only these.',
      answer: named(SettleResult),
      errors: ['MARKET_NOT_FOUND', 'MARKET_INVALID_TRANSITION', 'SETTLEMENT_FAILED'],
    },
    async ({ operator, params, chargeAfter }) => {
      const marketSerial = serialOf(context.ids, params.id)
      const command = { operatorId: operator.id, marketSerial }
      const result = await context.submit('retrySettlements', command)
      chargeAfter({ result })
      if (!result.isAccepted) return refusalOf(result.reject)
      return retryAnswer(context, operator, {
        ...result.answer,
        marketId: params.id.toLowerCase(),
      })
    },
  )
}

function addAcknowledge(routes: Routes, { submit, reads, ids }: Context): void {
  routes.operator(
    {
      method: 'POST',
      path: '/api/v1/settlements/:id/acknowledge',
      scope: 'manage',
      tag: 'Settlements',
      name: 'acknowledgeSettlement',
      summary: 'Report that a settlement was paid, or that its payout failed',
      description: 'Repeating the same acknowledgement changes nothing.',
      body: AcknowledgeSettlementBody,
      answer: named(Settlement),
      errors: ['SETTLEMENT_NOT_FOUND'],
    },
    async ({ operator, params, body }) => {
      const settlementSerial = serialOf(ids, params.id)
      const { transactionId, status, errorMessage = null } = body
      const command = {
        operatorId: operator.id,
        settlementSerial,
        transactionId,
        status,
        errorMessage,
      }
      const result = await submit('acknowledge', command)
      if (!result.isAccepted) return refusalOf(result.reject)
      return answerOfStored(async () => {
        const row = await reads.settlement(operator.number, settlementSerial)
        if (row === null) return refusalOf({ code: 'SETTLEMENT_NOT_FOUND' })
        return Done.ofStored(() => presentSettlement(ids, row))
      })
    },
  )
}

function addReads(routes: Routes, context: Context): void {
  const { ids } = context
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/settlements',
      scope: 'read',
      tag: 'Settlements',
      name: 'listSettlements',
      summary: 'List settlements, newest first',
      description: 'Returns the whole array, or a page if limit or cursor is sent.',
      query: HoldingsQuery,
      answer: Type.Union([Type.Array(named(Settlement)), page('settlements', named(Settlement))]),
    },
    ({ operator, query, reads }) => {
      const settlements = {
        name: 'settlements' as const,
        read: reads().settlements,
        present: (row: SettlementRow) => presentSettlement(ids, row),
      }
      return holdingsAnswer(context, settlements, { operator, query })
    },
  )

  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/markets/:id/settlement-status',
      scope: 'read',
      tag: 'Settlements',
      name: 'getSettlementStatus',
      summary: 'Get the settlement progress of a market',
      description:
        'Covers every operator for the owner of the market, and only its own positions and ' +
        'settlements for any other operator.',
      answer: named(SettlementSummary),
      errors: ['MARKET_NOT_FOUND'],
    },
    async ({ operator, params, reads }) => {
      const market = await visibleMarket(context, { operator, reads }, params.id)
      if (market instanceof Refusal) return market
      const isOwner = market.ownerNumber === operator.number
      const counts = await reads().settlementCounts({
        marketSerial: market.serial,
        operatorNumber: isOwner ? null : operator.number,
      })
      const marketId = ids.textOf(market.serial, market.createdAt)
      return new Done(presentSettlementSummary(marketId, counts))
    },
  )
}
