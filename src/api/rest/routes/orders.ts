// Placing, amending, cancelling and reading orders.

import { orderStatuses } from '../../../core/words.ts'
import { orderOfRow } from '../../../engine/idempotency/stored-answers.ts'
import { type ErrorCode, Refusal, refusalOf } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { afterOf } from '../../parse/cursor.ts'
import { amendOrderOf, placeOrderOf } from '../../parse/order.ts'
import { serialOf, serialOrNull } from '../../parse/serial.ts'
import { wordsOf } from '../../parse/word-list.ts'
import { presentOrder, presentPlacement, presentPreview } from '../../present/order.ts'
import { page } from '../../schemas/envelope.ts'
import { named } from '../../schemas/fields.ts'
import {
  AmendOrderBody,
  Order,
  OrdersQuery,
  orderPageSize,
  Placement,
  PlaceOrderBody,
  Preview,
} from '../../schemas/order.ts'
import { pageAnswer } from '../page-answer.ts'
import type { Routes } from './routes.ts'

/** Why a well-formed order is refused. */
const previewErrors = [
  'ORDER_INVALID_SHARES',
  'ORDER_INVALID_PRICE',
  'MARKET_NOT_FOUND',
  'MARKET_NOT_OPEN',
  'TRADING_RESTRICTED',
  'DEAD_MAN_TRIGGERED',
  'ORDER_GROUP_NOT_FOUND',
  'ORDER_GROUP_TRIGGERED',
  'POSITION_INSUFFICIENT_SHARES',
  'LIMIT_EXCEEDED',
  'ORDER_LIMIT',
  'ORDER_OUTSIDE_BAND',
  'ORDER_NO_LIQUIDITY',
  'ORDER_WOULD_MATCH',
] satisfies ErrorCode[]

/** The same, and what only an order that is stored can repeat. */
export const placeErrors = [...previewErrors, 'ORDER_DUPLICATE_TRANSACTION'] satisfies ErrorCode[]

export function addOrders(routes: Routes): void {
  addPlace(routes)
  addPreview(routes)
  addAmend(routes)
  addCancel(routes)
  addReads(routes)
}

function addPlace(routes: Routes): void {
  routes.operator(
    {
      method: 'POST',
      path: '/api/v1/orders',
      scope: 'trade',
      bucket: 'orders',
      isFast: true,
      tag: 'Orders',
      name: 'placeOrder',
      summary: 'Place an order',
      description:
        'Matches immediately what can be matched. The remainder of a LIMIT order rests in the ' +
        'book; the remainder of a MARKET order is cancelled.',
      body: PlaceOrderBody,
      answer: named(Placement),
      status: 201,
      isRepeatable: true,
      errors: placeErrors,
    },
    async ({ operator, shard, body, chargeAfter }) => {
      const command = placeOrderOf(shard, operator.id, body)
      if (command instanceof Refusal) return command
      const result = await shard.submit('place', command)
      chargeAfter({ result })
      if (!result.isAccepted) return refusalOf(result.reject, result.isReplay)
      const { isReplay } = result.answer
      const status = isReplay ? 200 : 201
      return Done.ofStored(() => presentPlacement(result.answer), { status, isReplay })
    },
  )
}

function addPreview(routes: Routes): void {
  routes.operator(
    {
      method: 'POST',
      path: '/api/v1/orders/preview',
      scope: 'trade',
      tag: 'Orders',
      idempotencyKey: 'IGNORED',
      name: 'previewOrder',
      summary: 'Preview an order',
      description:
        'Shows what the order would do now, without changing anything. It is refused as placing ' +
        'it would be; transactionId is ignored.',
      body: PlaceOrderBody,
      answer: named(Preview),
      errors: previewErrors,
    },
    async ({ operator, shard, body, chargeAfter }) => {
      const order = placeOrderOf(shard, operator.id, body)
      if (order instanceof Refusal) return order
      const { transactionId: _, ...command } = order
      const result = await shard.submit('preview', command)
      chargeAfter({ result })
      return result.isAccepted ? new Done(presentPreview(result.answer)) : refusalOf(result.reject)
    },
  )
}

function addCancel(routes: Routes): void {
  routes.operator(
    {
      method: 'DELETE',
      path: '/api/v1/orders/:orderId',
      scope: 'trade',
      bucket: 'cancels',
      tag: 'Orders',
      name: 'cancelOrder',
      summary: 'Cancel an order',
      answer: named(Order),
      errors: ['ORDER_NOT_FOUND', 'ORDER_CANNOT_CANCEL'],
    },
    async ({ operator, shard, params }) => {
      const orderSerial = serialOf(shard.ids, params.orderId)
      const result = await shard.submit('cancel', { operatorId: operator.id, orderSerial })
      if (!result.isAccepted) return refusalOf(result.reject)
      return Done.ofStored(() => presentOrder(result.answer))
    },
  )
}

function addAmend(routes: Routes): void {
  routes.operator(
    {
      method: 'PATCH',
      path: '/api/v1/orders/:orderId',
      scope: 'trade',
      bucket: 'orders',
      tag: 'Orders',
      name: 'amendOrder',
      summary: 'Amend an open order',
      description:
        'Fewer shares at the same price, or unchanged values, keep the place of the order in the ' +
        'queue. Any other change moves it to the back and may match. trades contains the trades ' +
        'of this call. A postOnly order that would match stays unchanged, and so does one that ' +
        'would match only outside of the price band of the market.',
      body: AmendOrderBody,
      answer: named(Placement),
      errors: [
        'ORDER_INVALID_SHARES',
        'ORDER_INVALID_PRICE',
        'ORDER_NOT_FOUND',
        'ORDER_CANNOT_AMEND',
        'MARKET_NOT_OPEN',
        'TRADING_RESTRICTED',
        'DEAD_MAN_TRIGGERED',
        'ORDER_GROUP_TRIGGERED',
        'POSITION_INSUFFICIENT_SHARES',
        'LIMIT_EXCEEDED',
        'ORDER_OUTSIDE_BAND',
        'ORDER_WOULD_MATCH',
      ],
    },
    async ({ operator, shard, params, body, chargeAfter }) => {
      const command = amendOrderOf(shard, operator.id, { orderId: params.orderId, body })
      if (command instanceof Refusal) return command
      const result = await shard.submit('amend', command)
      chargeAfter({ result })
      if (!result.isAccepted) return refusalOf(result.reject)
      return Done.ofStored(() => presentPlacement(result.answer))
    },
  )
}

function addReads(routes: Routes): void {
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/orders/:orderId',
      scope: 'read',
      tag: 'Orders',
      name: 'getOrder',
      summary: 'Get an order',
      answer: named(Order),
      errors: ['ORDER_NOT_FOUND'],
    },
    async ({ operator, shard, params, reads }) => {
      const { ids } = shard
      const row = await reads().order(operator.number, serialOf(ids, params.orderId))
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
      name: 'listOrders',
      summary: 'List orders, newest first',
      query: OrdersQuery,
      answer: page('orders', named(Order)),
      csv: { field: 'orders', row: Order },
    },
    async ({ operator, shard, query, reads }) => {
      const { ids } = shard
      const after = afterOf(ids, 'orders', query.cursor)
      if (after instanceof Refusal) return after
      const statuses = wordsOf('status', query.status, orderStatuses)
      if (statuses instanceof Refusal) return statuses
      const found = await reads().orders({
        operatorNumber: operator.number,
        marketSerial: serialOrNull(ids, query.marketId),
        outcomeSerial: serialOrNull(ids, query.outcomeId),
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
