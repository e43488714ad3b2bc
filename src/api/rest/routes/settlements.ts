// Settling a market, and the settlement record of each position.

import { Type } from 'typebox'
import type { Serial } from '../../../core/ids.ts'
import type { SettlementRow } from '../../../store/store.ts'
import { Refusal, refusalOf } from '../../errors.ts'
import { answerOfStored } from '../../faults.ts'
import { Done, type Streamed } from '../../http/response.ts'
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
  Settlement,
  SettlementSummary,
  SettlementsQuery,
  SettleResult,
} from '../../schemas/holding.ts'
import { rowsPerPiece, totalsAnswer } from '../array-stream.ts'
import { holdingsAnswer } from '../holdings-answer.ts'
import type { MarketCaller } from '../market-answer.ts'
import { retryAgain, retryAnswer } from '../retry-answer.ts'
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
      description:
        'Cancels its open orders, and makes one settlement record for each position, with the ' +
        'amount that is due to the player. A record is COMPLETED at once: its amount is final. ' +
        'The service moves no money. Pay the players, and acknowledge each record.',
      answer: named(SettleResult),
      errors: [
        'MARKET_NOT_FOUND',
        'MARKET_INVALID_TRANSITION',
        'SETTLEMENT_ALREADY_COMPLETED',
        'SETTLEMENT_FAILED',
      ],
    },
    async ({ operator, shard, params }) => {
      const marketSerial = serialOf(shard.ids, params.id)
      const result = await shard.submit('settle', { operatorId: operator.id, marketSerial })
      if (!result.isAccepted) return refusalOf(result.reject)
      return answerOfStored(async () => {
        const totals = presentSettleTotals(params.id.toLowerCase(), result.answer)
        return settleAnswer({ operator, shard }, marketSerial, totals)
      })
    },
    ({ operator, shard, params }, totals) =>
      settleAnswer({ operator, shard }, serialOf(shard.ids, params.id), totals as object),
  )
}

/** The totals, and the caller's own settlements as they are now. */
function settleAnswer(
  { operator, shard: { ids, reads } }: MarketCaller,
  marketSerial: Serial,
  totals: object,
): Promise<Streamed> {
  const operatorNumber = operator.number
  const filter = { operatorNumber, marketSerial, playerId: null, limit: rowsPerPiece }
  return totalsAnswer(totals, 'settlements', {
    read: (after) => reads.settlements({ ...filter, after, ...inOrder }),
    present: (row) => presentSettlement(ids, row),
  })
}

function addRetry(routes: Routes): void {
  routes.operator(
    {
      method: 'POST',
      path: '/api/v1/markets/:id/retry-settlements',
      scope: 'manage',
      tag: 'Settlements',
      name: 'retrySettlements',
      summary: 'Make the payouts that failed due again',
      description:
        'Sets FAILED settlements back to COMPLETED. Counts, totals and records of the response ' +
        'are those that are to be paid again. They keep the reference of the failed payment ' +
        'until you acknowledge them again, and so count as acknowledged.',
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
    async ({ operator, shard }, kept) => retryAgain(shard, operator, kept),
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
      summary: 'Report that a payout was paid, or that its payment failed',
      description:
        'Keeps the reference of your payment with the settlement, for reconciliation. Repeating ' +
        'the same acknowledgement changes nothing; another one replaces it.',
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
      description:
        'Returns the whole array, or a page if limit or cursor is sent. acknowledged=false lists ' +
        'the payouts that are still to be paid or reported.',
      query: SettlementsQuery,
      answer: Type.Union([Type.Array(named(Settlement)), page('settlements', named(Settlement))]),
      csv: { field: 'settlements', row: Settlement },
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
        'Counts positions and the amounts due to them, not payments. Covers every operator for ' +
        'the owner of the market, and only its own positions and settlements for any other ' +
        'operator.',
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
