// Categories over HTTP: an operator's own, and global ones.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused, assertShape } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { categoryShape } from '../../support/http/shapes.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

let globals = 0
async function globalCategory(body: object = {}): Promise<Json> {
  globals += 1
  const given = { name: 'Global', slug: `global-${globals}`, ...body }
  const answer = await service.admin('POST', '/api/v1/admin/categories', given)
  assert.equal(answer.status, 201)
  return answer.body.data
}

test('a new category is active and public', async () => {
  const operator = await OperatorClient.create(service)
  const sent = { name: 'Sport', slug: 'sport-1', description: 'Balls', iconUrl: 'https://x/i.png' }
  const answer = await operator.request('POST', '/categories', { ...sent, sortOrder: 5 })
  assert.equal(answer.status, 201)
  const made = answer.body.data
  assertShape(made, categoryShape)
  for (const [field, value] of Object.entries(sent)) assert.equal(made[field], value)
  assert.deepEqual([made.operatorId, made.isActive, made.sortOrder], [operator.id, true, 5])
  const read = await service.request('GET', `/api/v1/categories/${made.id}`)
  assert.deepEqual(read.body, { success: true, data: made })
  for (const id of [crypto.randomUUID(), 'x']) {
    assertRefused(await service.request('GET', `/api/v1/categories/${id}`), 'CATEGORY_NOT_FOUND')
  }
})

test('only name and slug are required, and each field is validated', async () => {
  const operator = await OperatorClient.create(service)
  const made = await operator.post('/categories', { name: 'A', slug: 'a' })
  assert.deepEqual([made.description, made.iconUrl, made.sortOrder], [null, null, 0])
  for (const [field, body] of [
    ['name', { slug: 'x' }],
    ['slug', { name: 'x' }],
    ['slug', { name: 'x', slug: 'Upper' }],
    ['slug', { name: 'x', slug: 'with space' }],
    ['slug', { name: 'x', slug: '' }],
    ['slug', { name: 'x', slug: 'a_b' }],
    ['sortOrder', { name: 'x', slug: 'x', sortOrder: '1' }],
    ['isActive', { name: 'x', slug: 'x', isActive: false }],
  ] as const) {
    assertRefused(await operator.request('POST', '/categories', body), 'VALIDATION_ERROR', field)
  }
})

test('a slug is unique per operator', async () => {
  const [operator, other] = [
    await OperatorClient.create(service),
    await OperatorClient.create(service),
  ]
  const body = { name: 'Sport', slug: 'sport' }
  await operator.post('/categories', body)
  assertRefused(await operator.request('POST', '/categories', body), 'CATEGORY_DUPLICATE_SLUG')
  assert.equal((await other.request('POST', '/categories', body)).status, 201)
})

test('the administrator lists the global categories', async () => {
  const shown = await globalCategory({ sortOrder: -2 })
  const hidden = await globalCategory({ sortOrder: -3 })
  await service.admin('PATCH', `/api/v1/admin/categories/${hidden.id}`, { isActive: false })
  const own = await OperatorClient.create(service)
  await own.post('/categories', { name: 'Own', slug: 'own' })
  const idsOf = async (query: string) => {
    const answer = await service.admin('GET', `/api/v1/admin/categories${query}`)
    assert.ok(answer.body.data.every(({ operatorId }: Json) => operatorId === null))
    return answer.body.data.slice(0, 2).map(({ id }: Json) => id)
  }
  assert.equal((await idsOf(''))[0], shown.id)
  assert.deepEqual(await idsOf('?activeOnly=false'), [hidden.id, shown.id])
  // Other tests share the service.
  await service.admin('PATCH', `/api/v1/admin/categories/${shown.id}`, { isActive: false })
})

test('lists are sorted by sortOrder, and exclude inactive or global categories', async () => {
  const operator = await OperatorClient.create(service)
  const global = await globalCategory({ sortOrder: -5 })
  for (const [slug, sortOrder] of [
    ['late', 30],
    ['early', -10],
    ['middle', 2.5],
  ] as const) {
    await operator.post('/categories', { name: slug, slug, sortOrder })
  }
  const slugs = async (query = '') => {
    const list = await operator.get(`/categories${query}`)
    return list.map(({ slug }: Json) => slug).filter((slug: string) => both.includes(slug))
  }
  const own = ['early', 'middle', 'late']
  const both = ['early', global.slug, 'middle', 'late']
  assert.deepEqual(await slugs(), both)
  assert.deepEqual(await slugs('?includeGlobal=false'), own)
  const [early] = await operator.get('/categories?includeGlobal=false')
  await operator.patch(`/categories/${early.id}`, { isActive: false })
  assert.deepEqual(await slugs('?includeGlobal=false'), own.slice(1))
  assert.deepEqual(await slugs('?includeGlobal=false&activeOnly=false'), own)
  const path = `/api/v1/admin/categories/${global.id}`
  await service.admin('PATCH', path, { isActive: false })
  assert.deepEqual(await slugs(), own.slice(1))
  assert.deepEqual(await slugs('?activeOnly=false'), both)
  for (const query of ['includeGlobal=2', 'activeOnly=yes']) {
    const field = query.split('=')[0]!
    assertRefused(await operator.request('GET', `/categories?${query}`), 'VALIDATION_ERROR', field)
  }
})

test('a long list is complete, and counts towards the limit by its length', async () => {
  const operator = await OperatorClient.create(service)
  const description = 'é'.repeat(8_000)
  const made: Json[] = []
  for (let at = 0; at < 20; at += 1) {
    made.push(await operator.post('/categories', { name: 'Long', slug: `long-${at}`, description }))
  }
  const { body, headers } = await operator.request('GET', '/categories?includeGlobal=false')
  assert.deepEqual(body, { success: true, data: made })
  // 320 KB less the first 64 KB, in units of 4 KB.
  const [limit, remaining] = ['limit', 'remaining'].map((name) => headers.get(`ratelimit-${name}`))
  assert.ok(Number(limit) - Number(remaining) >= 60, `${remaining} of ${limit} are left`)
})

test('an edited category shows in its markets at once', async () => {
  const operator = await OperatorClient.create(service)
  const { id } = await operator.post('/categories', { name: 'A', slug: 'a' })
  const market = await operator.createMarket({ categoryId: id })
  const changes = { name: 'B', description: 'd', iconUrl: 'https://x/y', sortOrder: 3 }
  const edited = await operator.patch(`/categories/${id}`, changes)
  for (const [field, value] of Object.entries(changes)) assert.equal(edited[field], value)
  assert.equal(edited.slug, 'a')
  assert.deepEqual((await operator.market(market)).category, { id, name: 'B', slug: 'a' })
  const cleared = await operator.patch(`/categories/${id}`, { description: null, iconUrl: null })
  assert.deepEqual([cleared.description, cleared.iconUrl], [null, null])
  for (const [field, value] of [
    ['slug', 'b'],
    ['name', null],
    ['isActive', 'no'],
  ] as const) {
    const answer = await operator.request('PATCH', `/categories/${id}`, { [field]: value })
    assertRefused(answer, 'VALIDATION_ERROR', field)
  }
})

test('every operator may use global categories, only the administrator may edit them', async () => {
  const operator = await OperatorClient.create(service)
  const global = await globalCategory()
  assertShape(global, categoryShape)
  assert.equal(global.operatorId, null)
  const market = await operator.createMarket({ categoryId: global.id })
  assert.equal(market.category.slug, global.slug)
  const byOperator = await operator.request('PATCH', `/categories/${global.id}`, { name: 'Mine' })
  assertRefused(byOperator, 'FORBIDDEN')
  const path = `/api/v1/admin/categories/${global.id}`
  assert.equal((await service.admin('PATCH', path, { name: 'New' })).body.data.name, 'New')
  const again = { name: 'x', slug: global.slug }
  const duplicate = await service.admin('POST', '/api/v1/admin/categories', again)
  assertRefused(duplicate, 'CATEGORY_DUPLICATE_SLUG')
})

test("another operator's category cannot be edited or used, and is not found", async () => {
  const [operator, other] = [
    await OperatorClient.create(service),
    await OperatorClient.create(service),
  ]
  const { id: foreign } = await operator.post('/categories', { name: 'A', slug: 'a' })
  const own = await other.createMarket()
  const answers = async (id: string) => {
    const created = await other.request('POST', '/markets', { title: 'x', categoryId: id })
    const edited = await other.request('PATCH', `/markets/${own.id}`, { categoryId: id })
    const changed = await other.request('PATCH', `/categories/${id}`, { name: 'x' })
    for (const answer of [created, edited, changed]) assertRefused(answer, 'CATEGORY_NOT_FOUND')
    return [created.body, edited.body, changed.body]
  }
  assert.deepEqual(await answers(foreign), await answers(crypto.randomUUID()))
  const list = await other.get('/categories?includeGlobal=false&activeOnly=false')
  assert.deepEqual(list, [])
})
