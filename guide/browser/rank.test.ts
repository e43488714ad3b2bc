// The search finds the sections that have every word of the query, best first.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from '../search-index.ts'
import { search } from './rank.ts'

const entries: readonly Entry[] = [
  { u: '/guide/limits', t: 'Limits', h: '', s: 'Limits that are settings', w: 'orders webhook' },
  { u: '/guide/limits#sizes', t: 'Limits', h: 'Sizes', s: 'what', w: 'order_cannot_cancel batch' },
  { u: '/guide/webhooks', t: 'Webhooks', h: '', s: 'A webhook sends events', w: 'signature' },
  { u: '/guide/tutorial#webhooks', t: 'Tutorial: webhooks', h: 'Webhooks', s: '', w: 'send' },
  { u: '/guide/webhooks#receiver', t: 'Webhooks', h: 'Receiver', s: 'Verify', w: 'limits' },
]

function found(query: string, max = 10): string[] {
  return search(entries, query, max).map(({ u }) => u)
}

test('a page comes before its sections, and titles before texts', () => {
  for (const query of ['webhooks', 'webh']) assert.equal(found(query)[0], '/guide/webhooks')
  assert.equal(found('webhooks').at(-1), '/guide/webhooks#receiver')
  assert.equal(found('Limits')[0], '/guide/limits')
  assert.equal(found('limits').at(-1), '/guide/webhooks#receiver')
})

test('every word must occur, as a word or as the beginning of one', () => {
  assert.deepEqual(found('webh receiv'), ['/guide/webhooks#receiver'])
  assert.deepEqual(found('webhook nothing'), [])
  assert.deepEqual(found('ooks'), [])
})

test('a part of a code finds it', () => {
  for (const query of ['cannot', 'ORDER_CANNOT_CANCEL', 'order_can']) {
    assert.deepEqual(found(query), ['/guide/limits#sizes'], query)
  }
})

test('a query without words finds nothing, and the number of results is limited', () => {
  for (const query of ['', '  ', '?!', '<']) assert.deepEqual(found(query), [])
  assert.equal(found('limits', 2).length, 2)
})
