// Where open orders stand in the queues at their prices.

import type { Serial } from '../../../core/ids.ts'
import type { OpenOrdersCursor, OpenOrdersQuery, RecordStore } from '../../../store/store.ts'
import { invalidField, Refusal, refusalOf } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { serialOf, serialOrNull } from '../../parse/serial.ts'
import { presentQueuePosition } from '../../present/order.ts'
import { named } from '../../schemas/fields.ts'
import {
  QueuePosition,
  QueuePositions,
  QueueQuery,
  queuePositionsMax,
} from '../../schemas/order.ts'
import type { Routes } from './routes.ts'

const noFilter = invalidField('query', 'must contain marketId or playerId')

export function addOrderQueues(routes: Routes): void {
  addOfOne(routes)
  addOfMany(routes)
}

function addOfOne(routes: Routes): void {
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/orders/:orderId/queue',
      scope: 'read',
      tag: 'Orders',
      name: 'getQueuePosition',
      summary: 'Get the place of an order in its queue',
      description:
        'How many orders at the same price match before it. Complete-set matching follows the ' +
        'same queue.',
      answer: named(QueuePosition),
      errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_OPEN'],
    },
    async ({ operator, shard, params, reads, chargeAfter }) => {
      const orderSerial = serialOf(shard.ids, params.orderId)
      const query = { operatorId: operator.id, orderSerials: [orderSerial] }
      const result = await shard.submit('queue', query)
      chargeAfter({ result })
      if (!result.isAccepted) return refusalOf(result.reject)
      const [position] = result.answer
      if (position !== undefined) return new Done(presentQueuePosition(position))
      const row = await reads().order(operator.number, orderSerial)
      if (row === null) return refusalOf({ code: 'ORDER_NOT_FOUND' })
      return refusalOf({ code: 'ORDER_NOT_OPEN', status: row.status })
    },
  )
}

function addOfMany(routes: Routes): void {
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/orders/queue',
      scope: 'read',
      tag: 'Orders',
      name: 'listQueuePositions',
      summary: 'List the places of open orders in their queues',
      description:
        `Of your open orders in a market, of a player, or both: the ${queuePositionsMax} newest ` +
        'of a player, or as many of a market. Orders that close meanwhile are left out.',
      query: QueueQuery,
      answer: named(QueuePositions),
    },
    async ({ operator, shard, query, reads, charge, chargeAfter }) => {
      if (query.marketId === undefined && query.playerId === undefined) return noFilter
      const found = await openSerials(
        reads(),
        {
          operatorNumber: operator.number,
          marketSerial: serialOrNull(shard.ids, query.marketId),
          outcomeSerial: null,
          playerId: query.playerId ?? null,
          side: null,
        },
        () => charge(1),
      )
      if (found instanceof Refusal) return found
      const { serials, hasMore } = found
      const result = await shard.submit('queue', { operatorId: operator.id, orderSerials: serials })
      chargeAfter({ result })
      if (!result.isAccepted) return refusalOf(result.reject)
      return new Done({ orders: result.answer.map(presentQueuePosition), hasMore })
    },
  )
}

type Found = { readonly serials: readonly Serial[]; readonly hasMore: boolean }

/** A slice may have few orders that match; each further one is charged. */
async function openSerials(
  reads: RecordStore,
  filter: Omit<OpenOrdersQuery, 'after' | 'limit'>,
  charge: () => Refusal | null,
): Promise<Found | Refusal> {
  const serials: Serial[] = []
  let after: OpenOrdersCursor | null = null
  for (;;) {
    const slice = await reads.openOrders({ ...filter, after, limit: queuePositionsMax })
    serials.push(...slice.serials)
    const isOver = serials.length > queuePositionsMax
    if (slice.next === null || isOver) {
      return { serials: serials.slice(0, queuePositionsMax), hasMore: isOver }
    }
    after = slice.next
    const refusal = charge()
    if (refusal !== null) return refusal
  }
}
