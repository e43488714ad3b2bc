// Lists and missed events are walked through to their end, over as many pages as it takes.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isOutcryError } from '../../client/src/outcry.ts'
import { assertKept } from '../../client/src/routes/events.ts'
import { ClientScene, limit } from './scene.ts'

const scene = await ClientScene.open()
after(() => scene.close())
const { client } = scene

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

function idsOf(items: readonly { readonly id: string }[]): string[] {
  return items.map(({ id }) => id)
}

test('orders, trades, positions, settlements and markets come whole, each once', async () => {
  const place = await scene.market()
  const { marketId } = place
  for (const playerId of ['a', 'b', 'c', 'd', 'e']) {
    await client.orders.place(limit(place, 'SELL', { shares: 1 }))
    await client.orders.place(limit(place, 'BUY', { shares: 1, playerId }))
  }
  const query = { marketId, limit: 2 }
  const orders = await collected(client.orders.each(query))
  assert.deepEqual(idsOf(orders), idsOf((await client.orders.list({ marketId })).orders))
  assert.equal(orders.length, 10)
  const trades = await collected(client.trades.each(query))
  assert.deepEqual(idsOf(trades), idsOf((await client.trades.list({ marketId })).trades))
  const tape = client.marketData.eachTrade(marketId, place.outcomeId, { limit: 2 })
  assert.equal((await collected(tape)).length, 5)
  const positions = await collected(client.positions.each(query))
  assert.deepEqual(positions, await client.positions.list({ marketId }))
  assert.equal((await client.positions.page({ marketId })).total, 7)

  await client.markets.close(marketId)
  const answer = { winningOutcomeId: place.outcomeId, resolutionSource: 'the news' }
  await client.markets.resolve(marketId, answer)
  await client.markets.settle(marketId)
  const settlements = await collected(client.settlements.each(query))
  assert.deepEqual(settlements, await client.settlements.list({ marketId }))
  assert.equal(settlements.length, 7)

  for (const title of ['a', 'b', 'c']) await client.markets.create({ title })
  assert.equal((await collected(client.markets.each({ limit: 1 }))).length, 4)
})

test('a walk can be left early', async () => {
  let seen = 0
  for await (const _ of client.markets.each({ limit: 1 })) {
    seen += 1
    if (seen === 2) break
  }
  assert.equal(seen, 2)
})

test('missed events come in order, with no gap, over pages', async () => {
  const all = await collected(client.events.each({ limit: 7 }))
  const sequences = all.map(({ sequence }) => sequence)
  assert.deepEqual(
    sequences,
    sequences.map((_, index) => index + 1),
  )
  const late = await collected(client.events.each({ since: 10, limit: 7 }))
  assert.deepEqual(late, all.slice(10))
  const created = await collected(client.events.each({ eventType: 'MARKET_CREATED', limit: 1 }))
  assert.equal(created.length, 4)
})

test('events that are no longer kept are told of, never left out silently', () => {
  assert.doesNotThrow(() => assertKept(0, 500))
  assert.doesNotThrow(() => assertKept(499, 500))
  assert.throws(
    () => assertKept(498, 500),
    (error) => {
      assert.ok(isOutcryError(error, 'EVENTS_EXPIRED'))
      assert.deepEqual(error.details, { since: 498, earliestSequence: 500 })
      return true
    },
  )
})
