// A disk with slow syncs: concurrent orders share a sync, and none waits for those of the tables.

import assert from 'node:assert/strict'
import { readFile, rm } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { newFolder, Service } from '../../support/process/outcry-process.ts'
import { hasStrace, type StoreFile, traced } from '../support/fault-injection.ts'
import { serviceOptions } from '../support/process-options.ts'
import { openMarket } from '../support/trading-fixture.ts'

const syncMs = 100
const calls = 'fsync,fdatasync'

test('100 concurrent orders share a few slow syncs; a single one waits for one', async (t) => {
  await onSlowFile(t, 'outcry.db-turns-wal', async ({ place, syncs }) => {
    const lone = await syncs(() => place(0))
    assert.equal(lone.count, 1)
    assert.ok(lone.ms >= syncMs, `answered after ${lone.ms} ms, before its sync`)

    const players = Array.from({ length: 100 }, (_, player) => player)
    const together = await syncs(() => Promise.all(players.map(place)))
    t.diagnostic(`100 orders together: ${together.count} syncs`)
    assert.ok(together.count <= 20, `${together.count} syncs`)

    // Sequential orders cannot share a sync: this is the comparison for the number above.
    const apart = await syncs(async () => {
      for (const player of players.slice(0, 10)) await place(player)
    })
    assert.equal(apart.count, 10)
  })
})

test('orders do not wait for slow syncs of the tables, but the next read does', async (t) => {
  await onSlowFile(t, 'outcry.db-wal', async ({ place, orderCount, syncs }) => {
    assert.equal(await orderCount(), 0)
    const orders = await syncs(async () => {
      for (let player = 0; player < 10; player += 1) await place(player)
    })
    t.diagnostic(`10 orders one after the other: ${orders.ms} ms`)
    assert.ok(orders.ms < 10 * syncMs, `answered after ${orders.ms} ms`)
    const read = await syncs(async () => assert.equal(await orderCount(), 10))
    assert.ok(orders.count + read.count >= 1, 'what was read is on disk')
  })
})

type Setting = {
  readonly place: (player: number) => Promise<void>
  readonly orderCount: () => Promise<number>
  /** How many syncs of the file happened meanwhile, and how long it took. */
  readonly syncs: (work: () => Promise<unknown>) => Promise<{ count: number; ms: number }>
}

/** A service with a market; each sync of that file takes long. */
async function onSlowFile(
  t: TestContext,
  file: StoreFile,
  use: (setting: Setting) => Promise<void>,
): Promise<void> {
  if (!hasStrace(t)) return
  const dataDir = await newFolder()
  const output = `${dataDir}.trace`
  const inject = `delay_enter=${syncMs * 1_000}`
  const under = traced(`${dataDir}/${file}`, { calls, inject, output })
  const service = await Service.start({ dataDir, ...serviceOptions(), under })
  try {
    const { id, key } = await service.newOperator()
    const { id: marketId, outcomeIds } = await openMarket(service, { id, key })
    const order = { marketId, outcomeId: outcomeIds[0], side: 'BUY', type: 'LIMIT', shares: 1 }
    await use({
      place: async (player) => {
        const body = { ...order, playerId: `player-${player}`, price: 0.4 }
        const { status } = await service.request('POST', '/api/v1/orders', { key, body })
        assert.equal(status, 201)
      },
      orderCount: async () =>
        (await service.request('GET', '/api/v1/orders', { key })).body.data.total,
      syncs: async (work) => {
        const before = await syncCount(output)
        const startedAt = performance.now()
        await work()
        return { count: (await syncCount(output)) - before, ms: performance.now() - startedAt }
      },
    })
  } finally {
    await service.kill()
    await rm(dataDir, { recursive: true, force: true })
    await rm(output, { force: true })
  }
}

async function syncCount(output: string): Promise<number> {
  return (await readFile(output, 'utf8')).match(/sync\(.*= 0/g)?.length ?? 0
}
