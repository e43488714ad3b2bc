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
  test('needs a title only: the rest has defaults', async () => {
    const house = await OperatorClient.create(service)
    const answer = await house.ask('POST', '/markets', { title: 'Rain?' })
    assert.equal(answer.status, 201)
    const market = answer.body.data
    assertShape(market, marketShape)
    assert.equal(market.operatorId, house.id)
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

  test('keeps everything that was sent', async () => {
    const house = await OperatorClient.create(service, { supportedCurrencies: ['USD', 'EUR'] })
    const category = await house.post('/categories', { name: 'Weather', slug: 'weather' })
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
    const made = await house.createMarket({ ...sent, outcomes })
    for (const market of [made, await house.market(made)]) {
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
    assert.deepEqual(await house.market(made), made)
  })

  test('takes a time with an offset, and shows it in UTC', async () => {
    const house = await OperatorClient.create(service)
    const market = await house.createMarket({ tradingEndsAt: '2099-01-01T02:00:00+02:00' })
    assert.equal(market.tradingEndsAt, '2099-01-01T00:00:00.000Z')
  })

  test('in a currency that is not supported names it and those that are', async () => {
    const house = await OperatorClient.create(service, { supportedCurrencies: ['EUR', 'GBP'] })
    const refused = await house.ask('POST', '/markets', { title: 'x', currency: 'JPY' })
    assertRefused(refused, 'VALIDATION_ERROR', /JPY.*EUR.*GBP/)
    const byDefault = await house.ask('POST', '/markets', { title: 'x' })
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
  test('with a wrong field is refused, and the message names the field', async () => {
    const house = await OperatorClient.create(service)
    for (const [field, body] of wrongBodies) {
      assertRefused(await house.ask('POST', '/markets', body), 'VALIDATION_ERROR', field)
    }
    const { total } = await house.get('/markets')
    assert.equal(total, 0)
  })

  test('needs tradingStartsAt before tradingEndsAt', async () => {
    const house = await OperatorClient.create(service)
    const at = '2099-01-01T00:00:00Z'
    for (const start of [at, '2099-01-02T00:00:00Z']) {
      const body = { title: 'x', tradingStartsAt: start, tradingEndsAt: at }
      assertRefused(await house.ask('POST', '/markets', body), 'VALIDATION_ERROR', 'trading')
    }
  })

  test('takes 256 outcomes', async () => {
    const house = await OperatorClient.create(service)
    const market = await house.createMarket({ outcomes: manyOutcomes.slice(1) })
    assert.equal((await house.market(market)).outcomes.length, 256)
  })

  test('with a category that does not exist is CATEGORY_NOT_FOUND', async () => {
    const house = await OperatorClient.create(service)
    const body = { title: 'x', categoryId: crypto.randomUUID() }
    assertRefused(await house.ask('POST', '/markets', body), 'CATEGORY_NOT_FOUND')
  })
})

describe('listing markets', () => {
  test('gives 20 at first, newest first; pages stay stable while rows are added', async () => {
    const house = await OperatorClient.create(service)
    const titles = Array.from({ length: 45 }, (_, at) => `market ${at}`)
    for (const title of titles) await house.createMarket({ title })
    const first = await house.get('/markets')
    assert.equal(first.markets.length, 20)
    assert.equal(first.total, 45)
    assert.equal(first.hasMore, true)
    assert.equal(typeof first.nextCursor, 'string')
    await house.createMarket({ title: 'newer' })
    const second = await house.get(`/markets?limit=20&cursor=${first.nextCursor}`)
    const third = await house.get(`/markets?cursor=${second.nextCursor}`)
    assert.equal(third.hasMore, false)
    assert.equal(third.nextCursor, null)
    const seen = [first, second, third].flatMap((page) => page.markets.map((m: Json) => m.title))
    assert.deepEqual(seen, titles.toReversed())
  })

  test('ends exactly where a page is full', async () => {
    const house = await OperatorClient.create(service)
    for (let at = 0; at < 4; at += 1) await house.createMarket()
    const first = await house.get('/markets?limit=2')
    const second = await house.get(`/markets?limit=2&cursor=${first.nextCursor}`)
    assert.deepEqual([first.hasMore, second.hasMore, second.nextCursor], [true, false, null])
    assert.equal(second.markets.length, 2)
  })

  test('filters by statuses, category and title, alone and together', async () => {
    const house = await OperatorClient.create(service)
    const category = await house.post('/categories', { name: 'C', slug: 'c' })
    const open = await house.openMarket({ title: 'Alpha RAIN', categoryId: category.id })
    const draft = await house.createMarket({ title: 'beta rain' })
    const closed = await house.openMarket({ title: 'gamma' })
    await house.act(closed, 'close')
    const idsOf = async (query: string) => {
      const { markets, total } = await house.get(`/markets?${query}`)
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

  test('searches for % and _ as plain characters, and for letters beyond ASCII', async () => {
    const house = await OperatorClient.create(service)
    const percent = await house.createMarket({ title: '50% or more' })
    const under = await house.createMarket({ title: 'snake_case' })
    const umlaut = await house.createMarket({ title: 'Über ÉTÉ' })
    await house.createMarket({ title: 'plain' })
    const found = async (text: string) => {
      const { markets } = await house.get(`/markets?search=${encodeURIComponent(text)}`)
      return markets.map(({ id }: Json) => id)
    }
    assert.deepEqual(await found('%'), [percent.id])
    assert.deepEqual(await found('_'), [under.id])
    assert.deepEqual(await found('über été'), [umlaut.id])
    assert.deepEqual(await found('\\'), [])
    assert.deepEqual(await found("'"), [])
  })

  test('refuses bad values', async () => {
    const house = await OperatorClient.create(service)
    const bad = {
      limit: ['0', '-1', '1001', 'ten', '1.5', '', '1e2x'],
      status: ['OPENED', 'OPEN,', 'open'],
      cursor: ['abc', '%00', 'x'.repeat(400), ''],
      categoryId: ['weather'],
      shared: ['maybe'],
    }
    for (const [field, values] of Object.entries(bad)) {
      for (const value of values) {
        const answer = await house.ask('GET', `/markets?${field}=${value}`)
        assertRefused(answer, 'VALIDATION_ERROR', field)
      }
    }
    assert.equal((await house.ask('GET', '/markets?limit=1000')).status, 200)
  })
})
