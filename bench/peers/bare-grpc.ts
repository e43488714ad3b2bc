// The upper bound for gRPC: grpc-js alone. It answers every call and message with the same prepared
// bytes, of the size in ANSWER_BYTES. It decodes, stores and decides nothing.

import { Server, ServerCredentials } from '@grpc/grpc-js'
import {
  OrderServiceService,
  PlaceOrderResponse,
  PlaceOrdersResponse,
} from '../../src/api/grpc/generated/outcry/v1/outcry.ts'

const answerBytes = Number(process.env.ANSWER_BYTES ?? 400)
const ordersPerMessage = Number(process.env.ORDERS_PER_MESSAGE ?? 1)
const { placeOrder, placeOrders } = OrderServiceService
const asIs = (bytes: Buffer) => bytes

const empty = PlaceOrderResponse.decode(new Uint8Array())
const response = { ...empty, filledShares: 'x'.repeat(answerBytes) }
const results = Array.from({ length: ordersPerMessage }, () => ({
  clientId: '',
  result: { $case: 'response', value: response } as const,
  idempotentReplayed: false,
}))
const one = placeOrder.responseSerialize(response)
const many = Buffer.from(PlaceOrdersResponse.encode({ results }).finish())

const server = new Server()
server.register<Buffer, Buffer>(
  placeOrder.path,
  (_call: unknown, callback: (error: null, bytes: Buffer) => void) => callback(null, one),
  asIs,
  asIs,
  'unary',
)
server.register<Buffer, Buffer>(
  placeOrders.path,
  (call: NodeJS.EventEmitter & { write(bytes: Buffer): void; end(): void }) => {
    call.on('data', () => call.write(many))
    call.on('end', () => call.end())
  },
  asIs,
  asIs,
  'bidi',
)
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_error, port) => {
  console.log(`Bare gRPC: http://127.0.0.1:${port}`)
})
process.once('SIGTERM', () => server.forceShutdown())
