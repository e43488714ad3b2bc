// One stream of orders. Results go out as they become durable; those of one turn share a message.
// While many wait for their results, or results wait to be read, no more orders are read.

import type { ServerDuplexStream } from '@grpc/grpc-js'
import type { PlaceAnswer } from '../../engine/commands.ts'
import type { OperatorRow } from '../../store/store.ts'
import { invalidField, Refusal, refusalOf } from '../errors.ts'
import { type Calls, endWith, type Stream } from './calls.ts'
import type { GrpcContext } from './context.ts'
import {
  OrderServiceService,
  type OrderToPlace,
  type PlaceOrdersRequest,
  type PlaceOrdersResponse,
  type PlaceOrdersResult,
} from './generated/outcry/v1/outcry.ts'
import { readOrder } from './read-order.ts'
import { placementMessage } from './write-order.ts'

type Call = ServerDuplexStream<PlaceOrdersRequest | Refusal, PlaceOrdersResponse>

const { path } = OrderServiceService.placeOrders
const ordersMax = 100
/** Orders of a stream that are on their way; the engine has room for ten such streams. */
const waitingMax = 1_000
/** Results and trades in one message: a client takes 4 MiB unless told otherwise. */
export const recordsPerMessageMax = 4_000

const wrongCount = invalidField('orders', `must have 1 to ${ordersMax} items`)
const noOrder = invalidField('order', 'is required')

export class PlacingStream implements Stream {
  end: Refusal | 'OK' | null = null
  readonly #calls: Calls
  readonly #context: GrpcContext
  readonly #call: Call
  /** Orders that have no result yet, or one that is not sent yet. */
  #waiting = 0
  #results: PlaceOrdersResult[] = []
  /** What it will end with, once nothing waits any more. */
  #ending: Refusal | 'OK' | null = null

  constructor(calls: Calls, context: GrpcContext, call: Call) {
    this.#calls = calls
    this.#context = context
    this.#call = call
    call.on('data', (message: PlaceOrdersRequest | Refusal) => this.#consume(message))
    call.on('end', () => this.close('OK'))
    call.on('drain', () => this.#steer())
  }

  close(how: Refusal | 'OK'): void {
    this.#ending ??= how
    this.#steer()
  }

  #consume(message: PlaceOrdersRequest | Refusal): void {
    if (this.#ending !== null) return
    // A key may have been revoked since the last message.
    const caller = this.#calls.admission.callerOf(this.#call, 'trade')
    if (caller instanceof Refusal) this.close(caller)
    else if (message instanceof Refusal) this.close(message)
    else if (message.orders.length < 1 || message.orders.length > ordersMax) this.close(wrongCount)
    else {
      this.#waiting += message.orders.length
      for (const order of message.orders) void this.#place(caller, order)
      this.#steer()
    }
  }

  async #place(caller: OperatorRow, { clientId, order }: OrderToPlace): Promise<void> {
    const taken = this.#calls.admission.consume('orders', caller.id)
    const command = taken ?? (order ? readOrder(this.#context, caller.id, order) : noOrder)
    if (command instanceof Refusal) {
      this.#say({ clientId, ...refused(command) })
      return
    }
    try {
      const result = await this.#context.submit('place', command)
      if (result.isAccepted) this.#say({ clientId, ...placed(result.answer) })
      else this.#say({ clientId, ...refused(refusalOf(result.reject, result.isReplay)) })
    } catch (error) {
      this.#say({ clientId, ...refused(this.#calls.refusalOf(error, path)) })
    }
  }

  // All results of a turn come in a row: the first of them calls for the message of all.
  #say(result: PlaceOrdersResult): void {
    if (this.#results.length === 0) queueMicrotask(() => this.#send())
    this.#results.push(result)
  }

  #send(): void {
    const results = this.#results
    this.#results = []
    this.#waiting -= results.length
    if (this.#call.destroyed) return
    for (const some of portionsOf(results)) this.#call.write({ results: some })
    this.#steer()
  }

  #steer(): void {
    const call = this.#call
    if (this.#ending !== null) {
      if (this.#waiting === 0) this.#finish(this.#ending)
    } else if (this.#waiting >= waitingMax || call.writableNeedDrain) {
      call.pause()
    } else {
      call.resume()
    }
  }

  #finish(how: Refusal | 'OK'): void {
    if (this.end !== null) return
    this.end = how
    if (how instanceof Refusal) endWith(this.#call, how)
    else this.#call.end()
  }
}

function placed(answer: PlaceAnswer): Omit<PlaceOrdersResult, 'clientId'> {
  const result = { $case: 'response', value: placementMessage(answer) } as const
  return { result, idempotentReplayed: answer.isReplay }
}

function refused(refusal: Refusal): Omit<PlaceOrdersResult, 'clientId'> {
  const { code, message, details, isReplay } = refusal
  const error = { code, message, details: details === undefined ? '' : JSON.stringify(details) }
  return { result: { $case: 'error', value: error }, idempotentReplayed: isReplay }
}

/** So that no message is too large for its reader. */
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
