// The requests of a load: who trades where, and at which prices; every order has its transactionId.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderRequests, RequestCycle } from '../../bench/http/order-requests.ts'

type Order = {
  readonly marketId: string
  readonly outcomeId: string
  readonly playerId: string
  readonly side: 'BUY' | 'SELL'
  readonly price: number
  readonly transactionId?: string
}

const buyers = Array.from({ length: 200 }, (_, number) => `player-${number}`)
const markets = ['one', 'two', 'three'].map((marketId, at) => ({
  marketId,
  outcomeIds: [`${marketId}-yes`, `${marketId}-no`],
  holders: buyers.slice(at * 4, at * 4 + 4),
}))
const target = { port: 1, apiKey: 'key', ...markets[0]!, markets, buyers }
const shape = { seed: 1, count: 3_000, hasTransactionIds: true }

function bodyOf(request: Buffer) {
  const [head = '', body = ''] = String(request).split('\r\n\r\n')
  assert.equal(Number(/Content-Length: (\d+)/.exec(head)?.[1]), body.length)
  return JSON.parse(body)
}

test('all players buy in all markets, and only the holders of a market sell in it', () => {
  const orders: Order[] = orderRequests(target, shape).map(bodyOf)
  const of = (side: string) => orders.filter((order) => order.side === side)
  assert.equal(new Set(orders.map(({ outcomeId }) => outcomeId)).size, 6)
  assert.equal(new Set(of('BUY').map(({ playerId }) => playerId)).size, 200)
  for (const { marketId, outcomeId, playerId } of of('SELL')) {
    const market = markets.find((each) => each.marketId === marketId)
    assert.ok(market?.outcomeIds.includes(outcomeId) && market.holders.includes(playerId))
  }
})

test('the prices of BUY and SELL orders cross', () => {
  const orders: Order[] = orderRequests(target, shape).map(bodyOf)
  const prices = (side: string) =>
    orders.filter((order) => order.side === side).map(({ price }) => price)
  const [asked, bid] = [prices('SELL').sort(), prices('BUY').sort()]
  // The best third of either side reaches the middle of the other.
  const third = Math.floor(bid.length / 3)
  assert.ok(bid.at(-third)! > asked[third]!, `${bid.at(-third)} against ${asked[third]}`)
})

for (const batch of [1, 100]) {
  test(`no transactionId is sent twice when requests of ${batch} are repeated`, () => {
    const count = 300 / batch
    const cycle = new RequestCycle(target, { ...shape, count, batch })
    const seen = new Set<string>()
    for (let sent = 0; sent < 3 * count; sent += 1) {
      const body = bodyOf(cycle.next())
      const orders: Order[] = batch === 1 ? [body] : body.orders
      assert.equal(orders.length, batch)
      for (const { transactionId } of orders) seen.add(transactionId ?? '')
    }
    assert.equal(seen.size, 900)
  })
}

test('without transactionIds, a request is sent as it was prepared', () => {
  const plain = { ...shape, count: 2, hasTransactionIds: false }
  const cycle = new RequestCycle(target, plain)
  assert.deepEqual([cycle.next(), cycle.next()], orderRequests(target, plain))
  assert.equal(bodyOf(cycle.next()).transactionId, undefined)
})
