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

test('every field of a DRAFT can be edited, and null clears a field', async () => {
  const operator = await OperatorClient.create(service)
  const category = await operator.post('/categories', { name: 'C', slug: 'c' })
  const { id, createdAt } = await operator.createMarket()
  const changes = {
    title: 'New title',
    description: 'new',
    imageUrl: 'https://example.com/x.png',
    categoryId: category.id,
    tradingStartsAt: later,
    tradingEndsAt: muchLater,
    metadata: { a: 1 },
  }
  const edited = await operator.patch(`/markets/${id}`, changes)
  for (const [field, value] of Object.entries(changes)) assert.deepEqual(edited[field], value)
  assert.equal(edited.category.slug, 'c')
  assert.equal(edited.createdAt, createdAt)
  assert.ok(edited.updatedAt >= createdAt)
  assert.deepEqual(await operator.market({ id }), edited)

  const { title, ...clearable } = changes
  const nothing = Object.fromEntries(Object.keys(clearable).map((field) => [field, null]))
  const cleared = await operator.patch(`/markets/${id}`, nothing)
  for (const field of Object.keys(clearable)) assert.equal(cleared[field], null, field)
  assert.equal('category' in cleared, false)
  assert.equal(cleared.title, title)
  assertRefused(
    await operator.request('PATCH', `/markets/${id}`, { title: null }),
    'VALIDATION_ERROR',
  )
  assert.deepEqual(await operator.patch(`/markets/${id}`, {}), await operator.market({ id }))
})

test('an UPCOMING market can still be edited, and an OPEN one only in part', async () => {
  const operator = await OperatorClient.create(service)
  const upcoming = await operator.openMarket({ tradingStartsAt: later })
  assert.equal(upcoming.status, 'UPCOMING')
  assert.equal((await operator.patch(`/markets/${upcoming.id}`, { title: 'T' })).title, 'T')
  const open = await operator.openMarket()
  for (const change of [
    { title: 'x' },
    { description: 'x' },
    { description: null },
    { tradingStartsAt: later },
    { tradingEndsAt: later },
  ]) {
    const answer = await operator.request('PATCH', `/markets/${open.id}`, {
      ...change,
      metadata: { a: 1 },
    })
    assertRefused(answer, 'MARKET_NOT_EDITABLE')
  }
  assert.deepEqual(await operator.market(open), open, 'nothing of a refused PATCH is applied')
  await operator.act(open, 'close')
  const change = { imageUrl: 'https://example.com/y.png', metadata: { b: 2 } }
  const edited = await operator.patch(`/markets/${open.id}`, change)
  assert.deepEqual([edited.imageUrl, edited.metadata], [change.imageUrl, change.metadata])
})

test('an edited time is checked against the unchanged one', async () => {
  const operator = await OperatorClient.create(service)
  const { id } = await operator.createMarket({ tradingEndsAt: later })
  const wrong = await operator.request('PATCH', `/markets/${id}`, { tradingStartsAt: muchLater })
  assertRefused(wrong, 'VALIDATION_ERROR', 'trading')
  await operator.patch(`/markets/${id}`, { tradingStartsAt: muchLater, tradingEndsAt: null })
})

test('fields that cannot be edited, and unknown categories, are refused', async () => {
  const operator = await OperatorClient.create(service)
  const { id } = await operator.createMarket()
  for (const field of ['currency', 'outcomes', 'status', 'shared', 'operatorId']) {
    const answer = await operator.request('PATCH', `/markets/${id}`, { [field]: 'x' })
    assertRefused(answer, 'VALIDATION_ERROR', field)
  }
  const unknown = { categoryId: crypto.randomUUID() }
  assertRefused(await operator.request('PATCH', `/markets/${id}`, unknown), 'CATEGORY_NOT_FOUND')
  const nothing = `/markets/${crypto.randomUUID()}`
  assertRefused(await operator.request('PATCH', nothing, { title: 'x' }), 'MARKET_NOT_FOUND')
})
