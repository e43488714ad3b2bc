// Holdings of players: positions, complete sets and settlements.

import { type Static, Type } from 'typebox'
import { markSources } from '../../core/valuation.ts'
import { type SettlementStatus, settlementStatuses } from '../../core/words.ts'
import {
  Cursor,
  decimal,
  Id,
  limitOf,
  line,
  named,
  nullable,
  PlayerId,
  pageMax,
  playerIdMax,
  prose,
  record,
  request,
  SharesNumber,
  Time,
  TransactionId,
  words,
} from './fields.ts'

const positionFields = {
  id: Id,
  marketId: Id,
  outcomeId: Id,
  operatorId: Id,
  playerId: Type.String(),
  shares: decimal('25'),
  reservedShares: decimal('10', 'Shares reserved by open SELL orders.'),
  avgPrice: decimal('0.55'),
  totalCost: decimal('13.75'),
  realizedPnl: decimal('0'),
  createdAt: Time,
  updatedAt: Time,
}
export const Position = record('Position', positionFields)
export type Position = Static<typeof Position>

export const ValuedPosition = record('ValuedPosition', {
  ...positionFields,
  mark: Type.Unsafe<(typeof markSources)[number]>({
    ...words(markSources),
    description:
      'What the position is valued at: PAYOUT, what a share pays, once the market is resolved; ' +
      'LAST, the price of the last trade of the outcome; COST, its cost, before the first ' +
      'trade and in a CANCELLED market.',
  }),
  markPrice: nullable(decimal('0.6', 'Per share; null with COST.')),
  value: decimal('15', 'shares x markPrice, or totalCost with COST.'),
  unrealizedPnl: decimal('1.25', 'value - totalCost.'),
  totalPnl: decimal('1.25', 'realizedPnl + unrealizedPnl.'),
  payoutIfWins: decimal('25', 'What the position pays if its outcome alone wins.'),
})
export type ValuedPosition = Static<typeof ValuedPosition>

export const ChangeSetsBody = request(
  'ChangeSets',
  {
    playerId: PlayerId,
    shares: SharesNumber,
    transactionId: Type.Optional(nullable(TransactionId)),
  },
  { example: { playerId: 'ann', shares: 100, transactionId: 'mint-1001' } },
)
export type ChangeSetsBody = Static<typeof ChangeSetsBody>

export const CompleteSets = record('CompleteSets', {
  id: Id,
  marketId: Id,
  playerId: Type.String(),
  kind: words(['MINT', 'REDEEM']),
  shares: decimal('100'),
  amount: decimal('100', 'What the operator collects for a MINT or pays for a REDEEM.'),
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
  payoutPerShare: decimal('1', 'What one share of the outcome pays, from 0 to 1.'),
  totalPayout: decimal('25', 'The amount due to the player: shares x payoutPerShare.'),
  transactionId: nullable(
    Type.String({
      description:
        'Your reference of the payment, from your last acknowledgement; null until you have ' +
        'acknowledged the settlement.',
    }),
  ),
  status: Type.Unsafe<SettlementStatus>({
    ...words(settlementStatuses),
    description:
      'COMPLETED: the amount is final and due to the player, whether you have paid it or not. ' +
      'FAILED: you have reported that the payment failed.',
  }),
  errorMessage: nullable(
    Type.String({ description: 'Why the payment failed, as you have reported it.' }),
  ),
  settledAt: nullable({
    ...Time,
    description: 'When the record was last made or reported COMPLETED; null while it is FAILED.',
  }),
  createdAt: Time,
  updatedAt: Time,
})
export type Settlement = Static<typeof Settlement>

export const SettleResult = record('SettleResult', {
  marketId: Id,
  totalPositions: Type.Integer({ description: 'The positions that this request has settled.' }),
  successCount: Type.Integer({
    description: 'The settlement records that are COMPLETED: amounts that are final and due.',
  }),
  failedCount: Type.Integer({ description: 'Positions without a final amount, which is none.' }),
  totalPayout: decimal('25', 'The sum of the amounts due, of all operators.'),
  cancelledOrders: Type.Integer({ description: 'The open orders that were cancelled.' }),
  settlements: Type.Array(named(Settlement), {
    description: 'The settlements of the calling operator.',
  }),
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
  totalPositions: Type.Integer({ description: 'The positions in the market, settled or not.' }),
  pendingCount: Type.Integer({ description: 'Positions that have no settlement record yet.' }),
  processingCount: Type.Integer({
    description: 'Settlement records that are PROCESSING, which is none: one step makes a record.',
  }),
  completedCount: Type.Integer({
    description:
      'Settlement records that are COMPLETED: their amounts are final and due. This does not ' +
      'count payments. A record is COMPLETED as soon as it is made, before anybody was paid; ' +
      'GET /settlements?acknowledged=true lists what you have reported.',
  }),
  failedCount: Type.Integer({
    description: 'Settlement records whose payment was reported as failed and not retried since.',
  }),
  totalPayout: decimal('25', 'The sum of the amounts of all settlement records.'),
  completedPayout: decimal('25', 'The sum of the amounts of the COMPLETED records.'),
})
export type SettlementSummary = Static<typeof SettlementSummary>

/** Operators of a settlement preview; the totals are of all. */
export const operatorsShownMax = 100

const paid = {
  positions: Type.Integer(),
  totalPayout: decimal('25'),
  outcomes: Type.Array(
    Type.Object({
      outcomeId: Id,
      positions: Type.Integer(),
      shares: decimal('25'),
      payout: decimal('25', 'shares x payoutPerShare of the outcome.'),
    }),
    { description: 'Those with positions, in the order of the market.' },
  ),
}
export const SettlementPreview = record('SettlementPreview', {
  marketId: Id,
  payouts: Type.Array(Type.Object({ outcomeId: Id, payoutPerShare: decimal('1') })),
  ...paid,
  operatorsTotal: Type.Integer({ description: 'The operators with positions.' }),
  operators: Type.Array(Type.Object({ operatorId: Id, ...paid }), {
    maxItems: operatorsShownMax,
    description: `The ${operatorsShownMax} operators that are paid most, the largest first.`,
  }),
})
export type SettlementPreview = Static<typeof SettlementPreview>

export const AcknowledgeSettlementBody = request(
  'AcknowledgeSettlement',
  {
    transactionId: TransactionId,
    status: words(['COMPLETED', 'FAILED']),
    errorMessage: Type.Optional(
      nullable({
        ...prose(0, 1_024),
        description: 'Why the payment failed; ignored with COMPLETED.',
      }),
    ),
  },
  { example: { transactionId: 'payout-1001', status: 'COMPLETED' } },
)

export const Exposure = record('Exposure', {
  playerId: Type.String(),
  currencies: Type.Array(
    Type.Object({
      currency: Type.String(),
      openBuyCost: decimal('27.5', 'The cost of the remaining shares of open BUY orders.'),
      openBuyFees: decimal(
        '0.55',
        'The most that these orders pay in fees while they rest: as makers, at your current fees.',
      ),
      positionsCost: decimal('13.75', 'The sum of totalCost of the counted positions.'),
    }),
    { description: 'The currencies of the open orders and positions, sorted by name.' },
  ),
  openOrders: Type.Integer({
    description: 'The number of PENDING and PARTIAL orders, BUY and SELL.',
  }),
  positions: Type.Integer({
    description:
      'The number of positions with shares in markets that are neither SETTLED nor CANCELLED.',
  }),
})
export type Exposure = Static<typeof Exposure>

export const Valuation = record('Valuation', {
  playerId: Type.String(),
  currencies: Type.Array(
    Type.Object({
      currency: Type.String(),
      positions: Type.Integer({ description: 'All that the player has had, empty ones included.' }),
      totalCost: decimal('13.75'),
      value: decimal('15', 'The sum of the values, as GET /positions has them.'),
      unrealizedPnl: decimal('1.25'),
      realizedPnl: decimal('0'),
      totalPnl: decimal('1.25', 'realizedPnl + unrealizedPnl, without fees.'),
    }),
    { description: 'Sorted by name.' },
  ),
})
export type Valuation = Static<typeof Valuation>

export const Reconciliation = record('Reconciliation', {
  setsMinted: decimal('100', 'Complete sets minted, by calls and by matching.'),
  setsRedeemed: decimal('10', 'Complete sets redeemed by calls or merged by matching.'),
  outcomes: Type.Array(
    Type.Object({ outcomeId: Id, shares: decimal('90', 'The shares that all players hold.') }),
  ),
  operators: Type.Array(
    Type.Object({
      operatorId: Id,
      minted: decimal('100', 'What its players paid for sets minted by calls.'),
      redeemed: decimal('10', 'What its players received for sets redeemed by calls.'),
      bought: decimal('13.75', 'What its BUY orders paid in trades.'),
      sold: decimal('13.75', 'What its SELL orders received in trades.'),
      fees: decimal('0.275', 'The fees of its side of these trades.'),
    }),
    { description: 'The operators whose players minted, redeemed or traded in the market.' },
  ),
  payouts: decimal('90', 'The sum of all settlement records.'),
  balanced: Type.Boolean({
    description:
      'Whether the shares of every outcome equal the sets minted minus the sets redeemed, ' +
      'and a SETTLED market has paid out 1 for each set.',
  }),
})
export type Reconciliation = Static<typeof Reconciliation>

const holdingFilters = {
  marketId: Type.Optional(Id),
  playerId: Type.Optional(PlayerId),
  cursor: Cursor,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pageMax,
      description: 'With limit or cursor the response is a page, otherwise the whole array.',
    }),
  ),
}
export const playersPageSize = 50
/** Of a cursor with an id of 128 characters of 4 bytes each. */
const playersCursorMax = 700

export const PlayersQuery = Type.Object({
  search: Type.Optional(
    Type.String({
      ...line(1, playerIdMax),
      description: 'How the id of a player begins, in the same case.',
    }),
  ),
  cursor: Type.Optional(Type.String({ ...Cursor, maxLength: playersCursorMax })),
  limit: limitOf(playersPageSize),
})
export type PlayersQuery = Static<typeof PlayersQuery>

export const ListedPlayer = record('ListedPlayer', {
  playerId: Type.String(),
  positions: Type.Integer({
    description: 'All positions that the player has had, those without shares included.',
  }),
  openOrders: Type.Integer({ description: 'The number of PENDING and PARTIAL orders.' }),
})
export type ListedPlayer = Static<typeof ListedPlayer>

export const HoldingsQuery = Type.Object(holdingFilters)
export type HoldingsQuery = Static<typeof HoldingsQuery>

export const SettlementsQuery = Type.Object({
  ...holdingFilters,
  acknowledged: Type.Optional(
    Type.Boolean({
      description:
        'false: only the payouts that you have not reported yet. true: only those that you have ' +
        'reported, as paid or as failed.',
    }),
  ),
})
export type SettlementsQuery = Static<typeof SettlementsQuery>
