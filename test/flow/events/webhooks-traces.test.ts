// Deliveries have the trace of the request that has made their events, in the header traceparent.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { after, before, suite, test } from 'node:test'
import { GrpcClient, orderMessage, Reader } from '../../support/grpc/grpc-client.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import type { Json } from '../../support/process/outcry-process.ts'
import { type Received, type Receiver, until } from '../../support/webhooks/receiver.ts'
import { WebhookFixture } from '../../support/webhooks/webhook-fixture.ts'

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/
const parentId = '00f067aa0ba902b7'
const random = () => randomBytes(16).toString('hex')

/** The trace of a delivery; null if it has none. */
function traceIdOf({ headers: { traceparent } }: Received): string | null {
  if (traceparent === undefined) return null
  const [, traceId, spanId] = form.exec(String(traceparent)) ?? []
  assert.ok(traceId !== undefined, `${traceparent}`)
  assert.notEqual(spanId, parentId)
  return traceId
}

/** The types of the delivered events, in order, by trace. */
function typesByTrace(deliveries: readonly Received[]): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const each of deliveries.toSorted((a, b) => a.event.sequence - b.event.sequence)) {
    const trace = traceIdOf(each) ?? 'none'
    found[trace] ??= []
    found[trace].push(each.event.eventType)
  }
  return found
}

/** On a new connection: one that has sent other requests is no longer on the fast path. */
function statusOfPost(
  { service, key }: OperatorClient,
  path: string,
  body: object,
  traceparent: string,
): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  const headers = { 'x-api-key': key, 'content-type': 'application/json', traceparent }
  return new Promise<number>((resolve, reject) => {
    const url = `${service.url}/api/v1${path}`
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    const text = JSON.stringify(body)
    sent.on('error', reject).setHeader('content-length', Buffer.byteLength(text)).end(text)
  }).finally(() => agent.destroy())
}

const processes = {
  'one process': {},
  'front ends, whose commands cross a link': { FRONT_ENDS: '2' },
}

for (const [name, env] of Object.entries(processes)) {
  suite(`traces of deliveries, with ${name}`, () => {
    let fixture: WebhookFixture
    let owner: Party
    let other: Party
    let market: Json

    type Party = { client: OperatorClient; receiver: Receiver }

    const party = async (): Promise<Party> => {
      const client = await OperatorClient.create(fixture.service)
      const receiver = await fixture.receiver()
      await fixture.webhook(client, receiver.url)
      return { client, receiver }
    }

    before(async () => {
      fixture = await WebhookFixture.open({ env })
      owner = await party()
      other = await party()
      market = await owner.client.openMarket({ shared: true })
    })
    after(() => fixture.close())

    /** What each party receives of all events until now. */
    const received = async (): Promise<Record<string, string[]>[]> => {
      const all: Record<string, string[]>[] = []
      for (const { client, receiver } of [owner, other]) {
        const events = await client.events()
        await until(() => receiver.received.length >= events.length)
        all.push(typesByTrace(receiver.received))
      }
      return all
    }

    const send = async (
      { client }: Party,
      [method, path]: readonly [string, string],
      body: unknown,
      traceparent: string,
    ): Promise<Json> => {
      const answer = await client.request(method, path, body, { headers: { traceparent } })
      assert.ok(answer.status < 300, JSON.stringify(answer.body))
      return answer.body.data
    }

    const traced = async (
      sender: Party,
      route: readonly [string, string],
      body?: unknown,
    ): Promise<[Json, ...(string[] | undefined)[]]> => {
      const traceId = random()
      const data = await send(sender, route, body, `00-${traceId}-${parentId}-01`)
      const [ofOwner, ofOther] = await received()
      return [data, ofOwner![traceId], ofOther![traceId]]
    }

    test('without the header, and with an invalid one, there is none', async () => {
      const order = orderBody(market, 'BUY', { price: 0.1, shares: 1 })
      await send(owner, ['POST', '/orders'], order, 'nonsense')
      await send(owner, ['POST', '/orders'], order, `00-${'0'.repeat(32)}-${parentId}-01`)
      await owner.client.post('/orders', order)
      const [ofOwner] = await received()
      assert.deepEqual(Object.keys(ofOwner!), ['none'])
      assert.equal(ofOwner!.none!.filter((type) => type === 'ORDER_PLACED').length, 3)
    })

    test('an order: the events of its fill, of both operators', async () => {
      await other.client.post('/orders', orderBody(market, 'BUY', { price: 0.6 }))
      await owner.client.mint(market, 'bob', 10)
      const order = orderBody(market, 'SELL', { price: 0.6, player: 'bob' })
      const [, ofOwner, ofOther] = await traced(owner, ['POST', '/orders'], order)
      assert.ok(ofOwner!.includes('ORDER_PLACED'))
      assert.ok(ofOwner!.includes('ORDER_MATCHED'))
      assert.ok(ofOwner!.includes('PRICE_UPDATED'))
      assert.deepEqual(ofOther, ['ORDER_MATCHED', 'POSITION_UPDATED'])
      const [, all] = await received()
      assert.deepEqual(
        all!.none!.filter((type) => type.startsWith('ORDER_')),
        ['ORDER_PLACED'],
      )
    })

    test('orders on a connection of their own, which the fast path serves', async () => {
      const order = orderBody(market, 'BUY', { price: 0.15 })
      for (const [path, body] of [
        ['/orders', order],
        ['/orders/batch', { orders: [order] }],
      ] as const) {
        const traceId = random()
        const traceparent = `00-${traceId}-${parentId}-01`
        assert.equal(
          await statusOfPost(owner.client, path, body, traceparent),
          path === '/orders' ? 201 : 200,
        )
        const [ofOwner] = await received()
        assert.ok(ofOwner![traceId]!.includes('ORDER_PLACED'), path)
      }
    })

    test('orders over gRPC: placed, cancelled, and in a stream of one trace', async () => {
      const { service, key } = owner.client
      const grpc = GrpcClient.of(service, key)
      try {
        const message = orderMessage(market, 'BUY', { price: '0.16' })
        const traceIds = [random(), random(), random()] as const
        const [placing, cancelling, streaming] = traceIds.map((id) => {
          return { traceparent: `00-${id}-${parentId}-01` }
        })
        const { order } = await grpc.data('OrderService/PlaceOrder', message, placing)
        await grpc.data('OrderService/CancelOrder', { order_id: order.id }, cancelling)
        const stream = grpc.duplex('OrderService/PlaceOrders', streaming)
        const reader = new Reader(stream)
        stream.write({ orders: [{ client_id: 'a', order: message }] })
        stream.end({ orders: [{ client_id: 'b', order: message }] })
        await reader.ended
        const [ofOwner] = await received()
        const [placed, cancelled, streamed] = traceIds.map((id) => {
          return ofOwner![id]?.filter(
            (type) => type.startsWith('ORDER_') && type !== 'ORDER_BOOK_UPDATE',
          )
        })
        assert.deepEqual(placed, ['ORDER_PLACED'])
        assert.deepEqual(cancelled, ['ORDER_CANCELLED'])
        assert.deepEqual(streamed, ['ORDER_PLACED', 'ORDER_PLACED'])
      } finally {
        grpc.close()
      }
    })

    test('a batch, an amendment and a cancellation', async () => {
      const orders = [0.2, 0.21].map((price) => orderBody(market, 'BUY', { price }))
      const [batch, placed] = await traced(owner, ['POST', '/orders/batch'], { orders })
      assert.equal(placed!.filter((type) => type === 'ORDER_PLACED').length, 2)
      const [first, second] = batch.results.map(({ data }: Json) => `/orders/${data.order.id}`)
      const [, amended] = await traced(owner, ['PATCH', first], { price: 0.22 })
      assert.ok(amended!.includes('ORDER_AMENDED'))
      const [, cancelled] = await traced(owner, ['DELETE', second])
      assert.ok(cancelled!.includes('ORDER_CANCELLED'))
    })

    test('a repeated order is the same one, whatever its trace is', async () => {
      const order = orderBody(market, 'BUY', { price: 0.3, transactionId: 'once' })
      const [data, placed] = await traced(owner, ['POST', '/orders'], order)
      assert.ok(placed!.includes('ORDER_PLACED'))
      const [again, nothing] = await traced(owner, ['POST', '/orders'], order)
      assert.equal(again.order.id, data.order.id)
      assert.equal(nothing, undefined)
    })

    test('the life of a market, with the job that settles it', async () => {
      const [made, created] = await traced(owner, ['POST', '/markets'], {
        title: 'Snow?',
        shared: true,
      })
      assert.deepEqual(created, ['MARKET_CREATED'])
      const step = (action: string, body?: object) =>
        traced(owner, ['POST', `/markets/${made.id}/${action}`], body)
      const [, opened] = await step('open')
      assert.deepEqual(opened, ['MARKET_STATUS_CHANGED'])
      const [, minted] = await step('mint', { playerId: 'ann', shares: 5 })
      assert.deepEqual(minted, ['POSITION_UPDATED', 'POSITION_UPDATED'])
      await owner.client.act(made, 'close')
      await owner.client.resolve(made)
      const [, settled] = await step('settle')
      assert.deepEqual(settled, [
        ...['SETTLEMENT_COMPLETED', 'SETTLEMENT_COMPLETED', 'MARKET_STATUS_CHANGED'],
      ])
    })

    test('every attempt is a span of its own; after a restart there is no trace', async () => {
      const { receiver, client } = owner
      const traceId = random()
      const order = orderBody(market, 'BUY', { price: 0.05 })
      await send(owner, ['POST', '/orders'], order, `00-${traceId}-${parentId}-01`)
      await received()
      const [hook] = await client.get('/webhooks')
      const first = receiver.received.filter((each) => traceIdOf(each) === traceId)
      const { sequence } = first[0]!.event
      const again = async () => {
        const before = receiver.received.length
        const range = { fromSequence: sequence, toSequence: sequence }
        await fixture.request('POST', `/api/v1/webhooks/${hook.id}/redeliver`, client, range)
        await until(() => receiver.received.length > before)
        return receiver.received.at(-1)!
      }
      const repeated = await again()
      assert.equal(traceIdOf(repeated), traceId)
      assert.notEqual(repeated.headers.traceparent, first[0]!.headers.traceparent)
      await fixture.restart('stop')
      assert.equal(traceIdOf(await again()), null)
    })
  })
}
