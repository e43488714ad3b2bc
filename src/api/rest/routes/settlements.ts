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
import { holdingsAnswer } from '../holdings-answer.ts'
import { retryAnswer } from '../retry-answer.ts'
import { visibleMarket } from '../visible-market.ts'
import type { Routes } from './routes.ts'

/** In the order in which they were created. */
const inOrder = { isOldestFirst: true, isCounted: false }

export function addSettlements(routes: Routes): void {
  addSettle(routes)
  addRetry(routes)
  addAcknowledge(routes)
  addReads(routes)
}

function addSettle(routes: Routes): void {
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
    async ({ operator, shard, params }) => {
      const { ids, reads, submit } = shard
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

function addRetry(routes: Routes): void {
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
    async ({ operator, shard, params, chargeAfter }) => {
      const marketSerial = serialOf(shard.ids, params.id)
      const command = { operatorId: operator.id, marketSerial }
      const result = await shard.submit('retrySettlements', command)
      chargeAfter({ result })
      if (!result.isAccepted) return refusalOf(result.reject)
      return retryAnswer(shard, operator, {
        ...result.answer,
        marketId: params.id.toLowerCase(),
      })
    },
  )
}

function addAcknowledge(routes: Routes): void {
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
    async ({ operator, shard, params, body }) => {
      const { ids, reads, submit } = shard
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

function addReads(routes: Routes): void {
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
    ({ operator, shard, query, reads }) => {
      const settlements = {
        name: 'settlements' as const,
        read: reads().settlements,
        present: (row: SettlementRow) => presentSettlement(shard.ids, row),
      }
      return holdingsAnswer(shard, settlements, { operator, query })
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
    async ({ operator, shard, params, reads }) => {
      const market = await visibleMarket({ operator, shard, reads }, params.id)
      if (market instanceof Refusal) return market
      const isOwner = market.ownerNumber === operator.number
      const counts = await reads().settlementCounts({
        marketSerial: market.serial,
        operatorNumber: isOwner ? null : operator.number,
      })
      const marketId = shard.ids.textOf(market.serial, market.createdAt)
      return new Done(presentSettlementSummary(marketId, counts))
    },
  )
}
