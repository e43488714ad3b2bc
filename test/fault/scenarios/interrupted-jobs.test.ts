// Work that takes many turns, such as settling a large market, is finished by whoever starts next.

import assert from 'node:assert/strict'
import { cp, rm } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { auditFolder } from '../../../src/store/sqlite/audit/audit.ts'
import { newFolder, Service } from '../../support/process/outcry-process.ts'
import { allEvents } from '../support/event-checks.ts'
import {
  ask,
  askAndDie,
  endOf,
  listed,
  openOrders,
  resumeAndDie,
} from '../support/interrupted-jobs.ts'
import { addCrowd } from '../support/populate-market.ts'
import { started } from '../support/service-options.ts'
import { openMarket, type SceneMarket, type Trader } from '../support/trading-fixture.ts'

const players = 6_000
const resolution = { resolutionSource: 'the sky' }

/** Made once; each test works on a copy. */
const made: { setting: Setting | null } = { setting: null }

before(async () => {
  const folder = await newFolder()
  const service = await Service.start({ dataDir: folder, ...started() })
  const trader = { name: 'house', ...(await service.newOperator()) }
  const market = await openMarket(service, trader)
  await service.stop()
  const crowd = await addCrowd(folder, trader, { market, players })
  made.setting = { folder, trader, market, crowd }
})

after(async () => {
  if (made.setting !== null) await rm(made.setting.folder, { recursive: true, force: true })
})

test('a settlement that is killed again and again pays each position once', async () => {
  await withCrowd(async ({ folder, trader, market, crowd }) => {
    const winner = market.outcomeIds[0]!
    await askAndDie(folder, 4, async (service) => {
      await ask(service, trader, market, 'close')
      await ask(service, trader, market, 'resolve', { ...resolution, winningOutcomeId: winner })
      await ask(service, trader, market, 'settle')
    })
    for (const commits of [0.5, 1, 1.5]) await resumeAndDie(folder, commits)

    const service = await Service.start({ dataDir: folder, ...started() })
    try {
      assert.equal(await endOf(service, trader, market), 'SETTLED')
      const settlements = await listed(service, trader, 'settlements')
      assert.equal(settlements.length, crowd.positions)
      assert.equal(new Set(settlements.map(({ positionId }) => positionId)).size, crowd.positions)
      const paid = settlements.reduce((sum, { totalPayout }) => sum + Number(totalPayout), 0)
      assert.equal(paid, crowd.sets)
      const again = await ask(service, trader, market, 'settle')
      assert.equal(again.body.error.code, 'SETTLEMENT_ALREADY_COMPLETED')
      await checkTold(service, trader, { SETTLEMENT_COMPLETED: crowd.positions, ...cancels(crowd) })
    } finally {
      await service.stop()
    }
  })
})

test('a cancel that is killed again and again cancels each order once', async () => {
  await withCrowd(async ({ folder, trader, market, crowd }) => {
    const body = { reason: 'rained off' }
    await askAndDie(folder, 1, (service) => ask(service, trader, market, 'cancel', body))
    for (const commits of [1.5, 1]) await resumeAndDie(folder, commits)
    const service = await Service.start({ dataDir: folder, ...started() })
    try {
      assert.equal(await endOf(service, trader, market), 'CANCELLED')
      assert.equal(await openOrders(service, trader), 0)
      await checkTold(service, trader, cancels(crowd))
      const { status } = await ask(service, trader, market, 'cancel', body)
      assert.equal(status, 409)
    } finally {
      await service.stop()
    }
  })
})

test('the checks catch a service that forgets half-done work', async () => {
  await withCrowd(async ({ folder, trader, market }) => {
    const body = { reason: 'rained off' }
    await askAndDie(folder, 1, (service) => ask(service, trader, market, 'cancel', body))
    const service = await Service.start({ dataDir: folder, ...started('forgets half-done work') })
    try {
      await endOf(service, trader, market, 1_000)
      assert.notEqual(await openOrders(service, trader), 0)
    } finally {
      await service.stop()
    }
  })
})

type Crowd = Awaited<ReturnType<typeof addCrowd>>
type Setting = {
  readonly folder: string
  readonly trader: Trader
  readonly market: SceneMarket
  readonly crowd: Crowd
}

async function withCrowd(work: (setting: Setting) => Promise<void>): Promise<void> {
  const folder = await newFolder()
  try {
    await cp(made.setting!.folder, folder, { recursive: true })
    await work({ ...made.setting!, folder })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function cancels({ orders }: Crowd) {
  return { ORDER_CANCELLED: orders, ORDER_PLACED: orders }
}

/** Numbered without a gap, and each thing told once. */
async function checkTold(
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
    const told = events.filter(({ eventType }) => eventType === type)
    assert.equal(told.length, count, type)
    const about = told.map(({ payload }) => payload.settlementId ?? payload.orderId)
    assert.equal(new Set(about).size, count, type)
  }
}
