// Orders and trades.

import { type Static, Type } from 'typebox'
import { answerTradesMax } from '../../core/events/answer.ts'
import {
  orderStatuses,
  type PartyRole,
  partyRoles,
  type SelfTradePrevention,
  selfTradePreventions,
  type TimeInForce,
  type TradeKind,
  timesInForce,
  tradeKinds,
} from '../../core/words.ts'
import {
  amountStep,
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
  requiredUnless,
  sharesRule,
  sharesStep,
  Time,
  TransactionId,
  wordList,
  words,
} from './fields.ts'

export const orderPageSize = 50

/** The answer to a batch lists no more trades than these, of its first orders. */
export const batchTradesMax = 5_000

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
    description: 'Always GTC for a MARKET order, which never rests.',
  }),
  postOnly: Type.Boolean(),
  selfTradePrevention: words(selfTradePreventions),
  orderGroupId: Type.Unsafe<string | null>({
    ...nullable(Id),
    description: 'The order group that it is in, or was in.',
  }),
  transactionId: nullable(Type.String()),
  expiresAt: nullable(Time),
  createdAt: Time,
  updatedAt: Time,
  amount: Type.Unsafe<string | null>({
    ...decimal(
      '10',
      'What an order by amount may spend, fees included; its shares are those that it has ' +
        'filled. null for an order by shares.',
    ),
    type: ['string', 'null'],
  }),
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
  price: decimal(
    '0.55',
    "The resting order's price; in a MINT or MERGE, that order's part of the price of a set.",
  ),
  shares: decimal('10'),
  buyerFee: decimal('0.11'),
  sellerFee: decimal('0.11'),
  buyerRole: Type.Unsafe<PartyRole>({
    ...words(partyRoles),
    description:
      'TAKER: the incoming order. MAKER: an order that rested. ISSUER: the side of a leg without ' +
      'an order.',
  }),
  sellerRole: Type.Unsafe<PartyRole>({ ...words(partyRoles), description: 'As buyerRole.' }),
  kind: Type.Unsafe<TradeKind>({
    ...words(tradeKinds),
    description:
      'DIRECT: a BUY order met a SELL order. MINT and MERGE: one leg of a match by complete ' +
      'sets, whose side without an order has the matchId as its order id, the owner of the ' +
      'market as its operator, and a fee of 0.',
  }),
  matchId: Type.Unsafe<string | null>({
    ...nullable(Id),
    description: 'Shared by all legs of one match; null for DIRECT.',
  }),
  createdAt: Time,
})
export type Trade = Static<typeof Trade>

function spending(example: string, description: string) {
  return Type.Optional(decimal(example, `${description} only of an order by amount.`))
}

export const Placement = record('Placement', {
  order: named(Order),
  trades: Type.Array(named(Trade), {
    description:
      `The trades of this placement, first to last: at most ${answerTradesMax} of an order and ` +
      `${batchTradesMax} of a batch.`,
  }),
  hasMoreTrades: Type.Boolean({
    description: 'Whether trades does not list all of them; GET /api/v1/trades?orderId= does.',
  }),
  status: words(orderStatuses),
  filledShares: decimal('10'),
  avgFillPrice: decimal('0.55'),
  remainingShares: decimal('15'),
  spent: spending('9.996', 'What an order by amount has spent, fees included;'),
  unspent: spending('0.004', 'What is left of the amount;'),
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
    shares: Type.Optional(
      Type.Number({
        description: `${sharesRule} Required unless amount is given.`,
        examples: [25],
      }),
    ),
    amount: Type.Optional(
      nullable(
        Type.Number({
          description:
            `Instead of shares: the most that the order spends, fees included, in steps of ` +
            `${amountStep} from 0.01 to the largest number of shares that an order may have. For ` +
            'BUY orders that are MARKET, or LIMIT with timeInForce IOC or FOK.',
          examples: [10],
        }),
      ),
    ),
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
        Type.String({
          ...TransactionId,
          description: 'Idempotency key: repeating the request with the same key changes nothing.',
        }),
      ),
    ),
    expiresAt: Type.Optional(nullable(Time)),
    timeInForce: Type.Optional(
      Type.Unsafe<TimeInForce | null>({
        type: ['string', 'null'],
        enum: [...timesInForce, null],
        description:
          'For LIMIT orders. GTC (the default): the remainder rests in the book. IOC: the ' +
          'remainder is cancelled. FOK: the order is filled in full or rejected.',
      }),
    ),
    postOnly: Type.Optional(
      nullable(
        Type.Boolean({
          default: false,
          description: 'For GTC LIMIT orders: the order is rejected if it would match immediately.',
        }),
      ),
    ),
    selfTradePrevention: Type.Optional(
      Type.Unsafe<SelfTradePrevention | null>({
        type: ['string', 'null'],
        enum: [...selfTradePreventions, null],
        default: 'NONE',
        description:
          'If the order meets a resting order of the same player, NONE lets them trade, ' +
          'CANCEL_NEWEST cancels the remainder of this order, and CANCEL_OLDEST cancels the ' +
          'resting order and continues.',
      }),
    ),
    orderGroupId: Type.Optional(
      Type.Unsafe<string | null>({
        ...nullable(Id),
        description: 'An order group of the player: the order is cancelled once it is triggered.',
      }),
    ),
  },
  { example: orderExample, ...requiredUnless('shares', 'amount') },
)
export type PlaceOrderBody = Static<typeof PlaceOrderBody>

export const AmendOrderBody = request(
  'AmendOrder',
  {
    shares: Type.Optional(
      Type.Number({
        description:
          `The new total, greater than filledShares: a multiple of ${sharesStep}; 1 to 100000 ` +
          'unless configured otherwise.',
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

const batchMax = 100

export const PlaceOrders = request(
  'PlaceOrders',
  { orders: Type.Array(named(PlaceOrderBody), { minItems: 1, maxItems: batchMax }) },
  { example: { orders: [orderExample] } },
)

/** PlaceOrders without a check of each order: a malformed order is refused on its own. */
export const AnyOrders = Type.Object(
  { orders: Type.Array(Type.Unknown(), { minItems: 1, maxItems: batchMax }) },
  { additionalProperties: false },
)

/** The result of one order of a batch, as it would be answered alone. */
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
    description: 'What the order would match immediately, best price first, one fill per price.',
  }),
  filledShares: decimal('10'),
  avgFillPrice: decimal('0.55', '0 if nothing would match.'),
  restingShares: decimal('15', 'The shares that would rest in the book.'),
  cost: decimal('5.5', 'What a BUY pays for the fills; 0 for a SELL.'),
  fee: decimal('0.11', 'The fee of the fills.'),
  maxCost: decimal(
    '14.025',
    'The most that the wallet must hold: the fills, the remainder at its limit price, and all ' +
      'fees. For a SELL, its fees. For an order by amount, what it would spend.',
  ),
  spent: spending('9.996', 'What an order by amount would spend, fees included;'),
  unspent: spending('0.004', 'What would be left of the amount;'),
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

/** Of orders whose place in the queue one request may ask for. */
export const queuePositionsMax = 1_000

export const QueuePosition = record('QueuePosition', {
  orderId: Id,
  ordersAhead: Type.Integer({
    description: 'The orders at the same price that match before it, of all players.',
  }),
  sharesAhead: decimal('120', 'What remains of their shares.'),
  version: Type.Integer({ description: 'The version of the book in which it was counted.' }),
})
export type QueuePosition = Static<typeof QueuePosition>

export const QueuePositions = record('QueuePositions', {
  orders: Type.Array(named(QueuePosition), { description: 'Newest first.' }),
  hasMore: Type.Boolean({ description: `Whether more than ${queuePositionsMax} orders match.` }),
})

export const QueueQuery = Type.Object({
  marketId: Type.Optional(Id),
  playerId: Type.Optional(PlayerId),
})

export const TradesQuery = Type.Object({
  marketId: Type.Optional(Id),
  outcomeId: Type.Optional(Id),
  orderId: Type.Optional(Id),
  playerId: Type.Optional(PlayerId),
  cursor: Cursor,
  limit: limitOf(orderPageSize),
})
export type TradesQuery = Static<typeof TradesQuery>
