// The request id, and the other headers of every response.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testServer } from '../../../test/support/http/rest-server.ts'
import { newRequestId } from './request-id.ts'

test("the client's own request id is sent back if it is valid", async () => {
  const app = testServer()
  const idFor = async (own: string) => {
    const { headers } = await app.inject({ url: '/health', headers: { 'x-request-id': own } })
    return headers['x-request-id']
  }
  for (const own of ['1', 'a-b_c/~', 'a b', 'x'.repeat(255)]) assert.equal(await idFor(own), own)
  for (const own of ['', 'x'.repeat(256), 'caf\u00e9', 'a\tb']) {
    const given = await idFor(own)
    assert.notEqual(given, own)
    assert.match(String(given), /^[0-9a-f]{16}$/)
  }
})

test('generated request ids differ', async () => {
  const app = testServer()
  const ids = new Set<unknown>()
  for (let round = 0; round < 50; round += 1) {
    ids.add((await app.inject('/health')).headers['x-request-id'])
  }
  assert.equal(ids.size, 50)
  const made = Array.from({ length: 5_000 }, newRequestId)
  assert.equal(new Set(made).size, made.length)
})

test('generated request ids share no prefix and are not in order, so none can be counted', () => {
  const made = Array.from({ length: 200 }, newRequestId)
  assert.ok(new Set(made.map((id) => id.slice(0, 4))).size > 150, made.join(' '))
  assert.ok(new Set(made.map((id) => id.slice(-4))).size > 150, made.join(' '))
  const rises = made.filter((id, at) => at > 0 && id > made[at - 1]!).length
  assert.ok(rises > 40 && rises < 160, `${rises} of 199 are larger than the id before`)
})

test('every response has a request id and nosniff; API responses are not cached', async () => {
  const app = testServer()
  for (const url of ['/health', '/api/v1/orders', '/nothing', '/%zz', '/docs/', '/metrics']) {
    const { headers } = await app.inject(url)
    assert.equal(typeof headers['x-request-id'], 'string', url)
    assert.equal(headers['x-content-type-options'], 'nosniff', url)
    if (url !== '/docs/') assert.equal(headers['cache-control'], 'no-store', url)
  }
})
