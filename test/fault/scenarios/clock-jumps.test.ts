// The system clock is changed while the service runs: no order expires because of it, and the times
// of records never go backwards.

import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { type Json, newFolder, Service } from '../../support/process/outcry-process.ts'
import { allEvents } from '../support/event-checks.ts'
import { faketime } from '../support/fault-injection.ts'
import type { Defect } from '../support/planted-defects.ts'
import { serviceOptions } from '../support/process-options.ts'
import { openMarket } from '../support/trading-fixture.ts'

const jumps = { ahead: '+3600s', back: '-3600s' }
/** Long enough for an order to expire if it was due. */
const expiryWaitMs = 600

test('a clock that jumps an hour ahead expires nothing and is reported', async (t) => {
  await withClock(t, 'none', async ({ service, jump, place, statusOf }) => {
    const inTenMinutes = await place(600_000)
    const inASecond = await place(1_000)
    await jump(jumps.ahead)
    await pause(expiryWaitMs)
    await place(600_000)
    assert.equal(await statusOf(inTenMinutes), 'PENDING')
    assert.match(service.printed(), /"level":"error".*system clock jumped/)
    // By the steady clock, the order of one second expires on time.
    await pause(1_500)
    assert.equal(await statusOf(inASecond), 'EXPIRED')
  })
})

test('a clock that jumps an hour back does not change the order of records', async (t) => {
  await withClock(t, 'none', async ({ service, trader, jump, place, statusOf }) => {
    const first = await place(600_000)
    const inASecond = await place(1_000)
    await jump(jumps.back)
    await pause(expiryWaitMs)
    const second = await place(600_000)
    assert.ok(second.createdAt >= first.createdAt, `${second.createdAt} < ${first.createdAt}`)
    await pause(1_500)
    assert.equal(await statusOf(inASecond), 'EXPIRED')
    const events = await allEvents(service, trader)
    const back = events.find(({ createdAt }, at) => at > 0 && createdAt < events[at - 1].createdAt)
    assert.equal(back, undefined)
  })
})

test('the checks detect a service that follows clock jumps', async (t) => {
  await withClock(t, 'follows clock jumps', async ({ jump, place, statusOf }) => {
    const order = await place(600_000)
    await jump(jumps.ahead)
    await pause(expiryWaitMs)
    assert.equal(await statusOf(order), 'EXPIRED')
  })
})

type Setting = {
  readonly service: Service
  readonly trader: { readonly name: string; readonly id: string; readonly key: string }
  readonly jump: (by: string) => Promise<void>
  /** An order that expires after that time. */
  readonly place: (expiresMs: number) => Promise<Json>
  readonly statusOf: (order: Json) => Promise<string>
}

async function withClock(
  t: TestContext,
  defect: Defect,
  work: (setting: Setting) => Promise<void>,
): Promise<void> {
  const library = faketime(t)
  if (library === null) return
  const dataDir = await newFolder()
  const clock = `${dataDir}.clock`
  await writeFile(clock, '+0s\n')
  const options = serviceOptions(defect)
  const env = {
    ...options.env,
    LD_PRELOAD: library,
    DONT_FAKE_MONOTONIC: '1',
    FAKETIME_NO_CACHE: '1',
    FAKETIME_TIMESTAMP_FILE: clock,
  }
  const service = await Service.start({ ...options, dataDir, env })
  try {
    const trader = { name: 'operator', ...(await service.newOperator()) }
    const { key } = trader
    const market = await openMarket(service, trader)
    const order = { marketId: market.id, outcomeId: market.outcomeIds[0], playerId: 'ann' }
    const place = async (expiresMs: number) => {
      const terms = { side: 'BUY', type: 'LIMIT', shares: 1, price: 0.3 }
      const expiresAt = new Date(Date.now() + expiresMs).toISOString()
      const body = { ...order, ...terms, expiresAt }
      const answer = await service.request('POST', '/api/v1/orders', { key, body })
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      return answer.body.data.order
    }
    const statusOf = async ({ id }: Json) =>
      (await service.request('GET', `/api/v1/orders/${id}`, { key })).body.data.status
    await work({ service, trader, place, statusOf, jump: (by) => writeFile(clock, `${by}\n`) })
  } finally {
    await service.kill()
    await rm(dataDir, { recursive: true, force: true })
    await rm(clock, { force: true })
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
