// Overload: the service refuses the excess, keeps its memory bounded, still executes cancels, and
// recovers afterwards.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Service } from '../../support/process/outcry-process.ts'
import { residentMiB } from '../../support/process/resident-memory.ts'
import { Flood } from '../support/flood.ts'
import { serviceOptions } from '../support/process-options.ts'
import { type FixtureMarket, openMarket } from '../support/trading-fixture.ts'

const floodMs = 2_000
const drainMax = 60_000
const cancels = 20
const memoryMaxMb = 600

test('orders over the rate limit get 429, and cancels are still executed', async (t) => {
  const statuses = await flooded(t, { RATE_LIMIT_ORDERS: '200' }, 2)
  assert.ok((statuses.get(429) ?? 0) > (statuses.get(201) ?? 0), 'most orders get 429')
})

test('without a rate limit, orders get 201 or 503, and cancels are still executed', async (t) => {
  const statuses = await flooded(t, {}, 2)
  assert.ok((statuses.get(201) ?? 0) > 0, 'some orders are accepted')
})

async function flooded(t: TestContext, env: Readonly<Record<string, string>>, pipelined: number) {
  const options = serviceOptions()
  const service = await Service.start({ ...options, env: { ...options.env, ...env } })
  try {
    const trader = await service.newOperator()
    const { key } = trader
    const market = await openMarket(service, trader)
    const orderIds = await placeSome(service, key, market)
    const flood = new Flood({ url: service.url, key, market, connections: 200, pipelined })
    flood.start()
    const memory = watchMemory(service)
    const startedAt = performance.now()
    const cancelled = await Promise.all(
      orderIds.map((id) => service.request('DELETE', `/api/v1/orders/${id}`, { key })),
    )
    const cancelMs = performance.now() - startedAt
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, floodMs - cancelMs)))
    await flood.stop(drainMax)
    memory.stop()

    const { statuses, withoutRetryAfter, broken, sent } = flood.tally
    const shown = JSON.stringify([...statuses])
    t.diagnostic(`${sent} sent: ${shown}; cancels ${cancelMs | 0} ms; ${memory.stop()} MB`)
    const others = [...statuses.keys()].filter((status) => ![201, 429, 503].includes(status))
    assert.deepEqual(others, [])
    assert.equal(withoutRetryAfter, 0)
    assert.deepEqual([broken, flood.unanswered], [0, 0])
    assert.deepEqual(
      cancelled.map(({ status }) => status).filter((status) => status !== 200),
      [],
    )
    assert.ok(memory.stop() < memoryMaxMb, `${memory.stop()} MB`)
    await assertRecovered(service, key, (statuses.get(201) ?? 0) + cancels)
    return statuses
  } finally {
    await service.kill()
  }
}

async function placeSome(service: Service, key: string, market: FixtureMarket): Promise<string[]> {
  const order = { marketId: market.id, outcomeId: market.outcomeIds[1], playerId: 'ann' }
  const body = { ...order, side: 'BUY', type: 'LIMIT', shares: 1, price: 0.3 }
  const placing = Array.from({ length: cancels }, () =>
    service.request('POST', '/api/v1/orders', { key, body }),
  )
  return (await Promise.all(placing)).map((answer) => answer.body.data.order.id)
}

/** The service is ready, and as many orders are stored as were accepted. */
async function assertRecovered(service: Service, key: string, orders: number): Promise<void> {
  assert.equal((await service.request('GET', '/ready')).status, 200)
  const { body } = await service.request('GET', '/api/v1/orders?limit=1', { key })
  assert.equal(body.data.total, orders)
}

function watchMemory(service: Service): { readonly stop: () => number } {
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, residentMiB(service.process.pid) ?? 0)
  }, 100)
  return {
    stop: () => {
      clearInterval(timer)
      return Math.round(most)
    },
  }
}
