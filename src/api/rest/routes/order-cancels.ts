// Cancelling every open order that fits a filter. They are found in the store and cancelled slice
// by slice, each a command of its own, so that others trade in between.

import { Type } from 'typebox'
import type { OpenOrdersQuery } from '../../../store/store.ts'
import { invalidField, refusalOf } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { serialOrNull } from '../../parse/serial.ts'
import { CancelOrdersQuery } from '../../schemas/order.ts'
import type { Context } from '../context.ts'
import type { Routes } from './routes.ts'

/** How many open orders the store looks at for one slice. */
const sliceMax = 1_000

const noFilter = invalidField('query', 'must contain marketId, playerId, outcomeId or side')

export function addOrderCancels(routes: Routes, context: Context): void {
  const { ids } = context
  routes.operator(
    {
      method: 'DELETE',
      path: '/api/v1/orders',
      scope: 'trade',
      bucket: 'cancels',
      tag: 'Orders',
      name: 'cancelOrders',
      summary: 'Cancel many orders',
      description:
        'Every open order of yours that fits all filters given; at least one is needed. Orders ' +
        'that are placed meanwhile are left alone. Answers when the last is cancelled.',
      query: CancelOrdersQuery,
      answer: Type.Object({
        cancelled: Type.Integer({ description: 'How many orders were cancelled.' }),
      }),
    },
    ({ operator, query }) => {
      const filter = {
        market: serialOrNull(ids, query.marketId),
        outcome: serialOrNull(ids, query.outcomeId),
        playerId: query.playerId ?? null,
        side: query.side ?? null,
      }
      if (Object.values(filter).every((value) => value === null)) return noFilter
      return cancelAll(context, operator.id, { operator: operator.number, ...filter })
    },
  )
}

async function cancelAll(
  { reads, submit }: Context,
  operatorId: string,
  filter: Omit<OpenOrdersQuery, 'after' | 'limit'>,
) {
  let cancelled = 0
  let after: number | null = null
  do {
    const slice = await reads.openOrders({ ...filter, after, limit: sliceMax })
    after = slice.next
    if (slice.serials.length === 0) continue
    const result = await submit('cancelMany', { operatorId, orderSerials: slice.serials })
    if (!result.isAccepted) return refusalOf(result.reject)
    cancelled += result.answer.cancelled
  } while (after !== null)
  return new Done({ cancelled })
}
