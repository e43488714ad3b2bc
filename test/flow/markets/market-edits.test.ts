// Editing markets, over HTTP.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

const later = '2099-01-01T00:00:00.000Z'
const muchLater = '2099-06-01T00:00:00.000Z'

test('a DRAFT takes every change, answers with the market, and null clears', async () => {
  const house = await OperatorClient.create(service)
  const category = await house.post('/categories', { name: 'C', slug: 'c' })
  const { id, createdAt } = await house.createMarket()
  const changes = {
    title: 'New title',
    description: 'new',
    imageUrl: 'https://example.com/x.png',
    categoryId: category.id,
    tradingStartsAt: later,
    tradingEndsAt: muchLater,
    metadata: { a: 1 },
  }
  const edited = await house.patch(`/markets/${id}`, changes)
  for (const [field, value] of Object.entries(changes)) assert.deepEqual(edited[field], value)
  assert.equal(edited.category.slug, 'c')
  assert.equal(edited.createdAt, createdAt)
  assert.ok(edited.updatedAt >= createdAt)
  assert.deepEqual(await house.market({ id }), edited)

  const { title, ...clearable } = changes
  const nothing = Object.fromEntries(Object.keys(clearable).map((field) => [field, null]))
  const cleared = await house.patch(`/markets/${id}`, nothing)
  for (const field of Object.keys(clearable)) assert.equal(cleared[field], null, field)
  assert.equal('category' in cleared, false)
  assert.equal(cleared.title, title)
  assertRefused(await house.ask('PATCH', `/markets/${id}`, { title: null }), 'VALIDATION_ERROR')
  assert.deepEqual(await house.patch(`/markets/${id}`, {}), await house.market({ id }))
})

test('an UPCOMING market can still be edited, and an OPEN one only in part', async () => {
  const house = await OperatorClient.create(service)
  const upcoming = await house.openMarket({ tradingStartsAt: later })
  assert.equal(upcoming.status, 'UPCOMING')
  assert.equal((await house.patch(`/markets/${upcoming.id}`, { title: 'T' })).title, 'T')
  const open = await house.openMarket()
  for (const change of [
    { title: 'x' },
    { description: 'x' },
    { description: null },
    { tradingStartsAt: later },
    { tradingEndsAt: later },
  ]) {
    const answer = await house.ask('PATCH', `/markets/${open.id}`, {
      ...change,
      metadata: { a: 1 },
    })
    assertRefused(answer, 'MARKET_NOT_EDITABLE')
  }
  assert.deepEqual(await house.market(open), open, 'nothing of a refused PATCH is applied')
  await house.act(open, 'close')
  const change = { imageUrl: 'https://example.com/y.png', metadata: { b: 2 } }
  const edited = await house.patch(`/markets/${open.id}`, change)
  assert.deepEqual([edited.imageUrl, edited.metadata], [change.imageUrl, change.metadata])
})

test('times are checked against those that stay', async () => {
  const house = await OperatorClient.create(service)
  const { id } = await house.createMarket({ tradingEndsAt: later })
  const wrong = await house.ask('PATCH', `/markets/${id}`, { tradingStartsAt: muchLater })
  assertRefused(wrong, 'VALIDATION_ERROR', 'trading')
  await house.patch(`/markets/${id}`, { tradingStartsAt: muchLater, tradingEndsAt: null })
})

test('fields that cannot be edited, and unknown categories, are refused', async () => {
  const house = await OperatorClient.create(service)
  const { id } = await house.createMarket()
  for (const field of ['currency', 'outcomes', 'status', 'shared', 'operatorId']) {
    const answer = await house.ask('PATCH', `/markets/${id}`, { [field]: 'x' })
    assertRefused(answer, 'VALIDATION_ERROR', field)
  }
  const unknown = { categoryId: crypto.randomUUID() }
  assertRefused(await house.ask('PATCH', `/markets/${id}`, unknown), 'CATEGORY_NOT_FOUND')
  const nothing = `/markets/${crypto.randomUUID()}`
  assertRefused(await house.ask('PATCH', nothing, { title: 'x' }), 'MARKET_NOT_FOUND')
})
