// Markets and their outcomes, and the requests about them.

import { type Static, Type } from 'typebox'
import { outcomesMax, outcomesMin } from '../../core/markets/create-market.ts'
import { marketStatuses } from '../../core/words.ts'
import { countedMax, marketSorts } from '../../store/store.ts'
import { CategoryOfMarket } from './category.ts'
import { FeeSchedule, FeeScheduleInput } from './fee-schedule.ts'
import {
  Cursor,
  Description,
  decimal,
  Id,
  ImageUrl,
  limitOf,
  line,
  name,
  named,
  nullable,
  priceStep,
  prose,
  Reason,
  record,
  request,
  Time,
  Title,
  wordList,
  words,
} from './fields.ts'
import { PriceBand, PriceBandInput } from './price-band.ts'

export const marketPageSize = 20
const sortOrders = ['asc', 'desc'] as const

export const Outcome = record('Outcome', {
  id: Id,
  name: Type.String(),
  description: nullable(Type.String()),
  index: Type.Integer(),
  createdAt: Time,
  updatedAt: Time,
})

const Payout = Type.Object({ outcomeId: Id, payoutPerShare: decimal('0.5') })
type Payout = Static<typeof Payout>

export const Market = record('Market', {
  id: Id,
  operatorId: Id,
  categoryId: nullable(Type.String()),
  title: Type.String(),
  description: nullable(Type.String()),
  imageUrl: nullable(Type.String()),
  status: words(marketStatuses),
  currency: Type.String(),
  tradingStartsAt: nullable(Time),
  tradingEndsAt: nullable(Time),
  resolvedAt: nullable(Time),
  winningOutcomeId: nullable(Id),
  resolutionSource: nullable(Type.String()),
  resolutionNotes: nullable(Type.String()),
  payouts: Type.Unsafe<readonly Payout[] | null>({
    ...Type.Array(Payout),
    type: ['array', 'null'],
    description: 'The payout of every outcome; null unless the market was resolved by payouts.',
  }),
  totalVolume: decimal('250', 'Shares traded, each trade counted once.'),
  totalTrades: Type.Integer(),
  metadata: nullable(Type.Object({}, { additionalProperties: true })),
  shared: Type.Boolean({ description: 'Whether other operators may trade in the market.' }),
  completeSetMatching: Type.Boolean(),
  publicPage: Type.Boolean({ description: 'Whether anybody may read it at /m/{id}.' }),
  feeSchedule: FeeSchedule,
  priceBand: PriceBand,
  createdAt: Time,
  updatedAt: Time,
  outcomes: Type.Array(named(Outcome)),
  category: Type.Optional(named(CategoryOfMarket)),
})
export type Market = Static<typeof Market>

const Metadata = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      'Any JSON object of at most 16 KiB and 8 levels, without the keys `__proto__`, ' +
      '`constructor` and `prototype`.',
  },
)

const PublicPage = Type.Boolean({
  description:
    'Whether anybody may read the title, the outcomes, prices, volume, status and times at ' +
    '`/m/{id}` and `/api/v1/public/markets/{id}`, once the market is no DRAFT any more.',
})

const MarketFees = Type.Unsafe<FeeScheduleInput>({
  ...FeeScheduleInput,
  description:
    "What the owner's own side of a trade pays in this market; null for the owner's usual fees. " +
    'It cannot be changed once the market is OPEN.',
})

export const CreateMarketBody = request(
  'CreateMarket',
  {
    title: Title,
    description: Type.Optional(nullable(Description)),
    categoryId: Type.Optional(nullable(Id)),
    imageUrl: Type.Optional(nullable(ImageUrl)),
    currency: Type.Optional(line(1, 16)),
    tradingStartsAt: Type.Optional(nullable(Time)),
    tradingEndsAt: Type.Optional(nullable(Time)),
    outcomes: Type.Optional(
      Type.Array(
        Type.Object(
          { name: name(1, 256), description: Type.Optional(nullable(Description)) },
          { additionalProperties: false },
        ),
        {
          minItems: outcomesMin,
          maxItems: outcomesMax,
          description: 'Defaults to Yes and No. Names must be unique within the market.',
        },
      ),
    ),
    metadata: Type.Optional(nullable(Metadata)),
    shared: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether other operators may trade in the market.',
      }),
    ),
    completeSetMatching: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether orders also match by minting and merging complete sets.',
      }),
    ),
    publicPage: Type.Optional(Type.Boolean({ ...PublicPage, default: false })),
    feeSchedule: Type.Optional(MarketFees),
    priceBand: Type.Optional(PriceBandInput),
  },
  { example: { title: 'Will it rain in Lisbon tomorrow?', currency: 'USD' } },
)
export type CreateMarketBody = Static<typeof CreateMarketBody>

export const EditMarketBody = request(
  'EditMarket',
  {
    title: Type.Optional(Title),
    description: Type.Optional(nullable(Description)),
    imageUrl: Type.Optional(nullable(ImageUrl)),
    categoryId: Type.Optional(nullable(Id)),
    tradingStartsAt: Type.Optional(nullable(Time)),
    tradingEndsAt: Type.Optional(nullable(Time)),
    metadata: Type.Optional(nullable(Metadata)),
    publicPage: Type.Optional(PublicPage),
    feeSchedule: Type.Optional(MarketFees),
    priceBand: Type.Optional(PriceBandInput),
  },
  { example: { imageUrl: 'https://example.com/rain.png' } },
)
export type EditMarketBody = Static<typeof EditMarketBody>

export const GiveReason = request(
  'GiveReason',
  { reason: Reason },
  { example: { reason: 'The match is interrupted' } },
)

export const ChangeTradingWindowBody = request(
  'ChangeTradingWindow',
  {
    tradingEndsAt: Type.String({
      ...Time,
      description: 'In the future, and after the tradingStartsAt of the market.',
    }),
    reason: Reason,
  },
  { example: { tradingEndsAt: '2026-12-01T20:30:00Z', reason: 'The match starts later' } },
)
export type ChangeTradingWindowBody = Static<typeof ChangeTradingWindowBody>

const PayoutNumber = Type.Object(
  {
    outcomeId: Id,
    payoutPerShare: Type.Number({
      minimum: 0,
      maximum: 1,
      description: `A multiple of ${priceStep}.`,
      examples: [0.5],
    }),
  },
  { additionalProperties: false },
)
type PayoutNumber = Static<typeof PayoutNumber>

const resolutionFields = {
  winningOutcomeId: Type.Optional(nullable(Id)),
  payouts: Type.Optional(
    Type.Unsafe<readonly PayoutNumber[] | null>({
      ...Type.Array(PayoutNumber, { minItems: 1, maxItems: outcomesMax }),
      type: ['array', 'null'],
      description:
        'Instead of winningOutcomeId, for a draw, a dead heat or a void market. They must add ' +
        'up to exactly 1; an omitted outcome pays 0.',
    }),
  ),
}

export const ResolveMarketBody = request(
  'ResolveMarket',
  {
    ...resolutionFields,
    resolutionSource: name(1, 1_024),
    resolutionNotes: Type.Optional(nullable(prose(0, 8_192))),
  },
  {
    example: {
      winningOutcomeId: '019a8a30-1c00-7000-8000-000000000001',
      resolutionSource: 'https://example.com/weather/lisbon',
    },
  },
)

export type ResolveMarketBody = Static<typeof ResolveMarketBody>

export const PreviewSettlementBody = request('PreviewSettlement', resolutionFields, {
  example: { winningOutcomeId: '019a8a30-1c00-7000-8000-000000000001' },
})
export type ResolutionBody = Static<typeof PreviewSettlementBody>

export const MarketsQuery = Type.Object({
  categoryId: Type.Optional(Id),
  status: wordList(marketStatuses),
  search: Type.Optional(
    Type.String({ ...line(1, 256), description: 'Text that the title contains.' }),
  ),
  shared: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Includes the shared markets of other operators.',
    }),
  ),
  attention: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Only markets in which their owner has the next step: SUSPENDED, CLOSED or RESOLVED ' +
        'ones, and OPEN ones after their tradingEndsAt.',
    }),
  ),
  sort: Type.Optional(
    Type.Unsafe<(typeof marketSorts)[number]>({
      ...words(marketSorts),
      default: 'createdAt',
      description:
        `Up to ${countedMax} matching markets can be sorted by another field than createdAt, or ` +
        'in ascending order. Pages follow the values of the moment in which each is read. A ' +
        'market without a tradingEndsAt comes last.',
    }),
  ),
  order: Type.Optional(
    Type.Unsafe<(typeof sortOrders)[number]>({ ...words(sortOrders), default: 'desc' }),
  ),
  cursor: Cursor,
  limit: limitOf(marketPageSize),
})
export type MarketsQuery = Static<typeof MarketsQuery>
