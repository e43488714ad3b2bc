// Creating, reading, listing and editing markets, over HTTP.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertRefused, assertShape } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { marketShape, outcomeShape } from '../../support/http/shapes.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

describe('creating a market', () => {
  test('needs only a title: other fields have defaults', async () => {
    const operator = await OperatorClient.create(service)
    const answer = await operator.request('POST', '/markets', { title: 'Rain?' })
    assert.equal(answer.status, 201)
    const market = answer.body.data
    assertShape(market, marketShape)
    assert.equal(market.operatorId, operator.id)
    assert.equal(market.status, 'DRAFT')
    assert.equal(market.currency, 'USD')
    assert.equal(market.totalVolume, '0')
    assert.equal(market.totalTrades, 0)
    assert.equal(market.shared, false)
    assert.equal(market.completeSetMatching, false)
    assert.equal('category' in market, false)
    const empty = ['description', 'imageUrl', 'categoryId', 'metadata', 'resolvedAt']
    for (const field of [...empty, 'tradingStartsAt', 'tradingEndsAt', 'winningOutcomeId']) {
      assert.equal(market[field], null, field)
    }
    const outcomes = market.outcomes.map(({ name, index }: Json) => [name, index])
    assert.deepEqual(outcomes, [
      ['Yes', 0],
      ['No', 1],
    ])
    for (const outcome of market.outcomes) assertShape(outcome, outcomeShape)
  })

  test('stores all fields', async () => {
    const operator = await OperatorClient.create(service, { supportedCurrencies: ['USD', 'EUR'] })
    const category = await operator.post('/categories', { name: 'Weather', slug: 'weather' })
    const sent = {
      title: 'Who wins? 🏆',
      description: 'First line\nsecond line',
      imageUrl: 'https://example.com/cup.png',
      categoryId: category.id,
      currency: 'EUR',
      tradingStartsAt: '2020-01-01T00:00:00.000Z',
      tradingEndsAt: '2099-01-01T00:00:00.000Z',
      metadata: { league: { round: 3, tags: ['a', null, true] } },
    }
    const outcomes = [{ name: 'A', description: 'the A team' }, { name: 'B' }, { name: 'C' }]
    const made = await operator.createMarket({ ...sent, outcomes })
    for (const market of [made, await operator.market(made)]) {
      for (const [field, value] of Object.entries(sent)) assert.deepEqual(market[field], value)
      assert.deepEqual(market.category, { id: category.id, name: 'Weather', slug: 'weather' })
      assert.deepEqual(
        market.outcomes.map(({ name, description, index }: Json) => [name, description, index]),
        [
          ['A', 'the A team', 0],
          ['B', null, 1],
          ['C', null, 2],
        ],
      )
    }
    assert.deepEqual(await operator.market(made), made)
  })

  test('accepts a time with an offset, and shows it in UTC', async () => {
    const operator = await OperatorClient.create(service)
    const market = await operator.createMarket({ tradingEndsAt: '2099-01-01T02:00:00+02:00' })
    assert.equal(market.tradingEndsAt, '2099-01-01T00:00:00.000Z')
  })

  test('in an unsupported currency is refused with it and the supported ones', async () => {
    const operator = await OperatorClient.create(service, { supportedCurrencies: ['EUR', 'GBP'] })
    const refused = await operator.request('POST', '/markets', { title: 'x', currency: 'JPY' })
    assertRefused(refused, 'VALIDATION_ERROR', /JPY.*EUR.*GBP/)
    const byDefault = await operator.request('POST', '/markets', { title: 'x' })
    assertRefused(byDefault, 'VALIDATION_ERROR', /USD.*EUR.*GBP/)
  })

  const manyOutcomes = Array.from({ length: 257 }, (_, at) => ({ name: `o${at}` }))
  const wrongBodies: readonly (readonly [string, object])[] = [
    ['title', {}],
    ['title', { title: '' }],
    ['title', { title: 5 }],
    ['title', { title: null }],
    ['colour', { title: 'x', colour: 'red' }],
    ['outcomes', { title: 'x', outcomes: [{ name: 'only' }] }],
    ['outcomes', { title: 'x', outcomes: [] }],
    ['outcomes', { title: 'x', outcomes: manyOutcomes }],
    ['outcomes', { title: 'x', outcomes: [{ name: 'same' }, { name: 'same' }] }],
    ['outcomes[1].name', { title: 'x', outcomes: [{ name: 'a' }, {}] }],
    ['outcomes[0].odds', { title: 'x', outcomes: [{ name: 'a', odds: 1 }, { name: 'b' }] }],
    ['tradingStartsAt', { title: 'x', tradingStartsAt: 'tomorrow' }],
    ['tradingEndsAt', { title: 'x', tradingEndsAt: '2026-02-30T00:00:00Z' }],
    ['metadata', { title: 'x', metadata: 'text' }],
    ['metadata', { title: 'x', metadata: [] }],
    ['categoryId', { title: 'x', categoryId: 'weather' }],
    ['shared', { title: 'x', shared: 'yes' }],
  ]
  test('with an invalid field is refused, and the message names the field', async () => {
    const operator = await OperatorClient.create(service)
    for (const [field, body] of wrongBodies) {
      assertRefused(await operator.request('POST', '/markets', body), 'VALIDATION_ERROR', field)
    }
    const { total } = await operator.get('/markets')
    assert.equal(total, 0)
  })

  test('needs tradingStartsAt before tradingEndsAt', async () => {
    const operator = await OperatorClient.create(service)
    const at = '2099-01-01T00:00:00Z'
    for (const start of [at, '2099-01-02T00:00:00Z']) {
      const body = { title: 'x', tradingStartsAt: start, tradingEndsAt: at }
      assertRefused(await operator.request('POST', '/markets', body), 'VALIDATION_ERROR', 'trading')
    }
  })

  test('accepts 256 outcomes', async () => {
    const operator = await OperatorClient.create(service)
    const market = await operator.createMarket({ outcomes: manyOutcomes.slice(1) })
    assert.equal((await operator.market(market)).outcomes.length, 256)
  })

  test('with a category that does not exist is CATEGORY_NOT_FOUND', async () => {
    const operator = await OperatorClient.create(service)
    const body = { title: 'x', categoryId: crypto.randomUUID() }
    assertRefused(await operator.request('POST', '/markets', body), 'CATEGORY_NOT_FOUND')
  })
})

describe('listing markets', () => {
  test('returns 20 by default, newest first, in pages that stay stable', async () => {
    const operator = await OperatorClient.create(service)
    const titles = Array.from({ length: 45 }, (_, at) => `market ${at}`)
    for (const title of titles) await operator.createMarket({ title })
    const first = await operator.get('/markets')
    assert.equal(first.markets.length, 20)
    assert.equal(first.total, 45)
    assert.equal(first.hasMore, true)
    assert.equal(typeof first.nextCursor, 'string')
    await operator.createMarket({ title: 'newer' })
    const second = await operator.get(`/markets?limit=20&cursor=${first.nextCursor}`)
    const third = await operator.get(`/markets?cursor=${second.nextCursor}`)
    assert.equal(third.hasMore, false)
    assert.equal(third.nextCursor, null)
    const seen = [first, second, third].flatMap((page) => page.markets.map((m: Json) => m.title))
    assert.deepEqual(seen, titles.toReversed())
  })

  test('ends with a page that is exactly full', async () => {
    const operator = await OperatorClient.create(service)
    for (let at = 0; at < 4; at += 1) await operator.createMarket()
    const first = await operator.get('/markets?limit=2')
    const second = await operator.get(`/markets?limit=2&cursor=${first.nextCursor}`)
    assert.deepEqual([first.hasMore, second.hasMore, second.nextCursor], [true, false, null])
    assert.equal(second.markets.length, 2)
  })

  test('filters by statuses, category and title, alone and together', async () => {
    const operator = await OperatorClient.create(service)
    const category = await operator.post('/categories', { name: 'C', slug: 'c' })
    const open = await operator.openMarket({ title: 'Alpha RAIN', categoryId: category.id })
    const draft = await operator.createMarket({ title: 'beta rain' })
    const closed = await operator.openMarket({ title: 'gamma' })
    await operator.act(closed, 'close')
    const idsOf = async (query: string) => {
      const { markets, total } = await operator.get(`/markets?${query}`)
      assert.equal(total, markets.length)
      return markets.map(({ id }: Json) => id)
    }
    assert.deepEqual(await idsOf('status=OPEN'), [open.id])
    assert.deepEqual(await idsOf('status=OPEN,CLOSED'), [closed.id, open.id])
    assert.deepEqual(await idsOf('search=rain'), [draft.id, open.id])
    assert.deepEqual(await idsOf('search=RaIn&status=DRAFT'), [draft.id])
    assert.deepEqual(await idsOf(`categoryId=${category.id}`), [open.id])
    assert.deepEqual(await idsOf(`categoryId=${crypto.randomUUID()}`), [])
    assert.deepEqual(await idsOf('nonsense=1&search=gamma'), [closed.id])
  })

  test('searches for % and _ literally, and for non-ASCII letters', async () => {
    const operator = await OperatorClient.create(service)
    const percent = await operator.createMarket({ title: '50% or more' })
    const under = await operator.createMarket({ title: 'snake_case' })
    const umlaut = await operator.createMarket({ title: 'Über ÉTÉ' })
    await operator.createMarket({ title: 'plain' })
    const found = async (text: string) => {
      const { markets } = await operator.get(`/markets?search=${encodeURIComponent(text)}`)
      return markets.map(({ id }: Json) => id)
    }
    assert.deepEqual(await found('%'), [percent.id])
    assert.deepEqual(await found('_'), [under.id])
    assert.deepEqual(await found('über été'), [umlaut.id])
    assert.deepEqual(await found('\\'), [])
    assert.deepEqual(await found("'"), [])
  })

  test('sorts by a field, and shows what needs attention', async () => {
    const operator = await OperatorClient.create(service)
    const ends = ['2099-01-01T00:00:00.000Z', '2098-01-01T00:00:00.000Z', null]
    const markets: Json[] = []
    for (const [at, tradingEndsAt] of ends.entries()) {
      markets.push(await operator.openMarket({ title: `${'cab'[at]}`, tradingEndsAt }))
    }
    await operator.act(markets[2]!, 'close')
    const titles = async (query: string) => {
      const page = await operator.get(`/markets?${query}`)
      return page.markets.map(({ title }: Json) => title).join('')
    }
    assert.equal(await titles('sort=title&order=asc'), 'abc')
    assert.equal(await titles('sort=title'), 'cba')
    assert.equal(await titles('sort=tradingEndsAt&order=asc'), 'acb')
    assert.equal(await titles('sort=tradingEndsAt&order=desc'), 'cab')
    assert.equal(await titles('order=asc'), 'cab')
    assert.equal(await titles('attention=true'), 'b')
    await operator.openMarket({ title: 'd', tradingEndsAt: '2020-01-01T00:00:00.000Z' })
    assert.equal(await titles('attention=true'), 'db')
    await operator.act(await operator.openMarket({ title: 'e' }), 'cancel', { reason: 'x' })
    assert.equal(await titles('attention=true'), 'db')
    const first = await operator.get('/markets?sort=title&order=asc&limit=2')
    const rest = await titles(`sort=title&order=asc&limit=2&cursor=${first.nextCursor}`)
    assert.equal(rest, 'cd')
  })

  test('summarizes the last day of the markets that the operator sees', async () => {
    const operator = await OperatorClient.create(service)
    const other = await OperatorClient.create(service)
    const traded = await operator.marketWithHolders({ ann: 100 })
    const [yes] = traded.outcomes
    const at = { marketId: traded.id, outcomeId: yes.id, type: 'LIMIT', shares: 10 }
    await operator.post('/orders', { ...at, playerId: 'ann', side: 'SELL', price: 0.6 })
    await operator.post('/orders', { ...at, playerId: 'bob', side: 'BUY', price: 0.6 })
    const quiet = await operator.openMarket()
    const foreign = await other.openMarket()
    const ids = [quiet, traded, foreign].map(({ id }) => id)
    const { summaries } = await operator.get(`/markets/summaries?marketIds=${ids.join()}`)
    const [favourite, without] = summaries
    assert.deepEqual(without, { marketId: quiet.id, volume24h: 0, favourite: null })
    assert.equal(favourite.marketId, traded.id)
    assert.equal(favourite.volume24h, 10)
    const { points, ...plain } = favourite.favourite
    const about = { outcomeId: yes.id, outcomeName: 'Yes', lastPrice: 0.6, change24h: 0 }
    assert.deepEqual(plain, about)
    assert.deepEqual(
      points.map(({ price }: Json) => price),
      [0.6],
    )
    const many = Array.from({ length: 26 }, () => crypto.randomUUID())
    for (const list of ['', 'abc', `${ids[0]},`, many.join()]) {
      const answer = await operator.request('GET', `/markets/summaries?marketIds=${list}`)
      assertRefused(answer, 'VALIDATION_ERROR', 'marketIds')
    }
    const none = await operator.request('GET', '/markets/summaries')
    assertRefused(none, 'VALIDATION_ERROR', 'marketIds')
  })

  test('refuses invalid query values', async () => {
    const operator = await OperatorClient.create(service)
    const bad = {
      limit: ['0', '-1', '1001', 'ten', '1.5', '', '1e2x'],
      status: ['OPENED', 'OPEN,', 'open'],
      cursor: ['abc', '%00', 'x'.repeat(400), ''],
      categoryId: ['weather'],
      shared: ['maybe'],
      attention: ['yes'],
      sort: ['price', ''],
      order: ['ASC', 'up'],
    }
    for (const [field, values] of Object.entries(bad)) {
      for (const value of values) {
        const answer = await operator.request('GET', `/markets?${field}=${value}`)
        assertRefused(answer, 'VALIDATION_ERROR', field)
      }
    }
    assert.equal((await operator.request('GET', '/markets?limit=1000')).status, 200)
  })
})
