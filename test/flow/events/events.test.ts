// The event replay over HTTP: the events of a market's whole life, in order and field by field.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused, assertShape, until } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { payloadShapes } from '../../support/http/payload-shapes.ts'
import { eventShape } from '../../support/http/shapes.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

/** The events since the last call, as short texts; checks fields and gapless sequences. */
class Listener {
  readonly operator: OperatorClient
  sequence = 0
  #names = new Map<string, string>()

  constructor(operator: OperatorClient) {
    this.operator = operator
  }

  /** The names that replace ids. */
  name(id: string, name: string): void {
    this.#names.set(id, name)
  }

  async recent(): Promise<string[]> {
    const events = await this.operator.events('', this.sequence)
    const texts = events.map((event) => {
      this.sequence += 1
      this.#check(event)
      return this.#text(event)
    })
    return inRuns(texts)
  }

  #check(event: Json): void {
    assertShape(event, eventShape)
    assert.equal(event.sequence, this.sequence)
    assert.equal(event.operatorId, this.operator.id)
    assert.equal(Date.parse(event.expiresAt) - Date.parse(event.createdAt), 24 * 3_600_000)
    assertShape(event.payload, payloadShapes[event.eventType]!)
    assert.equal(event.payload.marketId, event.marketId)
    assert.ok(Math.abs(event.payload.timestamp - Date.now()) < 60_000)
  }

  #text({ eventType, payload }: Json): string {
    const { status, reason, playerId, outcomeId, orderId } = payload
    const about = [orderId, outcomeId].map((id) => this.#names.get(id))
    const words = [eventType, ...about, playerId, status, reason]
    return words.filter((word) => word !== undefined && word !== null).join(' ')
  }
}

// The order of the positions within one command is not specified.
function inRuns(texts: string[]): string[] {
  const isFree = (text: string) => /^(POSITION_UPDATED|SETTLEMENT_COMPLETED)/.test(text)
  const first = texts.findIndex(isFree)
  if (first === -1) return texts
  const length = texts.slice(first).findIndex((text) => !isFree(text))
  const end = length === -1 ? texts.length : first + length
  const run = texts.slice(first, end).sort()
  return [...texts.slice(0, first), ...run, ...inRuns(texts.slice(end))]
}

test('the events of a market, from its creation to its settlement, are in order', async () => {
  const operator = await OperatorClient.create(service)
  const listener = new Listener(operator)
  assert.deepEqual(await listener.recent(), [])
  const market = await operator.createMarket()
  await operator.act(market, 'open')
  for (const { id, name } of market.outcomes) listener.name(id, name)
  assert.deepEqual(await listener.recent(), ['MARKET_CREATED DRAFT', 'MARKET_STATUS_CHANGED OPEN'])

  await operator.mint(market, 'sam', 100)
  const minted = ['POSITION_UPDATED No sam', 'POSITION_UPDATED Yes sam']
  assert.deepEqual(await listener.recent(), minted)

  const { order: ask } = await operator.sell(market, { player: 'sam' })
  listener.name(ask.id, 'ask')
  const booked = ['ORDER_BOOK_UPDATE Yes', 'PRICE_UPDATED Yes']
  assert.deepEqual(await listener.recent(), ['ORDER_PLACED ask Yes sam PENDING', ...booked])

  const { order: taker } = await operator.buy(market, { player: 'bob', shares: 12, type: 'MARKET' })
  listener.name(taker.id, 'taker')
  assert.deepEqual(await listener.recent(), [
    'ORDER_PLACED taker Yes bob CANCELLED',
    'ORDER_MATCHED taker Yes bob PARTIAL',
    'ORDER_MATCHED ask Yes sam FILLED',
    'ORDER_CANCELLED taker Yes bob CANCELLED IMMEDIATE',
    'POSITION_UPDATED Yes bob',
    'POSITION_UPDATED Yes sam',
    ...booked,
  ])

  const refused = await operator.tryOrder(market, 'BUY', { type: 'MARKET' })
  listener.name(refused.body.error.details.orderId, 'refused')
  assert.deepEqual(await listener.recent(), ['ORDER_PLACED refused Yes ann REJECTED'])

  const { order: bid } = await operator.buy(market, { price: 0.2 })
  listener.name(bid.id, 'bid')
  await listener.recent()
  await operator.cancel(bid)
  const cancelled = ['ORDER_CANCELLED bid Yes ann CANCELLED REQUESTED', ...booked]
  assert.deepEqual(await listener.recent(), cancelled)
  await endMarket(listener, market)
})

async function endMarket(listener: Listener, market: Json): Promise<void> {
  const { operator } = listener
  await operator.suspend(market)
  await operator.act(market, 'resume')
  assert.deepEqual(await listener.recent(), [
    'MARKET_STATUS_CHANGED SUSPENDED pause',
    'MARKET_STATUS_CHANGED OPEN',
  ])

  const { order: left } = await operator.buy(market, { outcome: 1, price: 0.2 })
  listener.name(left.id, 'left')
  await listener.recent()
  await operator.finish(market)
  assert.deepEqual(await listener.recent(), [
    'MARKET_STATUS_CHANGED CLOSED',
    'MARKET_STATUS_CHANGED RESOLVED',
    'MARKET_RESOLVED',
    'ORDER_CANCELLED left No ann CANCELLED SETTLEMENT',
    'ORDER_BOOK_UPDATE No',
    'PRICE_UPDATED No',
    'SETTLEMENT_COMPLETED No sam COMPLETED',
    'SETTLEMENT_COMPLETED Yes bob COMPLETED',
    'SETTLEMENT_COMPLETED Yes sam COMPLETED',
    'MARKET_STATUS_CHANGED SETTLED',
  ])
}

test("in a shared market operators get their own events, the owner also the book's", async () => {
  const [owner, participant] = [
    await OperatorClient.create(service),
    await OperatorClient.create(service),
  ]
  const market = await owner.openMarket({ shared: true })
  const [theirs, own] = [new Listener(participant), new Listener(owner)]
  await participant.mint(market, 'gus', 10)
  assert.deepEqual(await theirs.recent(), ['POSITION_UPDATED gus', 'POSITION_UPDATED gus'])
  await participant.sell(market, { player: 'gus' })
  assert.deepEqual(await theirs.recent(), ['ORDER_PLACED gus PENDING'])
  await own.recent()
  await owner.buy(market, { player: 'oda', shares: 4 })
  assert.deepEqual(await own.recent(), [
    'ORDER_PLACED oda FILLED',
    'ORDER_MATCHED oda FILLED',
    'POSITION_UPDATED oda',
    'ORDER_BOOK_UPDATE',
    'PRICE_UPDATED',
  ])
  assert.deepEqual(await theirs.recent(), ['ORDER_MATCHED gus PARTIAL', 'POSITION_UPDATED gus'])
  await owner.act(market, 'cancel', { reason: 'void' })
  assert.deepEqual(await theirs.recent(), [
    'MARKET_STATUS_CHANGED CANCELLED void',
    'ORDER_CANCELLED gus CANCELLED MARKET_CANCELLED',
  ])
})

test('payloads have the values of the records, as numbers', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.marketWithHolders({ sam: 100 })
  const first = await operator.sell(market, { player: 'sam', price: 0.4, shares: 4 })
  const second = await operator.sell(market, { player: 'sam', price: 0.5, shares: 4 })
  const since = (await operator.events()).length
  const { order, trades } = await operator.buy(market, { player: 'bob', price: 0.6, shares: 10 })
  const events = await operator.events('', since)
  const payloads = (type: string) =>
    events.filter(({ eventType }) => eventType === type).map(({ payload }) => payload)
  const [placed] = payloads('ORDER_PLACED')
  const { side, type, shares, price, status, filledShares } = placed
  assert.deepEqual([side, type, shares, price], ['BUY', 'LIMIT', 10, 0.6])
  assert.deepEqual([status, filledShares, placed.orderId], ['PARTIAL', 8, order.id])
  const matched = payloads('ORDER_MATCHED').map((each) => [
    each.orderId,
    each.tradeId,
    each.price,
    each.shares,
    each.filledShares,
    each.remainingShares,
    each.status,
  ])
  assert.deepEqual(matched, [
    [order.id, trades[0].id, 0.4, 4, 4, 6, 'PARTIAL'],
    [first.order.id, trades[0].id, 0.4, 4, 4, 0, 'FILLED'],
    [order.id, trades[1].id, 0.5, 4, 8, 2, 'PARTIAL'],
    [second.order.id, trades[1].id, 0.5, 4, 4, 0, 'FILLED'],
  ])
  const [book] = payloads('ORDER_BOOK_UPDATE')
  assert.deepEqual(book.bids, [{ price: 0.6, shares: 2, orderCount: 1 }])
  assert.deepEqual(
    book.asks.map((level: Json) => [level.price, level.shares]),
    [
      [0.4, 0],
      [0.5, 0],
    ],
  )
  assert.deepEqual([book.bestBid, book.bestAsk, book.spread], [0.6, null, null])
  assert.equal(book.version, (await operator.book(market)).version)
  const [prices] = payloads('PRICE_UPDATED')
  assert.deepEqual([prices.lastPrice, prices.bestBid, prices.midPrice], [0.5, 0.6, null])
  const bob = payloads('POSITION_UPDATED').find(({ playerId }) => playerId === 'bob')
  assert.deepEqual([bob.shares, bob.avgPrice, bob.totalCost, bob.realizedPnl], [8, 0.45, 3.6, 0])
})

test('pages continue from lastSequence, with one filter or several', async () => {
  const operator = await OperatorClient.create(service)
  const [one, two] = [await operator.openMarket(), await operator.openMarket()]
  for (const market of [one, two, one]) await operator.buy(market, { price: 0.1 })
  const all = await operator.events()
  const whole = await operator.get('/events')
  assert.deepEqual(whole.events, all)
  assert.deepEqual([whole.hasMore, whole.lastSequence], [false, all.length])
  assert.equal(whole.earliestSequence, 1)
  const seen: Json[] = []
  for (let since = 0, hasMore = true; hasMore; ) {
    const page = await operator.get(`/events?since=${since}&limit=2`)
    assert.ok(page.events.length <= 2)
    seen.push(...page.events)
    ;({ lastSequence: since, hasMore } = page)
  }
  assert.deepEqual(seen, all)
  const ofOne = all.filter(({ marketId }) => marketId === one.id)
  assert.deepEqual(await operator.events(`&marketId=${one.id}`), ofOne)
  const placed = all.filter(({ eventType }) => eventType === 'ORDER_PLACED')
  assert.equal(placed.length, 3)
  const both = await operator.get(`/events?eventType=ORDER_PLACED&marketId=${one.id}&limit=1`)
  assert.deepEqual([both.events, both.hasMore], [[placed[0]], true])
  const query = `since=${both.lastSequence}&eventType=ORDER_PLACED&marketId=${one.id}`
  const next = await operator.get(`/events?${query}`)
  assert.deepEqual([next.events, next.hasMore], [[placed[2]], false])
})

test("an empty page's lastSequence is the since of the request", async () => {
  const operator = await OperatorClient.create(service)
  const none = await operator.get('/events')
  assert.deepEqual([none.events, none.hasMore, none.lastSequence], [[], false, 0])
  await operator.createMarket()
  for (const since of [1, 77]) {
    const page = await operator.get(`/events?since=${since}`)
    assert.deepEqual([page.events, page.hasMore, page.lastSequence], [[], false, since])
  }
  for (const query of ['since=-1', 'since=x', 'limit=0', 'limit=1001', 'marketId=x']) {
    const field = query.split('=')[0]!
    assertRefused(await operator.request('GET', `/events?${query}`), 'VALIDATION_ERROR', field)
  }
  const type = await operator.request('GET', '/events?eventType=NO_SUCH')
  assertRefused(type, 'VALIDATION_ERROR', 'eventType')
})

test('an expired order is published as ORDER_CANCELLED', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const expiresAt = new Date(Date.now() + 150).toISOString()
  await operator.buy(market, { price: 0.2, expiresAt })
  const cancelled = () => operator.events('&eventType=ORDER_CANCELLED')
  const [event] = await until(cancelled, ({ length }) => length > 0)
  const { reason, status, price, cancelledShares, side } = event.payload
  assert.deepEqual(
    [reason, status, price, cancelledShares, side],
    ['EXPIRED', 'EXPIRED', 0.2, 10, 'BUY'],
  )
})
