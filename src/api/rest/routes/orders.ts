// Placing, cancelling and reading orders.

import { orderStatuses } from '../../../core/words.ts'
import { orderOfRow } from '../../../engine/stored-answers.ts'
import { Refusal, refusalOf } from '../../errors.ts'
import { afterOf } from '../../parse/cursor.ts'
import { placeAskOf } from '../../parse/order.ts'
import { serialOf, serialOrNull } from '../../parse/serial.ts'
import { wordsOf } from '../../parse/word-list.ts'
import { presentOrder, presentPlacement } from '../../present/order.ts'
import { page } from '../../schemas/envelope.ts'
import { named } from '../../schemas/fields.ts'
import { Order, OrdersQuery, orderPageSize, Placement, PlaceOrder } from '../../schemas/order.ts'
import type { Context } from '../context.ts'
import { Done } from '../deliver.ts'
import { pageAnswer } from '../page.ts'
import type { Routes } from '../routes.ts'

export function addOrders(routes: Routes, context: Context): void {
  addPlace(routes, context)
  addCancel(routes, context)
  addReads(routes, context)
}

function addPlace(routes: Routes, context: Context): void {
  routes.operator(
    {
      method: 'POST',
      path: '/api/v1/orders',
      scope: 'trade',
      bucket: 'orders',
      tag: 'Orders',
      summary: 'Place an order',
      description:
        'Matches at once what can be matched. The rest of a LIMIT order waits in the book; ' +
        'the rest of a MARKET order is cancelled.',
      body: PlaceOrder,
      answer: named(Placement),
      status: 201,
      isRepeatable: true,
      errors: [
        'ORDER_INVALID_SHARES',
        'ORDER_INVALID_PRICE',
        'MARKET_NOT_FOUND',
        'MARKET_NOT_OPEN',
        'POSITION_INSUFFICIENT_SHARES',
        'ORDER_LIMIT',
        'ORDER_NO_LIQUIDITY',
        'ORDER_DUPLICATE_TRANSACTION',
      ],
    },
    async ({ operator, body }) => {
      const ask = placeAskOf(context, operator.id, body)
      if (ask instanceof Refusal) return ask
      const result = await context.submit('place', ask)
      if (!result.isTaken) return refusalOf(result.reject)
      const { isReplay } = result.answer
      return new Done(presentPlacement(result.answer), { status: isReplay ? 200 : 201, isReplay })
    },
  )
}

function addCancel(routes: Routes, { submit, ids }: Context): void {
  routes.operator(
    {
      method: 'DELETE',
      path: '/api/v1/orders/:orderId',
      scope: 'trade',
      bucket: 'cancels',
      tag: 'Orders',
      summary: 'Cancel an order',
      answer: named(Order),
      errors: ['ORDER_NOT_FOUND', 'ORDER_CANNOT_CANCEL'],
    },
    async ({ operator, params }) => {
      const orderId = serialOf(ids, params.orderId)
      const result = await submit('cancel', { operatorId: operator.id, orderId })
      return result.isTaken ? new Done(presentOrder(result.answer)) : refusalOf(result.reject)
    },
  )
}

function addReads(routes: Routes, { reads, ids }: Context): void {
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/orders/:orderId',
      scope: 'read',
      tag: 'Orders',
      summary: 'Get an order',
      answer: named(Order),
      errors: ['ORDER_NOT_FOUND'],
    },
    async ({ operator, params }) => {
      const row = await reads.order(operator.number, serialOf(ids, params.orderId))
      if (row === null) return refusalOf({ code: 'ORDER_NOT_FOUND' })
      return new Done(presentOrder(orderOfRow(ids, row)))
    },
  )

  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/orders',
      scope: 'read',
      tag: 'Orders',
      summary: 'List orders, newest first',
      query: OrdersQuery,
      answer: page('orders', named(Order)),
    },
    async ({ operator, query }) => {
      const after = afterOf(ids, query.cursor)
      if (after instanceof Refusal) return after
      const statuses = wordsOf('status', query.status, orderStatuses)
      if (statuses instanceof Refusal) return statuses
      const found = await reads.orders({
        operator: operator.number,
        market: serialOrNull(ids, query.marketId),
        outcome: serialOrNull(ids, query.outcomeId),
        playerId: query.playerId ?? null,
        side: query.side ?? null,
        type: query.type ?? null,
        statuses,
        transactionId: query.transactionId ?? null,
        after,
        limit: query.limit ?? orderPageSize,
      })
      return pageAnswer('orders', found, (row) => presentOrder(orderOfRow(ids, row)))
    },
  )
}
