// The change of a trading window that is repeated after a crash.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serial } from '../../../test/support/core/steps.ts'
import {
  apiKeys,
  firstAttempt,
  startedAt,
  testIds,
  testServer,
} from '../../../test/support/http/rest-server.ts'
import { marketRow } from '../../../test/support/store/record-rows.ts'
import { eventTypes } from '../../core/words.ts'
import type { EventQuery } from '../../store/store.ts'

const marketSerial = serial(10)
const payload = { tradingEndsAt: '2099-01-01T00:00:00.000Z', reason: 'Rain' }
const end = Date.parse(payload.tradingEndsAt)

/** Of events since the attempt began, or before it. */
async function repeated(bodies: readonly (readonly unknown[])[], isFirst = false) {
  let changed = 0
  const queries: EventQuery[] = []
  const rows = bodies.map((body, at) => ({
    firstSequence: at + 1,
    lastSequence: at + 1,
    marketSerial,
    marketCreatedAt: startedAt,
    createdAt: startedAt,
    types: 1 << eventTypes.indexOf('MARKET_UPDATED'),
    body: JSON.stringify(body),
  }))
  const page = { rows, hasMore: false, earliestSequence: 1, lastSequence: 9, historyId: 'h' }
  const app = testServer({
    keptAnswers: { answer: async ({ run }) => run({ ...firstAttempt, isFirst }) },
    reads: {
      market: async () => marketRow,
      events: async (query) => {
        queries.push(query)
        return page
      },
    },
    engine: {
      changeTradingWindow: () => {
        changed += 1
        return { isAccepted: true, answer: { marketSerial, status: 'OPEN' } }
      },
    },
  })
  const response = await app.inject({
    method: 'POST',
    url: `/api/v1/markets/${testIds.textOf(marketSerial, startedAt)}/trading-window`,
    headers: { 'x-api-key': apiKeys.all, 'idempotency-key': 'k' },
    payload,
  })
  assert.equal(response.statusCode, 200, response.body)
  return { changed, queries }
}

test('what the first attempt has done is answered, and not done again', async () => {
  const { changed, queries } = await repeated([
    [11, end, 'Snow'],
    [11, end, 'Rain'],
  ])
  assert.equal(changed, 0)
  const [query] = queries
  assert.equal(query!.marketSerial, marketSerial)
  assert.equal(query!.types, 1 << eventTypes.indexOf('MARKET_UPDATED'))
  assert.ok(query!.notBefore <= startedAt && query!.notBefore > startedAt - 60_000)
})

test('another change is not taken for it', async () => {
  for (const bodies of [[], [[11, end, 'Snow']], [[11, end + 1, 'Rain']]]) {
    assert.equal((await repeated(bodies)).changed, 1)
  }
})

test('a first attempt looks for no earlier one', async () => {
  const { changed, queries } = await repeated([[11, end, 'Rain']], true)
  assert.deepEqual([changed, queries], [1, []])
})
