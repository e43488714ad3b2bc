// Jobs that take many turns, such as settling a large market, are continued after a restart.

import assert from 'node:assert/strict'
import { cp, rm } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { auditFolder } from '../../../src/store/sqlite/audit/audit.ts'
import { newFolder, Service } from '../../support/process/outcry-process.ts'
import { allEvents } from '../support/event-checks.ts'
import {
  finalStatus,
  killDuring,
  killDuringResume,
  listed,
  marketAction,
  openOrders,
} from '../support/interrupted-jobs.ts'
import { populateMarket } from '../support/populate-market.ts'
import { serviceOptions } from '../support/process-options.ts'
import { type FixtureMarket, openMarket, type Trader } from '../support/trading-fixture.ts'

const players = 6_000
const resolution = { resolutionSource: 'the sky' }

/** Created once; each test works on a copy. */
let shared: Setting | null = null

before(async () => {
  const folder = await newFolder()
  const service = await Service.start({ dataDir: folder, ...serviceOptions() })
  const trader = { name: 'operator', ...(await service.newOperator()) }
  const market = await openMarket(service, trader)
  await service.stop()
  const population = await populateMarket(folder, trader, { market, players })
  shared = { folder, trader, market, population }
})

after(async () => {
  if (shared !== null) await rm(shared.folder, { recursive: true, force: true })
})

test('a settlement that is interrupted repeatedly pays each position once', async () => {
  await withPopulatedMarket(async ({ folder, trader, market, population }) => {
    const winner = market.outcomeIds[0]!
    await killDuring(folder, 4, async (service) => {
      await marketAction(service, trader, market, 'close')
      await marketAction(service, trader, market, 'resolve', {
        ...resolution,
        winningOutcomeId: winner,
      })
      await marketAction(service, trader, market, 'settle')
    })
    for (const commits of [0.5, 1, 1.5]) await killDuringResume(folder, commits)

    const service = await Service.start({ dataDir: folder, ...serviceOptions() })
    try {
      assert.equal(await finalStatus(service, trader, market), 'SETTLED')
      const settlements = await listed(service, trader, 'settlements')
      assert.equal(settlements.length, population.positions)
      assert.equal(
        new Set(settlements.map(({ positionId }) => positionId)).size,
        population.positions,
      )
      const paid = settlements.reduce((sum, { totalPayout }) => sum + Number(totalPayout), 0)
      assert.equal(paid, population.sets)
      const again = await marketAction(service, trader, market, 'settle')
      assert.equal(again.body.error.code, 'SETTLEMENT_ALREADY_COMPLETED')
      await checkEvents(service, trader, {
        SETTLEMENT_COMPLETED: population.positions,
        ...cancels(population),
      })
    } finally {
      await service.stop()
    }
  })
})

test('a market cancellation that is interrupted repeatedly cancels each order once', async () => {
  await withPopulatedMarket(async ({ folder, trader, market, population }) => {
    const body = { reason: 'rained off' }
    await killDuring(folder, 1, (service) => marketAction(service, trader, market, 'cancel', body))
    for (const commits of [1.5, 1]) await killDuringResume(folder, commits)
    const service = await Service.start({ dataDir: folder, ...serviceOptions() })
    try {
      assert.equal(await finalStatus(service, trader, market), 'CANCELLED')
      assert.equal(await openOrders(service, trader), 0)
      await checkEvents(service, trader, cancels(population))
      const { status } = await marketAction(service, trader, market, 'cancel', body)
      assert.equal(status, 409)
    } finally {
      await service.stop()
    }
  })
})

test('an interrupted brake refuses new orders, and cancels each open one once', async () => {
  await withPopulatedMarket(async ({ folder, trader, market, population }) => {
    await killDuring(folder, 4, (service) => putBrake(service, trader))
    for (const commits of [0.5, 1, 1.5]) await killDuringResume(folder, commits)
    const service = await Service.start({ dataDir: folder, ...serviceOptions() })
    try {
      // In force before the last order is cancelled; the repeated request waits for that.
      const refused = await placeOrder(service, trader, market)
      assert.equal(refused.body.error.code, 'TRADING_RESTRICTED')
      const { body } = await putBrake(service, trader)
      assert.equal(await openOrders(service, trader), 0)
      assert.equal(body.data.controls.mode, 'HALTED')
      const { cancelled } = body.data
      assert(cancelled === 0 || cancelled === population.orders, `counts ${cancelled}`)
      await checkEvents(service, trader, cancels(population))
      await service.request('PUT', '/api/v1/controls', { key: trader.key, body: { mode: 'OPEN' } })
      assert.equal((await placeOrder(service, trader, market)).status, 201)
    } finally {
      await service.stop()
    }
  })
})

test('the checks detect a service that forgets interrupted jobs', async () => {
  await withPopulatedMarket(async ({ folder, trader, market }) => {
    const body = { reason: 'rained off' }
    await killDuring(folder, 1, (service) => marketAction(service, trader, market, 'cancel', body))
    const service = await Service.start({
      dataDir: folder,
      ...serviceOptions('forgets interrupted jobs'),
    })
    try {
      await finalStatus(service, trader, market, 1_000)
      assert.notEqual(await openOrders(service, trader), 0)
    } finally {
      await service.stop()
    }
  })
})

function putBrake(service: Service, { key }: Trader) {
  const body = { mode: 'HALTED', reason: 'A fault in the wallets' }
  return service.request('PUT', '/api/v1/controls', { key, body })
}

function placeOrder(service: Service, { key }: Trader, { id, outcomeIds }: FixtureMarket) {
  const terms = { playerId: 'late', side: 'BUY', type: 'LIMIT', shares: 1, price: 0.1 }
  const body = { marketId: id, outcomeId: outcomeIds[0], ...terms }
  return service.request('POST', '/api/v1/orders', { key, body })
}

type Population = Awaited<ReturnType<typeof populateMarket>>
type Setting = {
  readonly folder: string
  readonly trader: Trader
  readonly market: FixtureMarket
  readonly population: Population
}

async function withPopulatedMarket(work: (setting: Setting) => Promise<void>): Promise<void> {
  const folder = await newFolder()
  try {
    await cp(shared!.folder, folder, { recursive: true })
    await work({ ...shared!, folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function cancels({ orders }: Population) {
  return { ORDER_CANCELLED: orders, ORDER_PLACED: orders }
}

/** The events have no gap, and each expected event exists once. */
async function checkEvents(
  service: Service,
  trader: Trader,
  expected: Readonly<Record<string, number>>,
): Promise<void> {
  assert.deepEqual((await auditFolder(service.dataDir)).violations, [])
  const events = await allEvents(service, trader)
  assert.equal(
    events.findIndex(({ sequence }, at) => sequence !== at + 1),
    -1,
  )
  for (const [type, count] of Object.entries(expected)) {
    const ofType = events.filter(({ eventType }) => eventType === type)
    assert.equal(ofType.length, count, type)
    const about = ofType.map(({ payload }) => payload.settlementId ?? payload.orderId)
    assert.equal(new Set(about).size, count, type)
  }
}
