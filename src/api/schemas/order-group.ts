// Order groups.

import { type Static, Type } from 'typebox'
import {
  groupLimitMax,
  groupLimitMin,
  groupWindowMsMax,
  groupWindowMsMin,
  groupWindowMsUsual,
} from '../../core/orders/order-groups.ts'
import { Cursor, decimal, Id, limitOf, PlayerId, record, request, Time, words } from './fields.ts'

export const orderGroupPageSize = 50

const sharesPerUnit = 100
const LimitShares = Type.Number({
  minimum: groupLimitMin / sharesPerUnit,
  maximum: groupLimitMax / sharesPerUnit,
  description:
    'A multiple of 0.01. The group is triggered by the trade with which more than this is filled ' +
    'within the window.',
  examples: [500],
})

export const CreateOrderGroup = request(
  'CreateOrderGroup',
  {
    playerId: PlayerId,
    limitShares: LimitShares,
    windowMs: Type.Optional(
      Type.Integer({
        minimum: groupWindowMsMin,
        maximum: groupWindowMsMax,
        default: groupWindowMsUsual,
        description: 'For how long a fill counts.',
      }),
    ),
  },
  { example: { playerId: 'maker', limitShares: 500, windowMs: 15_000 } },
)
export type CreateOrderGroup = Static<typeof CreateOrderGroup>

export const LimitOrderGroup = request(
  'LimitOrderGroup',
  { limitShares: LimitShares },
  { example: { limitShares: 750 } },
)

export const OrderGroup = record('OrderGroup', {
  id: Id,
  playerId: Type.String(),
  limitShares: decimal('500'),
  windowMs: Type.Integer(),
  matchedShares: decimal('120', 'What of its orders was filled within the window until now.'),
  status: Type.Unsafe<'ACTIVE' | 'TRIGGERED'>({
    ...words(['ACTIVE', 'TRIGGERED'] as const),
    description: 'TRIGGERED until it is reset: it has no open orders, and takes no new ones.',
  }),
  createdAt: Time,
})
export type OrderGroup = Static<typeof OrderGroup>

export const OrderGroupsQuery = Type.Object({
  playerId: Type.Optional(PlayerId),
  cursor: Cursor,
  limit: limitOf(orderGroupPageSize),
})
