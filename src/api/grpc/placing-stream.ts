// One stream of orders. Results are sent as orders become durable; those of one turn share a
// message. While too many orders have no result, or the client does not read results, no orders are
// read.

import type { ServerDuplexStream } from '@grpc/grpc-js'
import type { PlaceAnswer } from '../../engine/commands.ts'
import type { OperatorRow } from '../../store/store.ts'
import { invalidField, Refusal, refusalOf } from '../errors.ts'
import { presentStored } from '../faults.ts'
import { tracedShard } from '../traced-shard.ts'
import { type Calls, endCallWith, type Stream } from './calls.ts'
import type { GrpcContext } from './context.ts'
import {
  OrderServiceService,
  type OrderToPlace,
  type PlaceOrdersRequest,
  type PlaceOrdersResponse,
  type PlaceOrdersResult,
} from './generated/outcry/v1/outcry.ts'
import { textIn } from './grpc-admission.ts'
import { readOrder } from './read-order.ts'
import { placementMessage } from './write-order.ts'

type Call = ServerDuplexStream<PlaceOrdersRequest | Refusal, Buffer>
type Result = Omit<PlaceOrdersResult, 'clientId'>

const { path, responseSerialize } = OrderServiceService.placeOrders
const ordersMax = 100
/** Orders of a stream without a result; the engine has capacity for ten such streams. */
const pendingMax = 1_000
/** Results and trades in one message: clients accept 4 MiB by default. */
export const recordsPerMessageMax = 4_000

const wrongCount = invalidField('orders', `must have 1 to ${ordersMax} items`)
const noOrder = invalidField('order', 'is required')

export class PlacingStream implements Stream {
  end: Refusal | 'OK' | null = null
  readonly #calls: Calls
  readonly #context: GrpcContext
  readonly #call: Call
  readonly #traceparent: string | undefined
  /** Orders whose result is not sent yet. */
  #pending = 0
  #results: PlaceOrdersResult[] = []
  /** What the stream will end with, once every order has its result. */
  #ending: Refusal | 'OK' | null = null

  constructor(calls: Calls, context: GrpcContext, call: Call) {
    this.#calls = calls
    this.#context = context
    this.#call = call
    this.#traceparent = textIn(call, 'traceparent')
    call.on('data', (message: PlaceOrdersRequest | Refusal) => {
      this.#try(() => this.#consume(message))
    })
    call.on('end', () => this.close('OK'))
    call.on('drain', () => this.#updateFlow())
  }

  close(how: Refusal | 'OK'): void {
    this.#ending ??= how
    this.#updateFlow()
  }

  #consume(message: PlaceOrdersRequest | Refusal): void {
    if (this.#ending !== null) return
    // A key may have been revoked since the last message.
    const operator = this.#calls.admission.operatorOf(this.#call, 'trade')
    if (operator instanceof Refusal) this.close(operator)
    else if (message instanceof Refusal) this.close(message)
    else if (message.orders.length < 1 || message.orders.length > ordersMax) this.close(wrongCount)
    else {
      this.#pending += message.orders.length
      for (const order of message.orders) void this.#place(operator, order)
      this.#updateFlow()
    }
  }

  async #place(operator: OperatorRow, { clientId, order }: OrderToPlace): Promise<void> {
    try {
      this.#report({ clientId, ...(await this.#result(operator, order)) })
    } catch (error) {
      this.#report({ clientId, ...refused(this.#calls.refusalOf(error, path)) })
    }
  }

  async #result(operator: OperatorRow, order: OrderToPlace['order']): Promise<Result> {
    const limited = this.#calls.admission.consume('orders', operator.id)
    const shard = tracedShard(this.#context.shards.of(operator), this.#traceparent)
    const command = limited ?? (order ? readOrder(shard, operator.id, order) : noOrder)
    if (command instanceof Refusal) return refused(command)
    const result = await shard.submit('place', command)
    this.#calls.admission.chargeAfter('orders', operator.id, result)
    if (!result.isAccepted) return refused(refusalOf(result.reject, result.isReplay))
    return presentStored(() => placed(result.answer))
  }

  // The results of a turn arrive together: the first schedules one message for all of them.
  #report(result: PlaceOrdersResult): void {
    if (this.#results.length === 0) queueMicrotask(() => this.#try(() => this.#send()))
    this.#results.push(result)
  }

  #send(): void {
    const results = this.#results
    this.#results = []
    this.#pending -= results.length
    if (this.#call.destroyed) return
    for (const some of portionsOf(results)) this.#call.write(encoded({ results: some }))
    this.#updateFlow()
  }

  // The results of some orders are lost with the stream; they are found by their transactionIds.
  #try(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#ending ??= this.#calls.refusalOf(error, path)
      this.#finish(this.#ending)
    }
  }

  #updateFlow(): void {
    const call = this.#call
    if (this.#ending !== null) {
      if (this.#pending === 0) this.#finish(this.#ending)
    } else if (this.#pending >= pendingMax || call.writableNeedDrain) {
      call.pause()
    } else {
      call.resume()
    }
  }

  #finish(how: Refusal | 'OK'): void {
    if (this.end !== null) return
    this.end = how
    if (how instanceof Refusal) endCallWith(this.#call, how)
    else this.#call.end()
  }
}

function encoded(response: PlaceOrdersResponse): Buffer {
  return presentStored(() => responseSerialize(response))
}

function placed(answer: PlaceAnswer): Result {
  const result = { $case: 'response', value: placementMessage(answer) } as const
  return { result, idempotentReplayed: answer.isReplay }
}

function refused(refusal: Refusal): Result {
  const { code, message, details, isReplay } = refusal
  const error = { code, message, details: details === undefined ? '' : JSON.stringify(details) }
  return { result: { $case: 'error', value: error }, idempotentReplayed: isReplay }
}

/** Splits results into messages that a client accepts. */
export function* portionsOf(results: readonly PlaceOrdersResult[]): Generator<PlaceOrdersResult[]> {
  let portion: PlaceOrdersResult[] = []
  let records = 0
  for (const each of results) {
    const count = 1 + (each.result?.$case === 'response' ? each.result.value.trades.length : 0)
    if (portion.length > 0 && records + count > recordsPerMessageMax) {
      yield portion
      portion = []
      records = 0
    }
    portion.push(each)
    records += count
  }
  if (portion.length > 0) yield portion
}
