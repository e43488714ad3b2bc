// A short version of `npm run settle-soak`, which also measures the latency: all positions of a
// large market are listed, settled and paid while another market trades.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settleSoak } from '../rounds/settle-soak.ts'

const memoryGrowthMax = 300

test('a large market is listed and settled completely while another one trades', async () => {
  const figures = await settleSoak({ players: 4_000, aloneMs: 200 }, () => {})
  assert.deepEqual([figures.positions, figures.settled], [8_000, 8_000])
  assert.equal(figures.totalPayout, String(figures.sets))
  assert.ok(figures.listedBytes > 8_000 * 200, `${figures.listedBytes} bytes of positions`)
  assert.ok(figures.settledBytes > 8_000 * 200, `${figures.settledBytes} bytes of settlements`)
  for (const { orders } of [figures.listing, figures.settling]) assert.ok(orders > 0)
  assert.ok((figures.memoryGrowthMiB ?? 0) < memoryGrowthMax, `${figures.memoryGrowthMiB} MiB`)
})
