// The URLs in DATABASE_URL.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, urlsOf } from './database-urls.ts'

test('several URLs are separated by commas, which a password may have too', () => {
  const urls = ['postgres://a:b,c@d/e', 'postgresql://a:b,c@f:5433/e']
  assert.deepEqual(urlsOf(urls.join()), urls)
  assert.deepEqual(urlsOf(urls.join(' , ')), urls)
  assert.deepEqual(urlsOf(urls[0]!), [urls[0]])
})

test('the place of a server has neither user nor password', () => {
  assert.equal(addressOf('postgres://user:hidden@db.example:5433/outcry'), 'db.example:5433/outcry')
})
