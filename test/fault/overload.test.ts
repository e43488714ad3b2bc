// Far more than it can take: it refuses what is too much, keeps its memory, still takes cancels, and
// is well again afterwards.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { Service } from '../support/service.ts'
import { Flood } from './flood.ts'
import { started } from './programs.ts'
import { openMarket, type SceneMarket } from './scene.ts'

const floodMs = 3_000
const drainMax = 20_000
const cancels = 40
const memoryMaxMb = 700

test('a flood is refused with 503 or 429 while cancels get through', async (t) => {
  const service = await Service.start(started())
  try {
    const trader = await service.newOperator()
    const { key } = trader
    const market = await openMarket(service, trader)
    const orderIds = await placeSome(service, key, market)
    const flood = new Flood({ url: service.url, key, market, connections: 400, pipelined: 40 })
    flood.start()
    const memory = watchMemory(service)
    const endAt = performance.now() + floodMs
    const cancelled = await Promise.all(
      orderIds.map((id) => service.ask('DELETE', `/api/v1/orders/${id}`, { key })),
    )
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, endAt - performance.now())))
    await flood.stop(drainMax)

    const { statuses, withoutRetryAfter, broken, sent } = flood.tally
    const shown = JSON.stringify([...statuses])
    t.diagnostic(`${sent} sent: ${shown}; at most ${memory.stop()} MB`)
    assert.deepEqual(
      [...statuses.keys()].filter((status) => ![201, 429, 503].includes(status)),
      [],
    )
    assert.ok((statuses.get(503) ?? 0) + (statuses.get(429) ?? 0) > 0, 'nothing was refused')
    assert.equal(withoutRetryAfter, 0)
    assert.deepEqual([broken, flood.unanswered], [0, 0])
    assert.deepEqual(
      cancelled.map(({ status }) => status).filter((status) => status !== 200),
      [],
    )
    assert.ok(memory.stop() < memoryMaxMb, `${memory.stop()} MB`)
    await wellAgain(service, key, statuses.get(201)! + cancels)
  } finally {
    await service.kill()
  }
})

async function placeSome(service: Service, key: string, market: SceneMarket): Promise<string[]> {
  const order = { marketId: market.id, outcomeId: market.outcomeIds[1], playerId: 'ann' }
  const body = { ...order, side: 'BUY', type: 'LIMIT', shares: 1, price: 0.3 }
  const placing = Array.from({ length: cancels }, () =>
    service.ask('POST', '/api/v1/orders', { key, body }),
  )
  return (await Promise.all(placing)).map((answer) => answer.body.data.order.id)
}

/** Nothing hangs over, and there are as many orders as were answered. */
async function wellAgain(service: Service, key: string, orders: number): Promise<void> {
  assert.equal((await service.ask('GET', '/ready')).status, 200)
  const { body } = await service.ask('GET', '/api/v1/orders?limit=1', { key })
  assert.equal(body.data.total, orders)
}

function watchMemory(service: Service): { readonly stop: () => number } {
  let most = 0
  const timer = setInterval(async () => {
    const text = await readFile(`/proc/${service.process.pid}/status`, 'utf8').catch(() => '')
    most = Math.max(most, Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1_024)
  }, 100)
  return {
    stop: () => {
      clearInterval(timer)
      return Math.round(most)
    },
  }
}
