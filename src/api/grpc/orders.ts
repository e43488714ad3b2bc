// OrderService: placing, cancelling and reading orders, one at a time or in a stream.

import { orderOfRow } from '../../engine/idempotency/stored-answers.ts'
import { Refusal, refusalOf } from '../errors.ts'
import { presentStored } from '../faults.ts'
import { serialOf } from '../parse/serial.ts'
import { tracedShard } from '../traced-shard.ts'
import { type Calls, Replayed } from './calls.ts'
import type { GrpcContext } from './context.ts'
import { OrderServiceService as service } from './generated/outcry/v1/outcry.ts'
import { textIn } from './grpc-admission.ts'
import { PlacingStream } from './placing-stream.ts'
import { readOrder } from './read-order.ts'
import { orderMessage, placementMessage } from './write-order.ts'

/** The stream encodes its messages itself. */
const placeOrders = { ...service.placeOrders, responseSerialize: (bytes: Buffer) => bytes }

export function addOrders(calls: Calls, context: GrpcContext): void {
  const { shards } = context

  const placing = { scope: 'trade', bucket: 'orders' } as const
  calls.operator(service.placeOrder, placing, async (request, operator, call) => {
    const shard = tracedShard(shards.of(operator), textIn(call, 'traceparent'))
    const command = readOrder(shard, operator.id, request)
    if (command instanceof Refusal) return command
    const result = await shard.submit('place', command)
    calls.admission.chargeAfter('orders', operator.id, result)
    if (!result.isAccepted) return refusalOf(result.reject, result.isReplay)
    const message = presentStored(() => placementMessage(result.answer))
    return result.answer.isReplay ? new Replayed(message) : message
  })

  const cancelling = { scope: 'trade', bucket: 'cancels' } as const
  calls.operator(service.cancelOrder, cancelling, async (request, operator, call) => {
    const { ids, submit } = tracedShard(shards.of(operator), textIn(call, 'traceparent'))
    const orderSerial = serialOf(ids, request.orderId)
    const result = await submit('cancel', { operatorId: operator.id, orderSerial })
    if (!result.isAccepted) return refusalOf(result.reject)
    return presentStored(() => orderMessage(result.answer))
  })

  const reading = { scope: 'read', bucket: 'requests' } as const
  calls.operator(service.getOrder, reading, async (request, operator, call) => {
    const { ids, readsFor } = shards.of(operator)
    const reads = readsFor({ party: operator.number, isGone: () => call.cancelled })
    const row = await reads.order(operator.number, serialOf(ids, request.orderId))
    if (row === null) return refusalOf({ code: 'ORDER_NOT_FOUND' })
    return orderMessage(orderOfRow(ids, row))
  })

  calls.duplex(placeOrders, 'trade', (call) => new PlacingStream(calls, context, call))
}
