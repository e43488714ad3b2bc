// What all calls share: keys, scopes, limits, sizes, deadlines, health, reflection, shutdown.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fromBinary } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import {
  bareCall,
  type Failure,
  framed,
  framedBytes,
  GrpcClient,
  methodNames,
  orderMessage,
  Reader,
} from '../../support/grpc/grpc-client.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
let operator: OperatorClient
let grpc: GrpcClient
before(async () => {
  service = await Service.start({ env: { RATE_LIMIT_ORDERS: '20', RATE_LIMIT_PUBLIC: '50' } })
  operator = await OperatorClient.create(service)
  grpc = GrpcClient.of(service)
})
after(async () => {
  grpc?.close()
  await service?.stop()
})

const place = 'OrderService/PlaceOrder'
const placeMany = 'OrderService/PlaceOrders'
const scopes: Readonly<Record<string, string | null>> = {
  [place]: 'trade',
  'OrderService/CancelOrder': 'trade',
  'OrderService/GetOrder': 'read',
  [placeMany]: 'trade',
  'OrderService/ArmDeadMan': 'trade',
  'OrderService/GetDeadMan': 'read',
  'OrderService/ClearDeadMan': 'trade',
  'MarketDataService/GetOrderBook': null,
  'MarketDataService/StreamOrderBook': null,
}

/** How a call ends that asks for nothing that exists. */
async function endOf(name: string, key: string | null): Promise<Failure> {
  if (name === placeMany) return new Reader(closed(name, key)).ended
  if (name.includes('/Stream')) return new Reader(grpc.stream(name, {}, { key })).ended
  return grpc.failure(name, {}, { key })
}

function closed(name: string, key: string | null) {
  const stream = grpc.duplex(name, { key })
  stream.end()
  return stream
}

test('every method accepts the keys that REST accepts, with the same scopes', async () => {
  assert.deepEqual(Object.keys(scopes).sort(), [...methodNames].sort(), 'each has a row')
  const idle = await OperatorClient.create(service)
  await service.admin('PATCH', `/api/v1/admin/operators/${idle.id}`, { isActive: false })
  const keys = new Map<string, string>()
  for (const scope of ['read', 'trade', 'manage']) {
    keys.set(scope, (await operator.withKey({ scopes: [scope] })).key)
  }
  const revoked = await operator.withKey({})
  await service.admin('DELETE', `/api/v1/admin/operators/${operator.id}/keys/${revoked.keyId}`)
  for (const [name, scope] of Object.entries(scopes)) {
    for (const key of [null, 'nonsense', revoked.key]) {
      const { status, code } = await endOf(name, key)
      if (scope === null) assert.equal(status, 'NOT_FOUND')
      else assert.deepEqual([status, code], ['UNAUTHENTICATED', 'UNAUTHORIZED'], name)
    }
    if (scope === null) continue
    const inactive = await endOf(name, idle.key)
    assert.deepEqual([inactive.status, inactive.code], ['PERMISSION_DENIED', 'FORBIDDEN'], name)
    for (const [held, key] of keys) {
      const { status } = await endOf(name, key)
      assert.equal(status !== 'PERMISSION_DENIED', held === scope, `${name} with ${held}`)
    }
  }
})

test('orders over the limit are RESOURCE_EXHAUSTED, and are not placed', async () => {
  const market = await operator.openMarket()
  const message = orderMessage(market, 'BUY')
  const orders = Array.from({ length: 100 }, () => ({ order: message }))
  const stream = grpc.duplex(placeMany, { key: operator.key })
  const reader = new Reader(stream)
  stream.write({ orders })
  const burst = await Promise.allSettled(
    Array.from({ length: 100 }, () => grpc.request(place, message, { key: operator.key })),
  )
  stream.end()
  assert.equal((await reader.ended).status, 'OK', 'the stream continues')
  const limited = reader.results.filter(({ error }) => error?.code === 'RATE_LIMITED')
  const refused = burst.filter((each) => each.status === 'rejected')
  assert.ok(limited.length > 0 && refused.length > 0)
  assert.match(String(refused[0]?.reason), /RESOURCE_EXHAUSTED/)
  const placed = 200 - limited.length - refused.length
  assert.equal((await operator.get(`/orders?marketId=${market.id}`)).total, placed)
})

test('calls without a key are limited by address', async () => {
  const ends = await Promise.all(
    Array.from({ length: 400 }, () => grpc.failure('MarketDataService/GetOrderBook', {})),
  )
  const limited = ends.filter(({ code }) => code === 'RATE_LIMITED')
  assert.ok(limited.length > 0)
  for (const { status, trailers } of limited) {
    assert.equal(status, 'RESOURCE_EXHAUSTED')
    assert.deepEqual(trailers.get('retry-after'), ['1'])
  }
})

test('a message over 256 KiB is RESOURCE_EXHAUSTED, and ends a stream', async () => {
  const { key } = operator
  const large = (bytes: number) => ({ order_id: 'x'.repeat(bytes) })
  const fits = await grpc.failure('OrderService/GetOrder', large(250_000), { key })
  assert.equal(fits.status, 'NOT_FOUND')
  const over = await grpc.failure('OrderService/GetOrder', large(263_000), { key })
  assert.deepEqual([over.status, over.code], ['RESOURCE_EXHAUSTED', 'PAYLOAD_TOO_LARGE'])
  const far = await grpc.failure('OrderService/GetOrder', large(3_000_000), { key })
  assert.equal(far.status, 'RESOURCE_EXHAUSTED')
  const stream = grpc.duplex(placeMany, { key })
  stream.write({ orders: [{ client_id: 'x'.repeat(263_000) }] })
  const ended = await new Reader(stream).ended
  assert.deepEqual([ended.status, ended.code], ['RESOURCE_EXHAUSTED', 'PAYLOAD_TOO_LARGE'])
})

test('a malformed message is INVALID_ARGUMENT; unknown fields are ignored', async () => {
  const garbage = await trailersOf(framedBytes(Buffer.from([0x0a, 0xff, 0xff, 0xff, 0x7f])))
  assert.deepEqual(garbage, ['3', 'VALIDATION_ERROR'])
  const unknown = Buffer.from([0xfa, 0x3e, 0x01, 0x78])
  assert.deepEqual(await trailersOf(framedBytes(unknown)), ['5', 'ORDER_NOT_FOUND'])
  assert.deepEqual(await trailersOf(framed('OrderService/GetOrder', {})), ['5', 'ORDER_NOT_FOUND'])
})

/** Status and code of a GetOrder with those bytes. */
function trailersOf(bytes: Buffer): Promise<unknown[]> {
  const { session, stream } = bareCall(service, 'OrderService/GetOrder', operator.key)
  return new Promise((resolve) => {
    stream.on('response', (headers) => {
      session.close()
      resolve([headers['grpc-status'], headers['error-code']])
    })
    stream.end(bytes)
    stream.resume()
  })
}

test('an order whose call was cancelled can be sent again, and is placed once', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const { key } = operator
  const message = (at: number) => orderMessage(market, 'BUY', { transaction_id: `late-${at}` })
  const numbers = Array.from({ length: 8 }, (_, at) => at)
  const ends = await Promise.allSettled(
    numbers.map((at) => grpc.request(place, message(at), { key, deadline: at % 5 })),
  )
  for (const end of ends) {
    if (end.status === 'rejected') assert.match(String(end.reason), /DEADLINE_EXCEEDED/)
  }
  for (const at of numbers) await grpc.request(place, message(at), { key })
  assert.equal((await operator.get(`/orders?marketId=${market.id}`)).total, numbers.length)
})

test('health is SERVING, of the server and of each service', async () => {
  for (const name of ['', 'outcry.v1.OrderService', 'outcry.v1.MarketDataService']) {
    const { status } = await grpc.data('grpc.health.v1.Health/Check', { service: name })
    assert.equal(status, 'SERVING')
  }
  const unknown = await grpc.failure('grpc.health.v1.Health/Check', { service: 'x' })
  assert.equal(unknown.status, 'NOT_FOUND')
})

test('reflection lists the services and describes them completely', async () => {
  const stream = grpc.duplex('grpc.reflection.v1.ServerReflection/ServerReflectionInfo')
  const reader = new Reader(stream)
  stream.write({ list_services: '*' })
  stream.write({ file_containing_symbol: 'outcry.v1.OrderService' })
  stream.end()
  await reader.ended
  const [list, found] = reader.messages
  const names = list.list_services_response.service.map(({ name }: Json) => name)
  assert.deepEqual(names.sort(), [
    'grpc.health.v1.Health',
    'outcry.v1.MarketDataService',
    'outcry.v1.OrderService',
  ])
  const [bytes] = found.file_descriptor_response.file_descriptor_proto
  const file = fromBinary(FileDescriptorProtoSchema, bytes)
  const fields = file.messageType.find(({ name }) => name === 'PlaceOrderRequest')?.field
  assert.equal(fields?.find(({ name }) => name === 'price')?.proto3Optional, true)
  assert.equal(fields?.find(({ name }) => name === 'side')?.typeName, '.outcry.v1.Side')
})

test('an unknown method is UNIMPLEMENTED', async () => {
  const { session, stream } = bareCall(service, 'OrderService/Nonsense', operator.key)
  const status = await new Promise((resolve) => {
    stream.on('response', (headers) => resolve(headers['grpc-status']))
    stream.end()
    stream.resume()
  })
  session.close()
  assert.equal(status, '12')
})

test('a stop notifies health watchers, answers accepted calls, and ends open streams', async () => {
  const own = await Service.start()
  const operator = await OperatorClient.create(own)
  const market = await operator.openMarket()
  const client = GrpcClient.of(own, operator.key)
  try {
    const health = new Reader(client.stream('grpc.health.v1.Health/Watch', { service: '' }))
    const request = { market_id: market.id, outcome_id: market.outcomes[0].id }
    const book = new Reader(client.stream('MarketDataService/StreamOrderBook', request))
    const stream = client.duplex(placeMany)
    const placing = new Reader(stream)
    stream.write({ orders: [{ order: orderMessage(market, 'BUY') }] })
    await health.until((messages) => messages.length === 1)
    await book.until((messages) => messages.length > 0)
    await placing.until(() => placing.results.length === 1)
    assert.equal(await own.stop(), 0)
    assert.deepEqual(
      health.messages.map(({ status }) => status),
      ['SERVING', 'NOT_SERVING'],
    )
    for (const reader of [book, placing]) {
      const ended = await reader.ended
      assert.deepEqual([ended.status, ended.code], ['UNAVAILABLE', 'UNAVAILABLE'])
    }
  } finally {
    client.close()
    await own.stop()
  }
})
