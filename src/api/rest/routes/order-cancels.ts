// Cancels every open order that matches a filter. The orders are read from the store and cancelled
// in slices, each a command of its own, so that other commands run in between.

import { Type } from 'typebox'
import type { OpenOrdersCursor, OpenOrdersQuery } from '../../../store/store.ts'
import { invalidField, refusalOf } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { serialOrNull } from '../../parse/serial.ts'
import { CancelOrdersQuery } from '../../schemas/order.ts'
import type { Context } from '../context.ts'
import type { Routes } from './routes.ts'

/** How many open orders the store reads for one slice. */
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
        'Cancels each of your open orders that matches all given filters; at least one filter is ' +
        'required. Orders placed in the meantime are not affected. Responds when the last order ' +
        'is cancelled.',
      query: CancelOrdersQuery,
      answer: Type.Object({
        cancelled: Type.Integer({ description: 'The number of cancelled orders.' }),
      }),
    },
    ({ operator, query }) => {
      const filter = {
        marketSerial: serialOrNull(ids, query.marketId),
        outcomeSerial: serialOrNull(ids, query.outcomeId),
        playerId: query.playerId ?? null,
        side: query.side ?? null,
      }
      if (Object.values(filter).every((value) => value === null)) return noFilter
      return cancelAll(context, operator.id, { operatorNumber: operator.number, ...filter })
    },
  )
}

async function cancelAll(
  { reads, submit }: Context,
  operatorId: string,
  filter: Omit<OpenOrdersQuery, 'after' | 'limit'>,
) {
  let cancelled = 0
  let after: OpenOrdersCursor | null = null
  do {
    const slice = await reads.openOrders({ ...filter, after, limit: sliceMax })
    after = slice.next
    if (slice.serials.length === 0) continue
    const result = await submit('cancelMany', { operatorId, orderSerials: slice.serials })
    if (!result.isAccepted) return refusalOf(result.reject)
    cancelled += result.answer.cancelled
  } while (after !== null)
  return Done.ofStored(() => ({ cancelled }))
}
