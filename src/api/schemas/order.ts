// Orders and trades.

import { type Static, Type } from 'typebox'
import {
  orderStatuses,
  type SelfTradePrevention,
  selfTradePreventions,
  type TimeInForce,
  type TradeKind,
  timesInForce,
  tradeKinds,
} from '../../core/words.ts'
import {
  Cursor,
  decimal,
  Id,
  limitOf,
  named,
  nullable,
  PlayerId,
  priceStep,
  record,
  request,
  SharesNumber,
  sharesStep,
  Time,
  TransactionId,
  wordList,
  words,
} from './fields.ts'

export const orderPageSize = 50

const sides = ['BUY', 'SELL'] as const
const types = ['MARKET', 'LIMIT'] as const

export const Order = record('Order', {
  id: Id,
  marketId: Id,
  outcomeId: Id,
  operatorId: Id,
  playerId: Type.String(),
  side: words(sides),
  type: words(types),
  shares: decimal('25'),
  price: Type.Unsafe<string | null>({
    ...decimal('0.55', 'null for a MARKET order.'),
    type: ['string', 'null'],
  }),
  filledShares: decimal('10'),
  avgFillPrice: decimal('0.55', '0 before the first fill.'),
  remainingShares: decimal('15', '0 once the order is closed.'),
  status: words(orderStatuses),
  timeInForce: Type.Unsafe<TimeInForce>({
    ...words(timesInForce),
    description: 'GTC says nothing of a MARKET order, which never rests.',
  }),
  postOnly: Type.Boolean(),
  selfTradePrevention: words(selfTradePreventions),
  transactionId: nullable(Type.String()),
  expiresAt: nullable(Time),
  createdAt: Time,
  updatedAt: Time,
})
export type Order = Static<typeof Order>

export const Trade = record('Trade', {
  id: Id,
  marketId: Id,
  outcomeId: Id,
  buyOrderId: Id,
  sellOrderId: Id,
  buyerOperatorId: Id,
  sellerOperatorId: Id,
  price: decimal('0.55', "The resting order's price; of a leg, that order's part of the set."),
  shares: decimal('10'),
  buyerFee: decimal('0.11'),
  sellerFee: decimal('0.11'),
  kind: Type.Unsafe<TradeKind>({
    ...words(tradeKinds),
    description:
      'DIRECT: a BUY met a SELL. MINT, MERGE: a leg of a match by complete sets; on the side ' +
      'without an order stands the matchId, the operator of the market, and a fee of 0.',
  }),
  matchId: Type.Unsafe<string | null>({
    ...nullable(Id),
    description: 'The same for all legs of one match; null for DIRECT.',
  }),
  createdAt: Time,
})
export type Trade = Static<typeof Trade>

export const Placement = record('Placement', {
  order: named(Order),
  trades: Type.Array(named(Trade)),
  status: words(orderStatuses),
  filledShares: decimal('10'),
  avgFillPrice: decimal('0.55'),
  remainingShares: decimal('15'),
})
export type Placement = Static<typeof Placement>

const orderExample = {
  marketId: '019a8a30-1c00-7000-8000-000000000001',
  outcomeId: '019a8a30-1c00-7000-8000-000000000002',
  playerId: 'ann',
  side: 'BUY',
  type: 'LIMIT',
  shares: 25,
  price: 0.55,
  transactionId: 'order-1001',
}

export const PlaceOrderBody = request(
  'PlaceOrder',
  {
    marketId: Id,
    outcomeId: Id,
    playerId: PlayerId,
    side: words(sides),
    type: words(types),
    shares: SharesNumber,
    price: Type.Optional(
      nullable(
        Type.Number({
          description:
            `A multiple of ${priceStep}; 0.01 to 0.99 unless configured otherwise. ` +
            'Required for LIMIT; ignored for MARKET.',
          examples: [0.55],
        }),
      ),
    ),
    transactionId: Type.Optional(
      nullable(
        Type.String({ ...TransactionId, description: 'The same one again changes nothing.' }),
      ),
    ),
    expiresAt: Type.Optional(nullable(Time)),
    timeInForce: Type.Optional(
      Type.Unsafe<TimeInForce | null>({
        type: ['string', 'null'],
        enum: [...timesInForce, null],
        description:
          'Of LIMIT orders. GTC (left out): the rest waits in the book. IOC: it is cancelled. ' +
          'FOK: all at once or nothing at all.',
      }),
    ),
    postOnly: Type.Optional(
      nullable(
        Type.Boolean({
          default: false,
          description: 'Of GTC LIMIT orders: refused where it would match at once.',
        }),
      ),
    ),
    selfTradePrevention: Type.Optional(
      Type.Unsafe<SelfTradePrevention | null>({
        type: ['string', 'null'],
        enum: [...selfTradePreventions, null],
        default: 'NONE',
        description:
          'When the order meets one of the same player: NONE trades, CANCEL_NEWEST cancels the ' +
          'rest of this order, CANCEL_OLDEST cancels the one that rests and goes on.',
      }),
    ),
  },
  { example: orderExample },
)
export type PlaceOrderBody = Static<typeof PlaceOrderBody>

export const AmendOrderBody = request(
  'AmendOrder',
  {
    shares: Type.Optional(
      Type.Number({
        description:
          `The new total, more than is filled: a multiple of ${sharesStep}; 1 to 100000 unless ` +
          'configured otherwise.',
        examples: [20],
      }),
    ),
    price: Type.Optional(
      Type.Number({
        description: `A multiple of ${priceStep}; 0.01 to 0.99 unless configured otherwise.`,
        examples: [0.56],
      }),
    ),
  },
  { example: { shares: 20, price: 0.56 } },
)
export type AmendOrderBody = Static<typeof AmendOrderBody>

export const batchMax = 100

export const PlaceOrders = request(
  'PlaceOrders',
  { orders: Type.Array(named(PlaceOrderBody), { minItems: 1, maxItems: batchMax }) },
  { example: { orders: [orderExample] } },
)

/** The same with orders of any form: each is refused by itself. */
export const AnyOrders = Type.Object(
  { orders: Type.Array(Type.Unknown(), { minItems: 1, maxItems: batchMax }) },
  { additionalProperties: false },
)

/** Of one order of several: as it would be answered alone. */
export type PlacedOne =
  | { readonly success: true; readonly data: Placement; readonly replayed?: true }
  | {
      readonly success: false
      readonly error: {
        readonly code: string
        readonly message: string
        readonly details?: object | undefined
      }
      readonly replayed?: true
    }
export const Preview = record('Preview', {
  fills: Type.Array(Type.Object({ price: decimal('0.55'), shares: decimal('10') }), {
    description: 'What it would match at once: best price first, one for each price.',
  }),
  filledShares: decimal('10'),
  avgFillPrice: decimal('0.55', '0 where nothing would match.'),
  restingShares: decimal('15', 'What would wait in the book.'),
  cost: decimal('5.5', 'What a buyer pays for the fills; 0 for a SELL.'),
  fee: decimal('0.11', 'On the fills.'),
  maxCost: decimal(
    '14.025',
    'The most that the wallet must hold: the fills, the rest at its limit, and all fees. For a ' +
      'SELL its fees.',
  ),
})
export type Preview = Static<typeof Preview>

export const OrdersQuery = Type.Object({
  playerId: Type.Optional(PlayerId),
  marketId: Type.Optional(Id),
  outcomeId: Type.Optional(Id),
  side: Type.Optional(words(sides)),
  type: Type.Optional(words(types)),
  status: wordList(orderStatuses),
  transactionId: Type.Optional(TransactionId),
  cursor: Cursor,
  limit: limitOf(orderPageSize),
})
export type OrdersQuery = Static<typeof OrdersQuery>

export const CancelOrdersQuery = Type.Object({
  marketId: Type.Optional(Id),
  playerId: Type.Optional(PlayerId),
  outcomeId: Type.Optional(Id),
  side: Type.Optional(words(sides)),
})

export const TradesQuery = Type.Object({
  marketId: Type.Optional(Id),
  outcomeId: Type.Optional(Id),
  cursor: Cursor,
  limit: limitOf(orderPageSize),
})
export type TradesQuery = Static<typeof TradesQuery>
