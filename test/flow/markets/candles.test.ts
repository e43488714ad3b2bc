// Candles and the public tape over HTTP: public, as plain numbers, from the response of a trade on
// and for as long as its market is stored.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused, assertShape } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { candleShape, publicTradeShape } from '../../support/http/shapes.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

const widths: Readonly<Record<string, number>> = {
  '1m': 60_000,
  '5m': 300_000,
  '1h': 3_600_000,
  '1d': 86_400_000,
}

type Kind = 'candles' | 'trades'

function pathOf(kind: Kind, market: Json, outcomeId = market.outcomes[0].id): string {
  return `/api/v1/markets/${market.id}/${kind}/${outcomeId}`
}

/** Without a key. */
async function read(path: string): Promise<Json> {
  const answer = await service.request('GET', path)
  assert.equal(answer.status, 200, path)
  return answer.body.data
}

async function traded(): Promise<{ operator: OperatorClient; market: Json }> {
  const operator = await OperatorClient.create(service)
  const market = await operator.marketWithHolders({ ann: 100 })
  for (const price of [0.5, 0.61, 0.42]) {
    await operator.buy(market, { player: 'bob', price, shares: 2.5 })
    await operator.sell(market, { price, shares: 2.5 })
  }
  await operator.sell(market, { price: 0.55, shares: 1 })
  await operator.buy(market, { player: 'bob', price: 0.6, shares: 1 })
  return { operator, market }
}

test('a candle contains a trade at every interval, right after the response', async () => {
  const { operator, market } = await traded()
  for (const [interval, width] of Object.entries(widths)) {
    const before = Date.now()
    await operator.sell(market, { price: 0.55, shares: 1 })
    await operator.buy(market, { player: 'bob', price: 0.55, shares: 1 })
    const candles = await read(`${pathOf('candles', market)}?interval=${interval}`)
    const last = candles.at(-1)
    assertShape(last, candleShape)
    assert.equal(last.time % width, 0)
    assert.ok(last.time > before - width && last.time <= Date.now())
    assert.equal(last.close, 0.55)
  }
  const total = (candles: Json) =>
    candles.reduce((sum: number, { trades }: Json) => sum + trades, 0)
  for (const interval of Object.keys(widths)) {
    const candles = await read(`${pathOf('candles', market)}?interval=${interval}`)
    assert.equal(total(candles), 8)
    assert.equal(candles[0].open, 0.5)
    assert.equal(Math.max(...candles.map(({ high }: Json) => high)), 0.61)
    assert.equal(Math.min(...candles.map(({ low }: Json) => low)), 0.42)
    const volumes = candles.map(({ volume }: Json) => volume)
    assert.equal(
      volumes.reduce((sum: number, volume: number) => sum + volume),
      12.5,
    )
  }
  assert.deepEqual(await read(`${pathOf('candles', market, market.outcomes[1].id)}`), [])
})

test('from is inclusive and to is exclusive; both must be times', async () => {
  const { market } = await traded()
  const path = `${pathOf('candles', market)}?interval=1d`
  const [{ time }, ...others] = await read(path)
  const iso = (millis: number) => new Date(millis).toISOString()
  assert.equal((await read(`${path}&from=${iso(time)}`)).length, 1 + others.length)
  assert.deepEqual(await read(`${path}&to=${iso(time)}`), [])
  assert.equal((await read(`${path}&to=${iso(time + 1)}`)).length, 1)
  assert.equal((await read(`${path}&from=${iso(time + 1)}`)).length, others.length)
  for (const [query, field] of [
    ['interval=2m', 'interval'],
    ['interval=', 'interval'],
    ['from=yesterday', 'from'],
    ['to=1700000000', 'to'],
    ['from=2026-02-30T00:00:00Z', 'from'],
  ] as const) {
    const answer = await service.request('GET', `${pathOf('candles', market)}?${query}`)
    assertRefused(answer, 'VALIDATION_ERROR', field)
  }
})

test('the tape shows price, shares, side and time of each trade, and no ids', async () => {
  const { market } = await traded()
  const { trades, total, hasMore, nextCursor } = await read(pathOf('trades', market))
  assert.deepEqual([total, hasMore, nextCursor], [4, false, null])
  for (const trade of trades) assertShape(trade, publicTradeShape)
  const tape = trades.map(({ price, shares, takerSide }: Json) => [price, shares, takerSide])
  assert.deepEqual(tape, [
    [0.55, 1, 'BUY'],
    [0.42, 2.5, 'SELL'],
    [0.61, 2.5, 'SELL'],
    [0.5, 2.5, 'SELL'],
  ])
  for (const { timestamp } of trades) assert.ok(Math.abs(timestamp - Date.now()) < 60_000)
})

test('pages of the tape are stable while trades are added, and contain no ids', async () => {
  const { operator, market } = await traded()
  const path = pathOf('trades', market)
  const first = await read(`${path}?limit=2`)
  assert.deepEqual([first.trades.length, first.total, first.hasMore], [2, 4, true])
  await operator.sell(market, { price: 0.55, shares: 1 })
  await operator.buy(market, { player: 'bob', price: 0.55, shares: 1 })
  const second = await read(`${path}?limit=2&cursor=${first.nextCursor}`)
  const prices = second.trades.map(({ price }: Json) => price)
  assert.deepEqual([prices, second.total, second.hasMore], [[0.61, 0.5], 5, false])
  const cursor = Buffer.from(first.nextCursor, 'base64url').toString('latin1')
  const { trades } = await operator.get('/trades')
  for (const { id } of trades) assert.ok(!cursor.includes(id.slice(24)))
  for (const query of ['cursor=x', 'limit=0', 'limit=1001']) {
    const field = query.split('=')[0]!
    assertRefused(await service.request('GET', `${path}?${query}`), 'VALIDATION_ERROR', field)
  }
})

test('candles and tape outlive settlement; a DRAFT or an unknown market is not found', async () => {
  const { operator, market } = await traded()
  const other = await operator.openMarket()
  await operator.finish(market)
  const draft = await operator.createMarket()
  for (const kind of ['candles', 'trades'] as const) {
    const found = await read(pathOf(kind, market))
    assert.ok((kind === 'candles' ? found : found.trades).length > 0)
    assertRefused(await service.request('GET', pathOf(kind, draft)), 'MARKET_NOT_FOUND')
    assertRefused(
      await service.request('GET', pathOf(kind, { ...market, id: 'x' })),
      'MARKET_NOT_FOUND',
    )
    for (const id of [crypto.randomUUID(), 'x', other.outcomes[0].id, market.id]) {
      assertRefused(await service.request('GET', pathOf(kind, market, id)), 'OUTCOME_NOT_FOUND')
    }
  }
})
