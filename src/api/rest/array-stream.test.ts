// Streamed arrays: complete, in order, page by page, at the pace of the client.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serial } from '../../../test/support/core/steps.ts'
import { apiKeys, someId, testServer } from '../../../test/support/http/rest-server.ts'
import { positionRow, settlementRow } from '../../../test/support/store/record-rows.ts'
import type { Serial } from '../../core/ids.ts'
import { StoreUnavailable } from '../../store/store.ts'
import { arrayAnswer } from './array-stream.ts'

const headers = { 'x-api-key': apiKeys.all }
const total = 2_500

/** As a store would: rows with the serials 1 to 2,500, a page at a time. */
function pagesOf<Row extends object>(row: Row, requested: (number | null)[] = []) {
  return async ({ after, limit }: { after: number | null; limit: number }) => {
    requested.push(after)
    const first = (after ?? 0) + 1
    const count = Math.min(limit, total - first + 1)
    const rows = Array.from({ length: count }, (_, index) => ({ ...row, serial: first + index }))
    return { rows, total, totalIsExact: true, hasMore: first + count - 1 < total }
  }
}

test('positions without limit are one array, with limit a page', async () => {
  const requested: (number | null)[] = []
  const app = testServer({ reads: { positions: pagesOf(positionRow, requested) } })
  const whole = (await app.inject({ url: '/api/v1/positions', headers })).json()
  assert.equal(whole.success, true)
  assert.equal(new Set(whole.data.map(({ id }: { id: string }) => id)).size, total)
  assert.deepEqual(requested, [null, 1_000, 2_000])

  const page = (await app.inject({ url: '/api/v1/positions?limit=2', headers })).json().data
  assert.equal(page.positions.length, 2)
  assert.equal(page.total, total)
  const url = `/api/v1/positions?cursor=${page.nextCursor}`
  const next = (await app.inject({ url, headers })).json().data
  assert.equal(next.positions.length, 1_000)
  assert.equal(next.positions[0].id, whole.data[2].id)
})

test("settling returns its totals and all of the caller's settlements", async () => {
  const answer = { cancelledOrders: 4, settled: 3_000, payout: 30_000_000_000n }
  const settle = () => ({ isAccepted: true, answer }) as const
  const app = testServer({ engine: { settle }, reads: { settlements: pagesOf(settlementRow) } })
  const url = `/api/v1/markets/${someId}/settle`
  const { success, data } = (await app.inject({ method: 'POST', url, headers })).json()
  assert.equal(success, true)
  const { settlements, ...totals } = data
  assert.equal(settlements.length, total)
  assert.deepEqual(totals, {
    marketId: someId,
    totalPositions: 3_000,
    successCount: 3_000,
    failedCount: 0,
    totalPayout: '30000',
    cancelledOrders: 4,
    errors: [],
  })
})

test('a retry returns the retried settlements and their sum', async () => {
  const serials = Array.from({ length: 250 }, (_, index) => serial(index + 1))
  const answer = { settlementSerials: serials, payout: 2_500_000_000n }
  const retrySettlements = () => ({ isAccepted: true, answer }) as const
  const settlement = async (_operator: number, serial: Serial) => ({ ...settlementRow, serial })
  const app = testServer({ engine: { retrySettlements }, reads: { settlement } })
  const url = `/api/v1/markets/${someId}/retry-settlements`
  const { data } = (await app.inject({ method: 'POST', url, headers })).json()
  assert.equal(data.settlements.length, 250)
  assert.equal(data.totalPositions, 250)
  assert.equal(data.totalPayout, '2500')
})

test('a store that fails before the first page is answered with 503', async () => {
  const positions = () => Promise.reject(new StoreUnavailable('closing'))
  const response = await testServer({ reads: { positions } }).inject({
    url: '/api/v1/positions',
    headers,
  })
  assert.equal(response.statusCode, 503)
  assert.equal(response.json().error.code, 'UNAVAILABLE')
})

test('an array that breaks off half-way is not a complete response', async () => {
  const read = pagesOf(positionRow)
  const positions = (query: { after: number | null; limit: number }) =>
    query.after === null ? read(query) : Promise.reject(new Error('gone'))
  const app = testServer({ reads: { positions } })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  await assert.rejects(async () => {
    await (await fetch(`${origin}/api/v1/positions`, { headers })).text()
  })
  await app.close()
})

test('the next page is read once the client has read the previous one', async () => {
  const requested: (number | null)[] = []
  const read = pagesOf(positionRow, requested)
  const { pieces } = await arrayAnswer({
    read: (after) => read({ after, limit: 10 }),
    present: (row) => ({ ...row, cost: '0', profit: '0', note: 'x'.repeat(20_000) }),
  })
  pieces.read(0)
  await new Promise((resolve) => setImmediate(resolve))
  assert.ok(requested.length < 5, `${requested.length} pages were read ahead`)
  pieces.destroy()
})
