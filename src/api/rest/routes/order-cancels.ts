// Cancels every open order that matches a filter. The orders are read from the store and cancelled
// in slices, each a command of its own, so that other commands run in between.

import { Type } from 'typebox'
import type { OpenOrdersCursor, OpenOrdersQuery } from '../../../store/store.ts'
import { invalidField, Refusal, refusalOf } from '../../errors.ts'
import { answerOfStored } from '../../faults.ts'
import { Done } from '../../http/response.ts'
import { serialOrNull } from '../../parse/serial.ts'
import { CancelOrdersQuery } from '../../schemas/order.ts'
import type { ShardAccess } from '../../shards.ts'
import type { Routes } from './routes.ts'

/** How many open orders the store reads for one slice. */
const sliceMax = 1_000

const noFilter = invalidField('query', 'must contain marketId, playerId, outcomeId or side')

export function addOrderCancels(routes: Routes): void {
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
      isAudited: true,
      query: CancelOrdersQuery,
      answer: Type.Object({
        cancelled: Type.Integer({ description: 'The number of cancelled orders.' }),
      }),
    },
    ({ operator, shard, query }) => {
      const { ids } = shard
      const filter = {
        marketSerial: serialOrNull(ids, query.marketId),
        outcomeSerial: serialOrNull(ids, query.outcomeId),
        playerId: query.playerId ?? null,
        side: query.side ?? null,
      }
      if (Object.values(filter).every((value) => value === null)) return noFilter
      return cancelAll(shard, operator.id, { operatorNumber: operator.number, ...filter })
    },
  )
}

// A failure before the first cancelled order is UNAVAILABLE, which says that nothing was done. A
// later one is COMMIT_UNKNOWN.
async function cancelAll(
  shard: ShardAccess,
  operatorId: string,
  filter: Omit<OpenOrdersQuery, 'after' | 'limit'>,
) {
  let slice = await cancelSlice(shard, operatorId, { ...filter, after: null })
  if (slice instanceof Refusal) return slice
  let { cancelled } = slice
  while (slice.next !== null) {
    const after: OpenOrdersCursor = slice.next
    const cancelNext = () => cancelSlice(shard, operatorId, { ...filter, after })
    slice = await (cancelled > 0 ? answerOfStored(cancelNext) : cancelNext())
    if (slice instanceof Refusal) return slice
    cancelled += slice.cancelled
  }
  return Done.ofStored(() => ({ cancelled }))
}

type Slice = { readonly cancelled: number; readonly next: OpenOrdersCursor | null }

async function cancelSlice(
  { reads, submit }: ShardAccess,
  operatorId: string,
  filter: Omit<OpenOrdersQuery, 'limit'>,
): Promise<Slice | Refusal> {
  const { next, serials } = await reads.openOrders({ ...filter, limit: sliceMax })
  if (serials.length === 0) return { cancelled: 0, next }
  const result = await submit('cancelMany', { operatorId, orderSerials: serials })
  if (!result.isAccepted) return refusalOf(result.reject)
  return { cancelled: result.answer.cancelled, next }
}
