// What a list of markets refuses, and what its summaries cost.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serial } from '../../../test/support/core/steps.ts'
import { apiKeys, someId, testIds, testServer } from '../../../test/support/http/rest-server.ts'
import { countedMax } from '../../store/store.ts'

const headers = { 'x-api-key': apiKeys.all }

test('more markets than are sorted are refused, and listed in the usual order', async () => {
  const tooMany = { rows: [], total: countedMax, totalIsExact: false, hasMore: false, bytes: 0 }
  const app = testServer({ reads: { markets: async () => tooMany } })
  const list = (query: string) => app.inject({ url: `/api/v1/markets?${query}`, headers })
  for (const query of ['sort=title', 'sort=totalVolume&order=asc', 'order=asc']) {
    const response = await list(query)
    assert.equal(response.statusCode, 400, query)
    const { code, details } = response.json().error
    assert.deepEqual([code, details.faults[0].field], ['VALIDATION_ERROR', 'sort'])
  }
  for (const query of ['', 'sort=createdAt', 'order=desc']) {
    assert.equal((await list(query)).statusCode, 200, query)
  }
})

test('summaries count as one request per market', async () => {
  const limits = { orders: 0, requests: 100, public: 0 }
  const app = testServer({ limits, reads: { marketSummaries: async () => [] } })
  const other = testIds.textOf(serial(1_000_003), 1)
  const marketIds = [someId, other, someId].join()
  const response = await app.inject({
    url: `/api/v1/markets/summaries?marketIds=${marketIds}`,
    headers,
  })
  assert.deepEqual(response.json().data, { summaries: [] })
  assert.match(String(response.headers.ratelimit), /;r=98;/)
})
