// A full disk: writes get 503, reads still work, and the service continues by itself when there is
// disk space again.

import assert from 'node:assert/strict'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import {
  type Answer,
  newFolder,
  Service,
  type ServiceOptions,
} from '../../support/process/outcry-process.ts'
import { Clients } from '../support/clients.ts'
import { mountSmallDisk, unmount } from '../support/fault-injection.ts'
import { serviceOptions } from '../support/process-options.ts'
import { verify } from '../support/record-checks.ts'
import { createTradingFixture, type TradingFixture, unlimited } from '../support/trading-fixture.ts'

const seed = 11
const fullMax = 15_000
const recoveryMax = 10_000
/** How long the disk stays full. */
const holdMs = 2_500

test('on a full disk writes get 503 and reads work, until there is disk space again', async (t) => {
  await onSmallDisk(t, serviceOptions(), async ({ service, fixture, clients, fill, free }) => {
    const load = clients.run(service)
    await clients.answers(100, 5_000)
    await fill()
    await untilReady(service, false, fullMax)
    await assertReadsWork(service, fixture)
    await clients.answers(20, 5_000)
    await free()
    await untilReady(service, true, recoveryMax)
    const before = clients.history.count('done')
    await clients.answers(100, 5_000)
    assert.ok(clients.history.count('done') > before, 'writes work again')
    clients.stop()
    await load
    await clients.finish(service)
    t.diagnostic(`${clients.history.count('done')} done, ${unavailableCount(clients)} turned away`)
    assert.ok(unavailableCount(clients) > 0)
    assert.deepEqual(await verify(service, fixture, clients.history), [])
    assert.equal(service.printed().match(/"event":"disk full"/g)?.length, 1)
    assert.doesNotMatch(service.printed(), /rebuild failed/)
    // The store must agree with the memory.
    assert.equal(await service.stop(), 0)
    const again = await Service.start({ dataDir: service.dataDir, ...serviceOptions() })
    assert.deepEqual(await verify(again, fixture, clients.history), [])
    await again.stop()
  })
})

test('a front end is not ready while the disk of its primary is full', async (t) => {
  const env = { ...unlimited, LOG_LEVEL: 'error', FRONT_ENDS: '1' }
  await onSmallDisk(t, { env }, async ({ service, clients, fill, free }) => {
    const load = clients.run(service)
    await clients.answers(50, 5_000)
    await fill()
    await untilReady(service, false, fullMax)
    await free()
    await untilReady(service, true, recoveryMax)
    clients.stop()
    await load
  })
})

test('the checks detect a service that ignores a full disk', async (t) => {
  await onSmallDisk(t, serviceOptions('ignores errors of the store'), async (setting) => {
    const { service, fixture, clients, fill, free } = setting
    const load = clients.run(service)
    await clients.answers(50, 5_000)
    await fill()
    // Space that the log has allocated before can still be written.
    await clients.answers(2_000, 20_000)
    clients.stop()
    await load
    await free()
    await service.kill()
    const again = await Service.start({ dataDir: service.dataDir, ...serviceOptions() })
    const violations = await verify(again, fixture, clients.history)
    await again.stop()
    assert.match(violations.join('\n'), /is stored 0 times, expected 1 to 1/)
  })
})

test('the checks detect a service that never notices free disk space', async (t) => {
  await onSmallDisk(
    t,
    serviceOptions('never notices free disk space'),
    async ({ service, clients, fill, free }) => {
      const load = clients.run(service)
      await clients.answers(50, 5_000)
      await fill()
      await untilReady(service, false, fullMax)
      await free()
      await assert.rejects(untilReady(service, true, holdMs))
      clients.stop()
      await load
    },
  )
})

type Setting = {
  readonly service: Service
  readonly fixture: TradingFixture
  readonly clients: Clients
  readonly fill: () => Promise<void>
  readonly free: () => Promise<void>
}

async function onSmallDisk(
  t: TestContext,
  options: ServiceOptions,
  work: (setting: Setting) => Promise<void>,
): Promise<void> {
  const dataDir = await newFolder()
  const ballast = `${dataDir}/ballast`
  if (!mountSmallDisk(t, dataDir, '16m')) return rm(dataDir, { recursive: true })
  let service: Service | null = null
  try {
    service = await Service.start({ dataDir, ...options })
    const fixture = await createTradingFixture(service)
    const clients = new Clients(fixture, { count: 12, seed })
    const free = () => rm(ballast)
    await work({ service, fixture, clients, free, fill: () => fillUp(dataDir, ballast) })
  } finally {
    await service?.kill()
    unmount(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function fillUp(folder: string, file: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  await writeFile(file, Buffer.alloc(bavail * bsize)).catch(() => undefined)
}

async function untilReady(service: Service, isReady: boolean, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs
  for (;;) {
    const { status } = await service.request('GET', '/ready')
    if (status === (isReady ? 200 : 503)) return
    assert.ok(performance.now() < deadline, `the service is still ${isReady ? 'not ' : ''}ready`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function assertReadsWork(
  service: Service,
  { traders, markets }: TradingFixture,
): Promise<void> {
  const { id, outcomeIds } = markets[0]!
  const { key } = traders[0]
  const paths = [
    '/health',
    `/api/v1/markets/${id}/orderbook/${outcomeIds[0]}`,
    `/api/v1/markets/${id}/prices`,
    `/api/v1/markets/${id}`,
    '/api/v1/orders',
    '/api/v1/trades',
    '/api/v1/positions',
    '/api/v1/events',
  ]
  const end = performance.now() + holdMs
  while (performance.now() < end) {
    const answers = await Promise.all(paths.map((path) => service.request('GET', path, { key })))
    for (const [at, { status }] of answers.entries()) assert.equal(status, 200, paths[at]!)
    assert.equal((await service.request('GET', '/ready')).status, 503)
    // A small write may still succeed; if it does not, its answer must be the right one.
    const late = await service.admin('POST', '/api/v1/admin/operators', { name: 'late' })
    if (late.status !== 201) assertUnavailable(late)
  }
}

function assertUnavailable({ status, headers, body }: Answer): void {
  assert.equal(status, 503)
  assert.equal(body.error.code, 'UNAVAILABLE')
  assert.ok(Number(headers.get('retry-after')) > 0)
}

function unavailableCount({ history }: Clients): number {
  return history.count('unavailable')
}
