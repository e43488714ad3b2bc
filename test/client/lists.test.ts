// The client iterates over lists and missed events to their end, over any number of pages.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertKept } from '../../client/src/event-position.ts'
import { isOutcryError } from '../../client/src/outcry.ts'
import { cellsIn } from '../support/http/csv.ts'
import { ClientFixture, limit } from './fixture.ts'

const fixture = await ClientFixture.open()
after(() => fixture.close())
const { client } = fixture

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

function idsOf(items: readonly { readonly id: string }[]): string[] {
  return items.map(({ id }) => id)
}

test('iterating over a list yields every item once', async () => {
  const market = await fixture.market()
  const { marketId } = market
  for (const playerId of ['a', 'b', 'c', 'd', 'e']) {
    await client.orders.place(limit(market, 'SELL', { shares: 1 }))
    await client.orders.place(limit(market, 'BUY', { shares: 1, playerId }))
  }
  const query = { marketId, limit: 2 }
  const orders = await collected(client.orders.each(query))
  assert.deepEqual(idsOf(orders), idsOf((await client.orders.list({ marketId })).orders))
  assert.equal(orders.length, 10)
  const trades = await collected(client.trades.each(query))
  assert.deepEqual(idsOf(trades), idsOf((await client.trades.list({ marketId })).trades))
  const tape = client.marketData.eachTrade(marketId, market.outcomeId, { limit: 2 })
  assert.equal((await collected(tape)).length, 5)
  const positions = await collected(client.positions.each(query))
  assert.deepEqual(positions, await client.positions.list({ marketId }))
  assert.equal((await client.positions.page({ marketId })).total, 7)

  await client.markets.close(marketId)
  const answer = { winningOutcomeId: market.outcomeId, resolutionSource: 'the news' }
  await client.markets.resolve(marketId, answer)
  await client.markets.settle(marketId)
  const settlements = await collected(client.settlements.each(query))
  assert.deepEqual(settlements, await client.settlements.list({ marketId }))
  assert.equal(settlements.length, 7)

  for (const title of ['a', 'b', 'c']) await client.markets.create({ title })
  assert.equal((await collected(client.markets.each({ limit: 1 }))).length, 4)
})

test('a list as CSV has one line of names, however many pages it has', async () => {
  const all = await collected(client.orders.each())
  const pages = await collected(client.orders.csv({ limit: 3 }))
  assert.ok(pages.length > 2)
  const [names, ...lines] = cellsIn(pages.join(''))
  assert.equal(names![0], 'id')
  assert.deepEqual(
    lines.map(([id]) => id),
    all.map(({ id }) => id),
  )
  const tables = { trades: 5, positions: 7, settlements: 7, markets: 4 } as const
  for (const [name, count] of Object.entries(tables)) {
    const texts = await collected(client[name as keyof typeof tables].csv())
    assert.equal(cellsIn(texts.join('')).length, 1 + count, name)
  }
  const events = cellsIn((await collected(client.events.csv({ since: 3, limit: 5 }))).join(''))
  assert.deepEqual(events[1]?.slice(1, 2), ['4'])
  const failed = collected(client.orders.csv({ cursor: 'x' }))
  await assert.rejects(failed, (error) => isOutcryError(error, 'VALIDATION_ERROR'))
})

test('an iteration over a list can stop early', async () => {
  let seen = 0
  for await (const _ of client.markets.each({ limit: 1 })) {
    seen += 1
    if (seen === 2) break
  }
  assert.equal(seen, 2)
})

test('iterating over missed events yields them in order, with no gap', async () => {
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

test('expired events throw EVENTS_EXPIRED instead of being skipped', () => {
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
