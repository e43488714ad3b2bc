// Cancels every open order that matches a filter. The orders are read from the store and cancelled
// in slices, each a command of its own, so that other commands run in between.

import { Type } from 'typebox'
import type { OpenOrdersQuery } from '../../../store/store.ts'
import { invalidField, refusalOf } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { serialOrNull } from '../../parse/serial.ts'
import { CancelOrdersQuery } from '../../schemas/order.ts'
import type { Context } from '../context.ts'
import type { ChargedCommand } from '../rest-admission.ts'
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
    ({ operator, query, chargeAfter }) => {
      const filter = {
        marketSerial: serialOrNull(ids, query.marketId),
        outcomeSerial: serialOrNull(ids, query.outcomeId),
        playerId: query.playerId ?? null,
        side: query.side ?? null,
      }
      if (Object.values(filter).every((value) => value === null)) return noFilter
      const open = { operatorNumber: operator.number, ...filter }
      return cancelAll(context, { operatorId: operator.id, open, chargeAfter })
    },
  )
}

type CancelAll = {
  readonly operatorId: string
  readonly open: Omit<OpenOrdersQuery, 'after' | 'limit'>
  readonly chargeAfter: (done: ChargedCommand) => void
}

// The request has counted as 1, and so the first order that it cancels is counted already.
async function cancelAll({ reads, submit }: Context, { operatorId, open, chargeAfter }: CancelAll) {
  let cancelled = 0
  let after: number | null = null
  do {
    const slice = await reads.openOrders({ ...open, after, limit: sliceMax })
    after = slice.next
    if (slice.serials.length === 0) continue
    const result = await submit('cancelMany', { operatorId, orderSerials: slice.serials })
    chargeAfter({ result, counted: cancelled === 0 ? 1 : 0 })
    if (!result.isAccepted) return refusalOf(result.reject)
    cancelled += result.answer.cancelled
  } while (after !== null)
  return new Done({ cancelled })
}
