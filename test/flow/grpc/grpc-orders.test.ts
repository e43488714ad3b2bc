// OrderService, one order at a time: the same orders, errors and guarantees as over REST.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { GrpcClient, orderMessage } from '../../support/grpc/grpc-client.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
let operator: OperatorClient
let grpc: GrpcClient
before(async () => {
  service = await Service.start()
  operator = await OperatorClient.create(service)
  grpc = GrpcClient.of(service, operator.key)
})
after(async () => {
  grpc?.close()
  await service?.stop()
})

const someId = '019a8a30-1c00-7000-8000-000000000001'
const place = (message: object) => grpc.data('OrderService/PlaceOrder', message)
const refused = (message: object) => grpc.failure('OrderService/PlaceOrder', message)

/** The message as REST would show it: camelCase, words without their prefix. */
function asRest(message: Json): Json {
  const words: Readonly<Record<string, string>> = {
    side: 'SIDE_',
    type: 'ORDER_TYPE_',
    status: 'ORDER_STATUS_',
    time_in_force: 'TIME_IN_FORCE_',
    self_trade_prevention: 'SELF_TRADE_PREVENTION_',
    kind: 'TRADE_KIND_',
    buyer_role: 'PARTY_ROLE_',
    seller_role: 'PARTY_ROLE_',
  }
  const shown = Object.entries<Json>(message).filter(([name]) => !name.startsWith('_'))
  return Object.fromEntries(
    shown.map(([name, value]) => {
      const camel = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
      return [camel, name in words ? value.replace(words[name], '') : value]
    }),
  )
}

/** Those fields of a record that the message has; a message leaves out what is null or empty. */
function fieldsOf(message: Json, record: Json): Json {
  return Object.fromEntries(Object.keys(asRest(message)).map((name) => [name, record[name]]))
}

function assertSame(message: Json, record: Json): void {
  assert.deepEqual(asRest(message), fieldsOf(message, record))
  const left = Object.keys(record).filter((name) => !(name in asRest(message)))
  for (const name of left) assert.ok([null, false].includes(record[name]), `${name} is missing`)
}

describe('PlaceOrder', () => {
  test('places the order that REST then shows, with its trades', async () => {
    const market = await operator.marketWithHolders({ bob: 100 })
    await operator.sell(market, { player: 'bob', price: 0.4321, shares: 4.5 })
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const options = { transaction_id: 'grpc-1', expires_at, shares: '10.25', price: '0.4321' }
    const answer = await place(orderMessage(market, 'BUY', options))
    assertSame(answer.order, await operator.get(`/orders/${answer.order.id}`))
    const { trades } = await operator.get(`/trades?marketId=${market.id}`)
    assert.equal(answer.trades.length, 1)
    assertSame(answer.trades[0], trades[0])
    assert.deepEqual(
      [answer.status, answer.filled_shares, answer.avg_fill_price, answer.remaining_shares],
      ['ORDER_STATUS_PARTIAL', '4.5', '0.4321', '5.75'],
    )
    assert.equal(answer.order.expires_at, expires_at)
  })

  test('accepts a MARKET order, whose price is not set', async () => {
    const market = await operator.marketWithHolders({ bob: 100 })
    await operator.sell(market, { player: 'bob', price: 0.3, shares: 10 })
    const message = orderMessage(market, 'BUY', { type: 'ORDER_TYPE_MARKET', price: undefined })
    const { order } = await place(message)
    assert.equal(order.status, 'ORDER_STATUS_FILLED')
    assert.equal('price' in order, false)
  })

  test('reads decimals exactly, and refuses others and those off the step', async () => {
    const market = await operator.openMarket()
    for (const [price, shown] of [
      ['0.2900', '0.29'],
      ['00.29', '0.29'],
      ['0.1234', '0.1234'],
      [`${'0'.repeat(20)}.29${'0'.repeat(20)}`, '0.29'],
    ]) {
      assert.equal((await place(orderMessage(market, 'BUY', { price }))).order.price, shown)
    }
    const wrong = [
      [{ price: '0.50000000001' }, 'ORDER_INVALID_PRICE'],
      [{ price: '1' }, 'ORDER_INVALID_PRICE'],
      [{ price: '-0.5' }, 'ORDER_INVALID_PRICE'],
      [{ shares: '10.001' }, 'ORDER_INVALID_SHARES'],
      [{ shares: '100000.01' }, 'ORDER_INVALID_SHARES'],
      [{ shares: '999999999999999' }, 'ORDER_INVALID_SHARES'],
      [{ shares: '1e1' }, 'VALIDATION_ERROR'],
      [{ shares: '' }, 'VALIDATION_ERROR'],
      [{ price: '0.1234567890123456789' }, 'ORDER_INVALID_PRICE'],
      [{ shares: '9'.repeat(400) }, 'ORDER_INVALID_SHARES'],
      [{ shares: `1.${'0'.repeat(400)}1` }, 'ORDER_INVALID_SHARES'],
      [{ price: '.5' }, 'VALIDATION_ERROR'],
      [{ price: '' }, 'VALIDATION_ERROR'],
      [{ price: 'NaN' }, 'VALIDATION_ERROR'],
    ] as const
    for (const [more, code] of wrong) {
      const failure = await refused(orderMessage(market, 'BUY', more))
      assert.deepEqual([failure.status, failure.code], ['INVALID_ARGUMENT', code])
      assert.ok(failure.message.length < 150, failure.message)
    }
  })

  test('with an invalid field is INVALID_ARGUMENT, and the message names the field', async () => {
    const market = await operator.openMarket()
    const wrong = [
      [{ market_id: 'x' }, /^marketId: /],
      [{ outcome_id: '' }, /^outcomeId: /],
      [{ player_id: '' }, /^playerId: /],
      [{ player_id: 'a\nb' }, /^playerId: /],
      [{ side: 'SIDE_UNSPECIFIED' }, /^side: is required/],
      [{ side: 9 }, /^side: must be one of/],
      [{ type: 'ORDER_TYPE_UNSPECIFIED' }, /^type: is required/],
      [{ expires_at: 'tomorrow' }, /^expiresAt: /],
      [{ transaction_id: 'x'.repeat(256) }, /^transactionId: /],
    ] as const
    for (const [more, message] of wrong) {
      const failure = await refused(orderMessage(market, 'BUY', more))
      assert.deepEqual([failure.status, failure.code], ['INVALID_ARGUMENT', 'VALIDATION_ERROR'])
      assert.match(failure.message, message)
    }
  })

  test('is refused with the matching status, and the code of REST', async () => {
    const market = await operator.openMarket()
    const draft = await operator.createMarket()
    await operator.buy(market, { price: 0.1, transactionId: 'taken' })
    const cases = [
      [{ market_id: someId }, 'NOT_FOUND', 'MARKET_NOT_FOUND'],
      [{ outcome_id: draft.outcomes[0].id }, 'INVALID_ARGUMENT', 'VALIDATION_ERROR'],
      [
        { market_id: draft.id, outcome_id: draft.outcomes[0].id },
        'FAILED_PRECONDITION',
        'MARKET_NOT_OPEN',
      ],
      [{ side: 'SIDE_SELL' }, 'FAILED_PRECONDITION', 'POSITION_INSUFFICIENT_SHARES'],
      [{ transaction_id: 'taken' }, 'ALREADY_EXISTS', 'ORDER_DUPLICATE_TRANSACTION'],
    ] as const
    for (const [more, status, code] of cases) {
      const failure = await refused(orderMessage(market, 'BUY', more))
      assert.deepEqual([failure.status, failure.code], [status, code])
    }
    const unmatched = await refused(orderMessage(market, 'BUY', { type: 'ORDER_TYPE_MARKET' }))
    assert.deepEqual(
      [unmatched.status, unmatched.code],
      ['FAILED_PRECONDITION', 'ORDER_NO_LIQUIDITY'],
    )
    const { orderId } = JSON.parse(String(unmatched.trailers.get('error-details')[0]))
    assert.equal((await operator.get(`/orders/${orderId}`)).status, 'REJECTED')
  })

  test('is refused beyond a limit of the player, with the details of REST', async () => {
    const market = await operator.openMarket()
    const limits = { maxOrderCost: 5 }
    await operator.put('/players/mia/controls', { mode: 'OPEN', limits })
    const message = orderMessage(market, 'BUY', { player_id: 'mia', shares: '10.02' })
    const failure = await refused(message)
    assert.deepEqual([failure.status, failure.code], ['FAILED_PRECONDITION', 'LIMIT_EXCEEDED'])
    const details = JSON.parse(String(failure.trailers.get('error-details')[0]))
    assert.deepEqual(details, { limit: 'maxOrderCost', max: '5', would: '5.01' })
    assert.equal((await place({ ...message, shares: '10' })).order.shares, '10')
  })

  test('refuses an order that is outside of a price band, and cancels what was left', async () => {
    const priceBand = { maxMove: 0.1, suspendOnBand: true }
    const market = await operator.marketWithHolders({ bob: 100 }, { priceBand })
    for (const price of [0.4, 0.45, 0.6]) await operator.sell(market, { player: 'bob', price })
    await operator.buy(market, { price: 0.4 })
    const far = orderMessage(market, 'BUY', { price: '0.9', shares: '15' })
    const { order } = await place(far)
    assert.deepEqual([order.status, order.filled_shares], ['ORDER_STATUS_CANCELLED', '10'])
    const suspended = await refused(far)
    assert.equal(suspended.code, 'MARKET_NOT_OPEN')
    await operator.act(market, 'resume')
    const failure = await refused(far)
    assert.deepEqual([failure.status, failure.code], ['FAILED_PRECONDITION', 'ORDER_OUTSIDE_BAND'])
    const { orderId } = JSON.parse(String(failure.trailers.get('error-details')[0]))
    assert.equal((await operator.get(`/orders/${orderId}`)).status, 'REJECTED')
  })

  test('accepts the options of orders, and returns them', async () => {
    const market = await operator.marketWithHolders({ bob: 100 })
    await operator.sell(market, { player: 'bob', price: 0.4, shares: 4 })
    const options = [
      [{ time_in_force: 'TIME_IN_FORCE_FOK' }, 'ORDER_NO_LIQUIDITY'],
      [{ post_only: true }, 'ORDER_WOULD_MATCH'],
      [{ post_only: true, time_in_force: 'TIME_IN_FORCE_IOC' }, 'VALIDATION_ERROR'],
      [{ time_in_force: 7 }, 'VALIDATION_ERROR'],
    ] as const
    for (const [more, code] of options) {
      assert.equal((await refused(orderMessage(market, 'BUY', more))).code, code)
    }
    const own = orderMessage(market, 'BUY', {
      player_id: 'bob',
      self_trade_prevention: 'SELF_TRADE_PREVENTION_CANCEL_NEWEST',
    })
    assert.equal((await place(own)).status, 'ORDER_STATUS_CANCELLED')
    const { order } = await place(
      orderMessage(market, 'BUY', { time_in_force: 'TIME_IN_FORCE_IOC' }),
    )
    assert.deepEqual([order.status, order.filled_shares], ['ORDER_STATUS_CANCELLED', '4'])
    assertSame(order, await operator.get(`/orders/${order.id}`))
  })

  test('with the same transaction_id is carried out once, over REST and gRPC', async () => {
    const market = await operator.openMarket()
    const message = orderMessage(market, 'BUY', { transaction_id: 'once' })
    const first = await grpc.request('OrderService/PlaceOrder', message)
    assert.deepEqual(first.metadata.get('idempotent-replayed'), [])
    const second = await grpc.request('OrderService/PlaceOrder', message)
    assert.deepEqual(second.metadata.get('idempotent-replayed'), ['true'])
    assert.equal(second.data.order.id, first.data.order.id)
    const body = orderBody(market, 'BUY', { price: 0.5, shares: 10, transactionId: 'once' })
    const third = await operator.request('POST', '/orders', body)
    assert.equal(third.status, 200)
    assert.equal(third.body.data.order.id, first.data.order.id)
    assert.equal((await operator.get(`/orders?marketId=${market.id}`)).total, 1)
  })
})

test('a repeated REJECTED order is refused again, marked as replayed in the trailers', async () => {
  const market = await operator.openMarket()
  const message = orderMessage(market, 'BUY', { type: 'ORDER_TYPE_MARKET', transaction_id: 'none' })
  for (const mark of [[], ['true']]) {
    const { code, trailers } = await grpc.failure('OrderService/PlaceOrder', message)
    assert.equal(code, 'ORDER_NO_LIQUIDITY')
    assert.deepEqual(trailers.get('idempotent-replayed'), mark)
  }
})

describe('GetOrder and CancelOrder', () => {
  test('show and cancel an order that was placed over REST', async () => {
    const market = await operator.openMarket()
    const { order } = await operator.buy(market, { price: 0.2, shares: 3 })
    const found = await grpc.data('OrderService/GetOrder', { order_id: order.id })
    assertSame(found, order)
    const cancelled = await grpc.data('OrderService/CancelOrder', { order_id: order.id })
    assertSame(cancelled, await operator.get(`/orders/${order.id}`))
    assert.deepEqual(
      [cancelled.status, cancelled.remaining_shares],
      ['ORDER_STATUS_CANCELLED', '0'],
    )
    const again = await grpc.failure('OrderService/CancelOrder', { order_id: order.id })
    assert.deepEqual([again.status, again.code], ['FAILED_PRECONDITION', 'ORDER_CANNOT_CANCEL'])
  })

  test('do not find orders of other operators or with a malformed id', async () => {
    const other = await OperatorClient.create(service)
    const market = await other.openMarket()
    const { order } = await other.buy(market, { price: 0.2 })
    for (const order_id of [order.id, someId, 'x', '']) {
      for (const name of ['OrderService/GetOrder', 'OrderService/CancelOrder']) {
        const failure = await grpc.failure(name, { order_id })
        assert.deepEqual([failure.status, failure.code], ['NOT_FOUND', 'ORDER_NOT_FOUND'])
      }
    }
    const placing = await refused(orderMessage(market, 'BUY'))
    assert.deepEqual([placing.status, placing.code], ['NOT_FOUND', 'MARKET_NOT_FOUND'])
    assert.equal((await other.get(`/orders/${order.id}`)).status, 'PENDING')
  })
})
