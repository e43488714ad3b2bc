// The replay of events, over HTTP: a whole story, in order and field by field.

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

/** What was told since, as short texts; checks every event's fields and the gapless count. */
class Listener {
  readonly house: OperatorClient
  sequence = 0
  #names = new Map<string, string>()

  constructor(house: OperatorClient) {
    this.house = house
  }

  /** Ids are told by these names. */
  name(id: string, name: string): void {
    this.#names.set(id, name)
  }

  async told(): Promise<string[]> {
    const events = await this.house.events('', this.sequence)
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
    assert.equal(event.operatorId, this.house.id)
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

// In which order the positions of one command come is nobody's business.
function inRuns(texts: string[]): string[] {
  const isFree = (text: string) => /^(POSITION_UPDATED|SETTLEMENT_COMPLETED)/.test(text)
  const first = texts.findIndex(isFree)
  if (first === -1) return texts
  const length = texts.slice(first).findIndex((text) => !isFree(text))
  const end = length === -1 ? texts.length : first + length
  const run = texts.slice(first, end).sort()
  return [...texts.slice(0, first), ...run, ...inRuns(texts.slice(end))]
}

test('a market of one operator, from its creation to its settlement', async () => {
  const house = await OperatorClient.create(service)
  const listener = new Listener(house)
  assert.deepEqual(await listener.told(), [])
  const market = await house.createMarket()
  await house.act(market, 'open')
  for (const { id, name } of market.outcomes) listener.name(id, name)
  assert.deepEqual(await listener.told(), ['MARKET_CREATED DRAFT', 'MARKET_STATUS_CHANGED OPEN'])

  await house.mint(market, 'sam', 100)
  const minted = ['POSITION_UPDATED No sam', 'POSITION_UPDATED Yes sam']
  assert.deepEqual(await listener.told(), minted)

  const { order: ask } = await house.sell(market, { player: 'sam' })
  listener.name(ask.id, 'ask')
  const booked = ['ORDER_BOOK_UPDATE Yes', 'PRICE_UPDATED Yes']
  assert.deepEqual(await listener.told(), ['ORDER_PLACED ask Yes PENDING', ...booked])

  const { order: taker } = await house.buy(market, { player: 'bob', shares: 12, type: 'MARKET' })
  listener.name(taker.id, 'taker')
  assert.deepEqual(await listener.told(), [
    'ORDER_PLACED taker Yes CANCELLED',
    'ORDER_MATCHED taker Yes PARTIAL',
    'ORDER_MATCHED ask Yes FILLED',
    'ORDER_CANCELLED taker Yes bob CANCELLED IMMEDIATE',
    'POSITION_UPDATED Yes bob',
    'POSITION_UPDATED Yes sam',
    ...booked,
  ])

  const refused = await house.tryOrder(market, 'BUY', { type: 'MARKET' })
  listener.name(refused.body.error.details.orderId, 'refused')
  assert.deepEqual(await listener.told(), ['ORDER_PLACED refused Yes REJECTED'])

  const { order: bid } = await house.buy(market, { price: 0.2 })
  listener.name(bid.id, 'bid')
  await listener.told()
  await house.cancel(bid)
  const cancelled = ['ORDER_CANCELLED bid Yes ann CANCELLED REQUESTED', ...booked]
  assert.deepEqual(await listener.told(), cancelled)
  await tellTheEnd(listener, market)
})

async function tellTheEnd(listener: Listener, market: Json): Promise<void> {
  const { house } = listener
  await house.suspend(market)
  await house.act(market, 'resume')
  assert.deepEqual(await listener.told(), [
    'MARKET_STATUS_CHANGED SUSPENDED pause',
    'MARKET_STATUS_CHANGED OPEN',
  ])

  const { order: left } = await house.buy(market, { outcome: 1, price: 0.2 })
  listener.name(left.id, 'left')
  await listener.told()
  await house.finish(market)
  assert.deepEqual(await listener.told(), [
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

test('in a shared market each is told of its own, the owner also of the book', async () => {
  const [owner, participant] = [
    await OperatorClient.create(service),
    await OperatorClient.create(service),
  ]
  const market = await owner.openMarket({ shared: true })
  const [theirs, own] = [new Listener(participant), new Listener(owner)]
  await participant.mint(market, 'gus', 10)
  assert.deepEqual(await theirs.told(), ['POSITION_UPDATED gus', 'POSITION_UPDATED gus'])
  await participant.sell(market, { player: 'gus' })
  assert.deepEqual(await theirs.told(), ['ORDER_PLACED PENDING'])
  await own.told()
  await owner.buy(market, { player: 'oda', shares: 4 })
  assert.deepEqual(await own.told(), [
    'ORDER_PLACED FILLED',
    'ORDER_MATCHED FILLED',
    'POSITION_UPDATED oda',
    'ORDER_BOOK_UPDATE',
    'PRICE_UPDATED',
  ])
  assert.deepEqual(await theirs.told(), ['ORDER_MATCHED PARTIAL', 'POSITION_UPDATED gus'])
  await owner.act(market, 'cancel', { reason: 'void' })
  assert.deepEqual(await theirs.told(), [
    'MARKET_STATUS_CHANGED CANCELLED void',
    'ORDER_CANCELLED gus CANCELLED MARKET_CANCELLED',
  ])
})

test('payloads say in numbers what the records say in texts', async () => {
  const house = await OperatorClient.create(service)
  const market = await house.marketWithHolders({ sam: 100 })
  const first = await house.sell(market, { player: 'sam', price: 0.4, shares: 4 })
  const second = await house.sell(market, { player: 'sam', price: 0.5, shares: 4 })
  const since = (await house.events()).length
  const { order, trades } = await house.buy(market, { player: 'bob', price: 0.6, shares: 10 })
  const events = await house.events('', since)
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
  assert.equal(book.version, (await house.book(market)).version)
  const [prices] = payloads('PRICE_UPDATED')
  assert.deepEqual([prices.lastPrice, prices.bestBid, prices.midPrice], [0.5, 0.6, null])
  const bob = payloads('POSITION_UPDATED').find(({ playerId }) => playerId === 'bob')
  assert.deepEqual([bob.shares, bob.avgPrice, bob.totalCost, bob.realizedPnl], [8, 0.45, 3.6, 0])
})

test('pages go on from lastSequence, with filters alone and together', async () => {
  const house = await OperatorClient.create(service)
  const [one, two] = [await house.openMarket(), await house.openMarket()]
  for (const market of [one, two, one]) await house.buy(market, { price: 0.1 })
  const all = await house.events()
  const whole = await house.get('/events')
  assert.deepEqual(whole.events, all)
  assert.deepEqual([whole.hasMore, whole.lastSequence], [false, all.length])
  assert.equal(whole.earliestSequence, 1)
  const seen: Json[] = []
  for (let since = 0, hasMore = true; hasMore; ) {
    const page = await house.get(`/events?since=${since}&limit=2`)
    assert.ok(page.events.length <= 2)
    seen.push(...page.events)
    ;({ lastSequence: since, hasMore } = page)
  }
  assert.deepEqual(seen, all)
  const ofOne = all.filter(({ marketId }) => marketId === one.id)
  assert.deepEqual(await house.events(`&marketId=${one.id}`), ofOne)
  const placed = all.filter(({ eventType }) => eventType === 'ORDER_PLACED')
  assert.equal(placed.length, 3)
  const both = await house.get(`/events?eventType=ORDER_PLACED&marketId=${one.id}&limit=1`)
  assert.deepEqual([both.events, both.hasMore], [[placed[0]], true])
  const query = `since=${both.lastSequence}&eventType=ORDER_PLACED&marketId=${one.id}`
  const next = await house.get(`/events?${query}`)
  assert.deepEqual([next.events, next.hasMore], [[placed[2]], false])
})

test("an empty page's lastSequence is the since that was asked with", async () => {
  const house = await OperatorClient.create(service)
  const none = await house.get('/events')
  assert.deepEqual([none.events, none.hasMore, none.lastSequence], [[], false, 0])
  await house.createMarket()
  for (const since of [1, 77]) {
    const page = await house.get(`/events?since=${since}`)
    assert.deepEqual([page.events, page.hasMore, page.lastSequence], [[], false, since])
  }
  for (const query of ['since=-1', 'since=x', 'limit=0', 'limit=1001', 'marketId=x']) {
    const field = query.split('=')[0]!
    assertRefused(await house.ask('GET', `/events?${query}`), 'VALIDATION_ERROR', field)
  }
  const type = await house.ask('GET', '/events?eventType=NO_SUCH')
  assertRefused(type, 'VALIDATION_ERROR', 'eventType')
})

test('an expired order is told as ORDER_CANCELLED', async () => {
  const house = await OperatorClient.create(service)
  const market = await house.openMarket()
  const expiresAt = new Date(Date.now() + 150).toISOString()
  await house.buy(market, { price: 0.2, expiresAt })
  const told = () => house.events('&eventType=ORDER_CANCELLED')
  const [event] = await until(told, ({ length }) => length > 0)
  const { reason, status, price, cancelledShares, side } = event.payload
  assert.deepEqual(
    [reason, status, price, cancelledShares, side],
    ['EXPIRED', 'EXPIRED', 0.2, 10, 'BUY'],
  )
})
