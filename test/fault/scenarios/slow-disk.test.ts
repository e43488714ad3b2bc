// A disk with slow syncs: concurrent orders share a sync.

import assert from 'node:assert/strict'
import { readFile, rm } from 'node:fs/promises'
import { test } from 'node:test'
import { newFolder, Service } from '../../support/process/outcry-process.ts'
import { hasStrace, traced } from '../support/fault-injection.ts'
import { serviceOptions } from '../support/process-options.ts'
import { openMarket } from '../support/trading-fixture.ts'

const syncMs = 100
const calls = 'fsync,fdatasync'

test('100 concurrent orders share a few slow syncs; a single one waits for one', async (t) => {
  if (!hasStrace(t)) return
  const dataDir = await newFolder()
  const output = `${dataDir}.trace`
  const inject = `delay_enter=${syncMs * 1_000}`
  const under = traced(`${dataDir}/outcry.db-wal`, { calls, inject, output })
  const service = await Service.start({ dataDir, ...serviceOptions(), under })
  try {
    const { id, key } = await service.newOperator()
    const { id: marketId, outcomeIds } = await openMarket(service, { id, key })
    const order = { marketId, outcomeId: outcomeIds[0], side: 'BUY', type: 'LIMIT', shares: 1 }
    const place = async (player: number) => {
      const body = { ...order, playerId: `player-${player}`, price: 0.4 }
      const { status } = await service.request('POST', '/api/v1/orders', { key, body })
      assert.equal(status, 201)
    }
    const syncs = async (work: () => Promise<unknown>) => {
      const before = await syncCount(output)
      const startedAt = performance.now()
      await work()
      return { count: (await syncCount(output)) - before, ms: performance.now() - startedAt }
    }

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
  } finally {
    await service.kill()
    await rm(dataDir, { recursive: true, force: true })
    await rm(output, { force: true })
  }
})

async function syncCount(output: string): Promise<number> {
  return (await readFile(output, 'utf8')).match(/sync\(.*= 0/g)?.length ?? 0
}
