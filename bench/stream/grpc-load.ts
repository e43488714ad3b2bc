// A closed-loop load over gRPC, in a process of its own. It shares the cores with the server under
// test, so it does little work: it sends prepared bytes, and of an answer it reads only how many
// results it has and that each is an order.

import { Client, type ClientDuplexStream, credentials, Metadata } from '@grpc/grpc-js'
import {
  OrderServiceService,
  PlaceOrderRequest,
  PlaceOrdersRequest,
} from '../../src/api/grpc/generated/outcry/v1/outcry.ts'
import { orderTypes, sides } from '../../src/api/grpc/words.ts'
import { Random } from '../../test/support/process/random.ts'
import type { LoadTarget } from '../http/load-target.ts'
import { randomOrder } from '../http/order-requests.ts'

export type GrpcJob = {
  readonly target: LoadTarget
  readonly port: number
  /** Orders per message of a stream; 0 for unary calls. */
  readonly ordersPerMessage: number
  readonly connections: number
  /** Unanswered calls or messages per connection. */
  readonly depth: number
  readonly warmUpMs: number
  readonly measureMs: number
  readonly seed: number
}

export type GrpcLoadResult = {
  readonly sent: number
  readonly perSecond: number
  /** Size of the answer to one order. */
  readonly answerBytes: number
  /** CPU time of the load itself, in microseconds per order. */
  readonly loadMicros: number
}

export type GrpcLoadAnswer = { readonly result: GrpcLoadResult } | { readonly fault: string }

const { placeOrder, placeOrders } = OrderServiceService
const messageCount = 500
const asIs = (bytes: Buffer) => bytes

class Load {
  readonly #job: GrpcJob
  readonly #messages: readonly Buffer[]
  readonly #over = Promise.withResolvers<void>()
  readonly #metadata = new Metadata()
  #next = 0
  #windowStart = 0
  #windowEnd = 0
  #unanswered = 0
  #sent = 0
  #answered = 0
  #bytes = 0

  constructor(job: GrpcJob) {
    this.#job = job
    this.#messages = messagesOf(job)
    this.#metadata.set('x-api-key', job.target.apiKey)
  }

  async run(): Promise<GrpcLoadResult> {
    const { connections, port, ordersPerMessage, warmUpMs, measureMs } = this.#job
    const options = { 'grpc.use_local_subchannel_pool': 1 }
    const clients = Array.from(
      { length: connections },
      () => new Client(`127.0.0.1:${port}`, credentials.createInsecure(), options),
    )
    const before = process.cpuUsage()
    this.#windowStart = performance.now() + warmUpMs
    this.#windowEnd = this.#windowStart + measureMs
    for (const client of clients) {
      if (ordersPerMessage === 0) this.#call(client)
      else this.#stream(client)
    }
    await this.#over.promise
    const { user, system } = process.cpuUsage(before)
    for (const client of clients) client.close()
    return {
      sent: this.#sent,
      perSecond: (this.#answered / measureMs) * 1000,
      answerBytes: this.#bytes / this.#answered,
      loadMicros: (user + system) / this.#sent,
    }
  }

  #call(client: Client): void {
    const { path } = placeOrder
    const call = () => {
      const message = this.#nextMessage(1)
      client.makeUnaryRequest(path, asIs, asIs, message, this.#metadata, (fault, bytes) => {
        if (fault !== null) this.#over.reject(fault)
        else if (this.#done(1, bytes?.length ?? 0)) call()
      })
    }
    for (let count = 0; count < this.#job.depth; count += 1) call()
  }

  #stream(client: Client): void {
    const { depth, ordersPerMessage } = this.#job
    const stream: ClientDuplexStream<Buffer, Buffer> = client.makeBidiStreamRequest(
      placeOrders.path,
      asIs,
      asIs,
      this.#metadata,
    )
    let unanswered = 0
    const send = () => {
      unanswered += ordersPerMessage
      stream.write(this.#nextMessage(ordersPerMessage))
    }
    stream.on('data', (bytes: Buffer) => {
      const results = resultsIn(bytes)
      unanswered -= results
      const goesOn = this.#done(results, bytes.length)
      while (goesOn && unanswered <= (depth - 1) * ordersPerMessage) send()
    })
    stream.on('error', (fault) => this.#over.reject(fault))
    for (let count = 0; count < depth; count += 1) send()
  }

  #nextMessage(orders: number): Buffer {
    this.#unanswered += orders
    this.#sent += orders
    this.#next = (this.#next + 1) % this.#messages.length
    return this.#messages[this.#next]!
  }

  /** Returns whether the load goes on. */
  #done(orders: number, bytes: number): boolean {
    const now = performance.now()
    if (now >= this.#windowStart && now < this.#windowEnd) {
      this.#answered += orders
      this.#bytes += bytes
    }
    this.#unanswered -= orders
    if (now < this.#windowEnd) return true
    if (this.#unanswered === 0) this.#over.resolve()
    return false
  }
}

function messagesOf({ target, seed, ordersPerMessage }: GrpcJob): Buffer[] {
  const random = new Random(seed)
  const empty = PlaceOrderRequest.decode(new Uint8Array())
  const order = () => {
    const made = randomOrder(random, target)
    return {
      ...empty,
      ...made,
      shares: String(made.shares),
      price: String(made.price),
      side: sides.numberOf(made.side),
      type: orderTypes.numberOf(made.type),
    }
  }
  return Array.from({ length: messageCount }, () => {
    if (ordersPerMessage === 0) return placeOrder.requestSerialize(order())
    const orders = Array.from({ length: ordersPerMessage }, () => ({
      clientId: '',
      order: order(),
    }))
    return Buffer.from(PlaceOrdersRequest.encode({ orders }).finish())
  })
}

const resultTag = 0x0a
const responseTag = 0x12

/** Counts the results of a message. Each starts with its answer, as it has no client_id. */
function resultsIn(bytes: Buffer): number {
  let count = 0
  for (let at = 0; at < bytes.length; count += 1) {
    if (bytes[at] !== resultTag) throw new Error('Expected a message of results.')
    let [length, shift] = [0, 0]
    do {
      at += 1
      length |= (bytes[at]! & 0x7f) << shift
      shift += 7
    } while (bytes[at]! >= 0x80)
    if (bytes[at + 1] !== responseTag) throw new Error(bytes.toString('latin1', at, at + length))
    at += 1 + length
  }
  return count
}

function answer(message: GrpcLoadAnswer): void {
  process.send?.(message, undefined, undefined, () => process.disconnect?.())
}

process.once('message', async (job: GrpcJob) => {
  try {
    answer({ result: await new Load(job).run() })
  } catch (fault) {
    answer({ fault: fault instanceof Error ? fault.message : String(fault) })
  }
})
