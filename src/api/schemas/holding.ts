// What players hold and what it paid: positions, complete sets, settlements.

import { type Static, Type } from 'typebox'
import { settlementStatuses } from '../../core/words.ts'
import {
  Cursor,
  decimal,
  Id,
  named,
  nullable,
  PlayerId,
  pageMax,
  prose,
  record,
  request,
  SharesNumber,
  Time,
  TransactionId,
  words,
} from './fields.ts'

export const Position = record('Position', {
  id: Id,
  marketId: Id,
  outcomeId: Id,
  operatorId: Id,
  playerId: Type.String(),
  shares: decimal('25'),
  reservedShares: decimal('10', 'Offered in open SELL orders.'),
  avgPrice: decimal('0.55'),
  totalCost: decimal('13.75'),
  realizedPnl: decimal('0'),
  createdAt: Time,
  updatedAt: Time,
})
export type Position = Static<typeof Position>

export const ChangeSets = request(
  'ChangeSets',
  {
    playerId: PlayerId,
    shares: SharesNumber,
    transactionId: Type.Optional(nullable(TransactionId)),
  },
  { example: { playerId: 'ann', shares: 100, transactionId: 'mint-1001' } },
)
export type ChangeSets = Static<typeof ChangeSets>

export const CompleteSets = record('CompleteSets', {
  id: Id,
  marketId: Id,
  playerId: Type.String(),
  kind: words(['MINT', 'REDEEM']),
  shares: decimal('100'),
  amount: decimal('100', 'What the operator collects or pays.'),
  positions: Type.Array(named(Position)),
  transactionId: nullable(Type.String()),
  createdAt: Time,
})
export type CompleteSets = Static<typeof CompleteSets>

export const Settlement = record('Settlement', {
  id: Id,
  positionId: Id,
  marketId: Id,
  outcomeId: Id,
  operatorId: Id,
  playerId: Type.String(),
  shares: decimal('25'),
  payoutPerShare: decimal('1'),
  totalPayout: decimal('25'),
  transactionId: nullable(Type.String()),
  status: words(settlementStatuses),
  errorMessage: nullable(Type.String()),
  settledAt: nullable(Time),
  createdAt: Time,
  updatedAt: Time,
})
export type Settlement = Static<typeof Settlement>

export const SettleResult = record('SettleResult', {
  marketId: Id,
  totalPositions: Type.Integer(),
  successCount: Type.Integer(),
  failedCount: Type.Integer(),
  totalPayout: decimal('25'),
  cancelledOrders: Type.Integer(),
  settlements: Type.Array(named(Settlement), { description: 'Your own, whole.' }),
  errors: Type.Array(
    Type.Object({
      positionId: Id,
      playerId: Type.String(),
      code: Type.String(),
      message: Type.String(),
    }),
  ),
})
export type SettleResult = Static<typeof SettleResult>

export const SettlementSummary = record('SettlementSummary', {
  marketId: Id,
  totalPositions: Type.Integer(),
  pendingCount: Type.Integer(),
  processingCount: Type.Integer(),
  completedCount: Type.Integer(),
  failedCount: Type.Integer(),
  totalPayout: decimal('25'),
  completedPayout: decimal('25'),
})
export type SettlementSummary = Static<typeof SettlementSummary>

export const AcknowledgeSettlement = request(
  'AcknowledgeSettlement',
  {
    transactionId: TransactionId,
    status: words(['COMPLETED', 'FAILED']),
    errorMessage: Type.Optional(nullable(prose(0, 1_024))),
  },
  { example: { transactionId: 'payout-1001', status: 'COMPLETED' } },
)

/** Without limit and cursor the answer is the whole array. */
export const HoldingsQuery = Type.Object({
  marketId: Type.Optional(Id),
  playerId: Type.Optional(PlayerId),
  cursor: Cursor,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pageMax,
      description: 'With a limit or a cursor the answer is a page.',
    }),
  ),
})
export type HoldingsQuery = Static<typeof HoldingsQuery>
