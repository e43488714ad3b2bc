// The creation of a market that is repeated after a crash.

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
import type { MarketRow } from '../../store/store.ts'

const payload = { title: 'Will it rain?', metadata: { a: 1 } }

function row(number: number, changes: Partial<MarketRow> = {}): MarketRow {
  return {
    serial: serial(number),
    createdAt: startedAt,
    updatedAt: startedAt,
    ownerNumber: 1,
    operatorId: '0d9a5c3e-3f5e-4a0e-9d0e-0f6a2a1f7c11',
    title: 'Will it rain?',
    description: null,
    imageUrl: null,
    categoryId: null,
    category: null,
    metadata: '{"a":1}',
    currency: 'USD',
    status: 'DRAFT',
    isShared: false,
    hasCompleteSetMatching: false,
    hasPublicPage: false,
    feeSchedule: null,
    priceBand: null,
    tradingStartsAt: null,
    tradingEndsAt: null,
    resolution: null,
    outcomes: ['Yes', 'No'].map((name, index) => ({
      serial: serial(number + index + 1),
      name,
      description: null,
    })),
    ...changes,
  } as unknown as MarketRow
}

async function repeated(rows: readonly MarketRow[], answered: readonly MarketRow[] = []) {
  let created = 0
  const page = { rows, total: rows.length, totalIsExact: true, hasMore: false, bytes: 0 }
  const idOf = ({ serial: of, createdAt }: MarketRow) => testIds.textOf(of, createdAt)
  const otherAnswers = async () => answered.map((each) => ({ id: idOf(each) }))
  const app = testServer({
    keptAnswers: {
      answer: async ({ run }) => run({ ...firstAttempt, isFirst: false, otherAnswers }),
    },
    reads: {
      markets: async () => page,
      market: async (of) => row(of),
    },
    engine: {
      createMarket: () => {
        created += 1
        return { isAccepted: true, answer: { marketSerial: serial(900), status: 'DRAFT' } }
      },
    },
  })
  const headers = { 'x-api-key': apiKeys.all, 'idempotency-key': 'k' }
  const response = await app.inject({ method: 'POST', url: '/api/v1/markets', headers, payload })
  assert.equal(response.statusCode, 201, response.body)
  const { id } = response.json().data
  return { created, isOf: (number: number) => id === idOf(row(number)) }
}

test('the market of the first attempt is the answer, and no second one is created', async () => {
  const { created, isOf } = await repeated([row(20, { title: 'Another' }), row(10)])
  assert.equal(created, 0)
  assert.ok(isOf(10))
})

test('another market is not taken for it', async () => {
  for (const other of [
    row(10, { title: 'Will it snow?' }),
    row(10, { metadata: '{"a":2}' }),
    row(10, { isShared: true }),
    row(10, { createdAt: startedAt - 60_000 }),
  ]) {
    const { created, isOf } = await repeated([other])
    assert.equal(created, 1)
    assert.ok(isOf(900))
  }
  const twin = await repeated([row(20), row(10)], [row(10)])
  assert.equal(twin.created, 0)
  assert.ok(twin.isOf(20), 'the other one was the answer to another key')
})
