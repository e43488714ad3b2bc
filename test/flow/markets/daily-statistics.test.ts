// Statistics by day over HTTP: what they add up is what GET /trades lists.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused } from '../../support/http/answers.ts'
import { cellsIn } from '../../support/http/csv.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
let owner: OperatorClient
let guest: OperatorClient
let market: Json
let other: Json
let category: Json
before(async () => {
  service = await Service.start()
  owner = await OperatorClient.create(service)
  guest = await OperatorClient.create(service)
  category = await owner.post('/categories', { name: 'Rain', slug: 'rain' })
  market = await owner.openMarket({
    shared: true,
    completeSetMatching: true,
    categoryId: category.id,
  })
  other = await owner.marketWithHolders({ ann: 50 })
  await owner.sell(other, { player: 'ann', shares: 5.5, price: 0.6 })
  await owner.buy(other, { player: 'ann', shares: 2, price: 0.6 })
  await owner.buy(other, { player: 'Ann', shares: 3, price: 0.6 })
  await owner.buy(market, { player: 'bob', shares: 7, price: 0.6 })
  await guest.buy(market, { player: 'gus', shares: 7.25, price: 0.4, outcome: 1 })
})
after(() => service.stop())

const dayMs = 86_400_000
const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const around = () => ({ from: dateOf(Date.now() - dayMs), to: dateOf(Date.now() + dayMs) })

function daysOf(operator: OperatorClient, query: object = around()): Promise<Json> {
  return operator.get(`/stats/daily?${new URLSearchParams({ ...query })}`)
}

/** What the listed trades add up to, by date. */
async function expectedOf(operator: OperatorClient, filter = ''): Promise<Json[]> {
  const { trades } = await operator.get(`/trades?limit=1000${filter}`)
  const { orders } = await operator.get('/orders?limit=1000')
  const playerOf = new Map<string, string>(orders.map((each: Json) => [each.id, each.playerId]))
  const { from } = around()
  return [0, 1, 2].map((index) => {
    const date = dateOf(Date.parse(from) + index * dayMs)
    const ofDay = trades.filter(({ createdAt }: Json) => createdAt.startsWith(date))
    const sides: Json[] = ofDay.flatMap((trade: Json) => [
      { order: trade.buyOrderId, fee: trade.buyerFee },
      { order: trade.sellOrderId, fee: trade.sellerFee },
    ])
    const own = sides.filter(({ order }) => playerOf.has(order))
    return {
      date,
      volume: sum(ofDay.map(({ shares }: Json) => shares)),
      fees: sum(own.map(({ fee }) => fee)),
      trades: ofDay.length,
      activePlayers: new Set(own.map(({ order }) => playerOf.get(order))).size,
    }
  })
}

const sum = (texts: readonly string[]) =>
  String(Number(texts.reduce((total, text) => total + Number(text), 0).toFixed(10)))

test('a day adds up the listed trades, those of guests and by complete sets included', async () => {
  const filters = [
    [owner, ''],
    [guest, ''],
    [owner, `&marketId=${market.id}`],
    [guest, `&marketId=${market.id}`],
    [owner, `&marketId=${other.id}`],
  ] as const
  for (const [operator, filter] of filters) {
    const expected = await expectedOf(operator, filter)
    const { from, to } = { from: expected[0]!.date, to: expected[2]!.date }
    const { days } = await operator.get(`/stats/daily?from=${from}&to=${to}${filter}`)
    assert.deepEqual(days, expected, `${operator === owner ? 'owner' : 'guest'} ${filter}`)
  }
  const totals = (days: Json[]) => {
    const numbers = (field: string) => days.map((day) => Number(day[field]))
    return ['volume', 'trades', 'activePlayers'].map((field) =>
      numbers(field).reduce((total, number) => total + number, 0),
    )
  }
  const ofAll = await daysOf(owner)
  assert.deepEqual(totals(ofAll.days), [12, 3, 3])
  assert.deepEqual(totals((await daysOf(guest)).days), [7, 1, 1])
})

test('a category has the trades of the markets that are in it now', async () => {
  const ofCategory = async (operator: OperatorClient) => {
    const { days } = await daysOf(operator, { ...around(), categoryId: category.id.toUpperCase() })
    return days.reduce((total: number, { trades }: Json) => total + trades, 0)
  }
  assert.deepEqual([await ofCategory(owner), await ofCategory(guest)], [1, 1])
  await owner.patch(`/markets/${other.id}`, { categoryId: category.id })
  assert.deepEqual([await ofCategory(owner), await ofCategory(guest)], [3, 1])
  const { days } = await daysOf(owner, { ...around(), categoryId: crypto.randomUUID() })
  assert.deepEqual(
    days.map(({ trades }: Json) => trades),
    [0, 0, 0],
  )
})

test('the range is 30 days up to today, or what is asked for, each day once', async () => {
  const before = dateOf(Date.now())
  const { days } = await daysOf(owner, {})
  const today = [before, dateOf(Date.now())]
  assert.equal(days.length, 30)
  assert.ok(today.includes(days[29].date))
  const dates = (found: Json) => found.days.map(({ date }: Json) => date)
  const leap = await daysOf(owner, { from: '2024-02-28', to: '2024-03-01' })
  assert.deepEqual(dates(leap), ['2024-02-28', '2024-02-29', '2024-03-01'])
  const year = await daysOf(owner, { from: '2024-01-01', to: '2024-12-31' })
  assert.equal(year.days.length, 366)
  const none = { volume: '0', fees: '0', trades: 0, activePlayers: 0 }
  assert.deepEqual(year.days[365], { date: '2024-12-31', ...none })
  assert.deepEqual(dates(await daysOf(owner, { to: '1970-01-02' })), ['1970-01-01', '1970-01-02'])
})

test('invalid ranges and filters are refused', async () => {
  const id = market.id
  const refused: readonly [string, string, RegExp][] = [
    ['from=2024-02-30', 'VALIDATION_ERROR', /^from: must be an existing date/],
    ['from=2024-02-01T00:00:00Z', 'VALIDATION_ERROR', /^from: must be an existing date/],
    ['to=1969-12-31', 'VALIDATION_ERROR', /^to: must be an existing date/],
    ['to=', 'VALIDATION_ERROR', /^to: must be an existing date/],
    ['to=20240101', 'VALIDATION_ERROR', /^to: must be an existing date/],
    ['from=2024-02-02&to=2024-02-01', 'VALIDATION_ERROR', /^from: must not be after 2024-02-01/],
    ['from=9000-01-01', 'VALIDATION_ERROR', /^from: must not be after/],
    ['from=2024-01-01&to=2025-01-01', 'VALIDATION_ERROR', /^to: must be at most 2024-12-31/],
    ['from=2000-01-01', 'VALIDATION_ERROR', /^to: must be at most 2000-12-31/],
    [`marketId=${id}&categoryId=${category.id}`, 'VALIDATION_ERROR', /^categoryId: must not be/],
    ['marketId=7', 'VALIDATION_ERROR', /^marketId: must be a UUID/],
    ['categoryId=rain', 'VALIDATION_ERROR', /^categoryId: must be a UUID/],
    [`marketId=${crypto.randomUUID()}`, 'MARKET_NOT_FOUND', /./],
  ]
  for (const [query, code, message] of refused) {
    const answer = await owner.request('GET', `/stats/daily?${query}`)
    assertRefused(answer, code)
    assert.match(answer.body.error.message, message, query)
  }
  const stranger = await OperatorClient.create(service, { supportedCurrencies: ['EUR'] })
  const unseen = await stranger.request('GET', `/stats/daily?marketId=${id}`)
  assertRefused(unseen, 'MARKET_NOT_FOUND')
})

test('days have the same values as CSV', async () => {
  const query = new URLSearchParams(around())
  const answer = await fetch(`${service.url}/api/v1/stats/daily?${query}`, {
    headers: { 'x-api-key': owner.key, accept: 'text/csv' },
  })
  assert.equal(answer.headers.get('link'), null)
  const { days } = await daysOf(owner)
  const [names, ...rows] = cellsIn(await answer.text())
  assert.deepEqual(names, ['date', 'volume', 'fees', 'trades', 'activePlayers'])
  assert.deepEqual(
    rows,
    days.map((day: Json) => names!.map((name) => String(day[name!]))),
  )
})
