// Titles, names, descriptions and addresses of images: what is refused, and how texts are shown
// that were stored before it was.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { newFolder, Service } from '../../support/process/outcry-process.ts'

const closing: (() => unknown)[] = []
after(async () => {
  for (const close of closing.reverse()) await close()
})

const image = 'https://example.com/rain.png'
const overridden = 'Rain\u202e?on'

test('a text that misleads its readers is refused, with the name of its field', async () => {
  const service = await Service.start()
  closing.push(() => service.stop())
  const operator = await OperatorClient.create(service)
  const market = await operator.createMarket()
  const category = await operator.post('/categories', { name: 'Weather', slug: 'weather' })
  const named = { name: 'Sport', slug: 'sport' }
  const outcomes = [{ name: 'Yes' }, { name: overridden }]
  const described = [{ name: 'Yes' }, { name: 'No', description: overridden }]
  const refusals: readonly (readonly [string, string, object, string])[] = [
    ['POST', '/markets', { title: overridden }, 'title'],
    ['POST', '/markets', { title: 'Rain\u0007?' }, 'title'],
    ['POST', '/markets', { title: 'Rain?', description: overridden }, 'description'],
    ['POST', '/markets', { title: 'Rain?', imageUrl: 'javascript:alert(1)' }, 'imageUrl'],
    ['POST', '/markets', { title: 'Rain?', outcomes }, 'outcomes[1].name'],
    ['POST', '/markets', { title: 'Rain?', outcomes: described }, 'outcomes[1].description'],
    ['PATCH', `/markets/${market.id}`, { title: 'Rain\u2067?' }, 'title'],
    ['PATCH', `/markets/${market.id}`, { description: 'a\u0000b' }, 'description'],
    ['PATCH', `/markets/${market.id}`, { imageUrl: 'http://example.com/a.png' }, 'imageUrl'],
    ['POST', '/categories', { ...named, name: overridden }, 'name'],
    ['POST', '/categories', { ...named, description: overridden }, 'description'],
    ['POST', '/categories', { ...named, iconUrl: 'data:image/png;base64,AA' }, 'iconUrl'],
    ['PATCH', `/categories/${category.id}`, { name: 'a\u009fb' }, 'name'],
    ['PATCH', `/categories/${category.id}`, { iconUrl: '/icon.svg' }, 'iconUrl'],
  ]
  for (const [method, path, body, field] of refusals) {
    const answer = await operator.request(method, path, body)
    assertRefused(answer, 'VALIDATION_ERROR')
    assert.equal(answer.body.error.message.split(':')[0], field, JSON.stringify(body))
  }
  const description = 'First line\r\n\tsecond line\nthird line'
  const edited = await operator.patch(`/markets/${market.id}`, { description, imageUrl: image })
  assert.deepEqual([edited.description, edited.imageUrl], [description, image])
})

test('what was stored before stays readable; a bad address of an image is null', async () => {
  const dataDir = await newFolder()
  closing.push(() => rm(dataDir, { recursive: true }))
  const first = await Service.start({ dataDir })
  const operator = await OperatorClient.create(first)
  const category = await operator.post('/categories', { name: 'A', slug: 'a', iconUrl: image })
  const categoryId = category.id
  const market = await operator.createMarket({ imageUrl: image, categoryId })
  await first.stop()
  const database = new DatabaseSync(join(dataDir, 'outcry.db'))
  database
    .prepare("UPDATE markets SET image_url = 'javascript:alert(1)', title = ?")
    .run(overridden)
  database.prepare("UPDATE categories SET icon_url = 'icon.png', name = ?").run(overridden)
  database.close()

  const service = await Service.start({ dataDir })
  closing.push(() => service.stop())
  const client = new OperatorClient(service, operator)
  const { markets } = await client.get('/markets')
  const edited = await client.patch(`/markets/${market.id}`, { metadata: { a: 1 } })
  for (const shown of [await client.get(`/markets/${market.id}`), ...markets, edited]) {
    assert.deepEqual([shown.imageUrl, shown.title], [null, overridden])
    assert.equal(shown.category.name, overridden)
  }
  const again = await client.patch(`/categories/${categoryId}`, { sortOrder: 3 })
  const list = await client.get('/categories')
  for (const shown of [await client.get(`/categories/${categoryId}`), ...list, again]) {
    assert.deepEqual([shown.iconUrl, shown.name], [null, overridden])
  }
  const fixed = await client.patch(`/markets/${market.id}`, { imageUrl: image })
  assert.equal(fixed.imageUrl, image)
})
