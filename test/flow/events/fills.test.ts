// A fill can be booked from its event alone: its fee, the player, the request and the role of the
// order, in a replay, on the stream and in webhooks, also in a shared market and after a restart.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertShape } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { payloadShapes } from '../../support/http/payload-shapes.ts'
import type { Json } from '../../support/process/outcry-process.ts'
import { StreamClient } from '../../support/stream/stream-client.ts'
import { type Receiver, until } from '../../support/webhooks/receiver.ts'
import { WebhookFixture } from '../../support/webhooks/webhook-fixture.ts'

let fixture: WebhookFixture
before(async () => {
  fixture = await WebhookFixture.open()
})
after(() => fixture.close())

type Receiving = { readonly operator: OperatorClient; readonly receiver: Receiver }

/** An operator whose events are delivered to a receiver. */
async function receiving(feePercent: number): Promise<Receiving> {
  const operator = await OperatorClient.create(fixture.service, { feePercent })
  const receiver = await fixture.receiver()
  await fixture.webhook(operator, receiver.url)
  return { operator, receiver }
}

/** All events of an operator about orders, after checking that every way shows the same. */
async function orderEvents({ operator, receiver }: Receiving): Promise<Json[]> {
  const events = await operator.events()
  const stream = await StreamClient.open(fixture.service.url, { key: operator.key })
  stream.send({ op: 'subscribe', channels: ['events'], since: 0 })
  await stream.until((message) => message.event?.sequence === events.length)
  await stream.close()
  const streamed = stream.ofType('event').map(({ event }) => event.payload)
  await until(
    () => new Set(receiver.received.map(({ event }) => event.sequence)).size === events.length,
  )
  const delivered = new Map(receiver.received.map(({ event }) => [event.sequence, event.payload]))
  for (const [at, { sequence, eventType, payload }] of events.entries()) {
    assertShape(payload, payloadShapes[eventType]!)
    assert.deepEqual(streamed[at], payload)
    assert.deepEqual(delivered.get(sequence), payload)
  }
  return events.filter(
    ({ eventType }) => eventType.startsWith('ORDER_') && eventType !== 'ORDER_BOOK_UPDATE',
  )
}

/** What an event must say: of the order itself, and of the operator's side of the trade. */
async function assertBookable(operator: OperatorClient, events: readonly Json[]): Promise<void> {
  for (const { payload } of events) {
    const order = await operator.get(`/orders/${payload.orderId}`)
    const { playerId, transactionId } = order.order ?? order
    assert.deepEqual([payload.playerId, payload.transactionId], [playerId, transactionId])
    if (payload.tradeId === undefined) continue
    const { trades } = await operator.get(`/trades?orderId=${payload.orderId}`)
    const trade = trades.find(({ id }: Json) => id === payload.tradeId)
    const side = payload.side === 'BUY' ? 'buyer' : 'seller'
    assert.equal(String(payload.fee), trade[`${side}Fee`])
    assert.equal(trade[`${side}OperatorId`], operator.id)
  }
}

test('fills in a shared market have the fee and the player of the own order only', async () => {
  const [house, guest] = [await receiving(1.5), await receiving(0.01)]
  const market = await house.operator.openMarket({ shared: true })
  await house.operator.mint(market, 'house-ann', 100)
  const offer = { player: 'house-ann', shares: 7.01, price: 0.5003 }
  await house.operator.sell(market, { ...offer, transactionId: 'house-offer' })
  await house.operator.sell(market, { ...offer, price: 0.51 })
  const bid = { player: 'guest-gil', price: 0.52, timeInForce: 'IOC', shares: 20 }
  await guest.operator.buy(market, { ...bid, transactionId: 'guest-bid' })
  const { order } = await guest.operator.buy(market, { player: 'guest-gus', price: 0.3 })
  await guest.operator.patch(`/orders/${order.id}`, { price: 0.31 })
  await guest.operator.cancel(order)

  const events = { house: await orderEvents(house), guest: await orderEvents(guest) }
  await assertBookable(house.operator, events.house)
  await assertBookable(guest.operator, events.guest)
  const text = { house: JSON.stringify(events.house), guest: JSON.stringify(events.guest) }
  assert.doesNotMatch(text.house, /guest-/)
  assert.doesNotMatch(text.guest, /house-/)
  const orderIds = new Set(events.house.map(({ payload }) => payload.orderId))
  for (const id of orderIds) assert.ok(!text.guest.includes(id))

  const fills = [...events.house, ...events.guest].filter(({ payload }) => 'tradeId' in payload)
  assert.deepEqual(
    fills.map(({ payload }) => [
      payload.role,
      payload.playerId,
      payload.transactionId,
      payload.fee,
    ]),
    [
      ['MAKER', 'house-ann', 'house-offer', 0.052606545],
      ['MAKER', 'house-ann', null, 0.0536265],
      ['TAKER', 'guest-gil', 'guest-bid', 0.0003507103],
      ['TAKER', 'guest-gil', 'guest-bid', 0.00035751],
    ],
  )
  assert.deepEqual(
    events.guest.map(({ eventType, payload }) => `${eventType} ${payload.playerId}`),
    [
      'ORDER_PLACED guest-gil',
      'ORDER_MATCHED guest-gil',
      'ORDER_MATCHED guest-gil',
      'ORDER_CANCELLED guest-gil',
      'ORDER_PLACED guest-gus',
      'ORDER_AMENDED guest-gus',
      'ORDER_CANCELLED guest-gus',
    ],
  )
})

test('a resting order that is matched after a restart still has its transactionId', async () => {
  const house = await receiving(2)
  const market = await house.operator.openMarket({ completeSetMatching: true })
  await house.operator.buy(market, { player: 'ann', price: 0.6, transactionId: 'before' })
  await fixture.restart('kill')
  const operator = new OperatorClient(fixture.service, house.operator)
  const taker = { player: 'bob', outcome: 1, price: 0.45, shares: 4 }
  await operator.buy(market, { ...taker, transactionId: 'after' })
  const events = await orderEvents({ ...house, operator })
  await assertBookable(operator, events)
  const fills = events.filter(({ eventType }) => eventType === 'ORDER_MATCHED')
  assert.deepEqual(
    fills.map(({ payload }) => [payload.role, payload.transactionId, payload.fee]),
    [
      ['TAKER', 'after', 0.032],
      ['MAKER', 'before', 0.048],
    ],
  )
})
