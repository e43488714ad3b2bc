// A disk that is full: nothing more can be written, all that is there can be read, and when there
// is room again the service goes on by itself.

import assert from 'node:assert/strict'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { type Answer, newFolder, Service } from '../../support/process/outcry-process.ts'
import { Clients } from '../support/clients.ts'
import { mountSmall, unmount } from '../support/fault-injection.ts'
import type { Break } from '../support/planted-defects.ts'
import { verify } from '../support/record-checks.ts'
import { started } from '../support/service-options.ts'
import { makeScene, type Scene } from '../support/trading-fixture.ts'

const seed = 11
const fullMax = 15_000
const roomMax = 10_000
/** How long the disk stays full. */
const holdMs = 2_500

test('a full disk stops writes with 503 and nothing else, until there is room', async (t) => {
  await onSmallDisk(t, 'nothing', async ({ service, scene, clients, fill, free }) => {
    const load = clients.run(service)
    await clients.answers(100, 5_000)
    await fill()
    await untilReady(service, false, fullMax)
    await readsGoOn(service, scene)
    await clients.answers(20, 5_000)
    await free()
    await untilReady(service, true, roomMax)
    const before = clients.history.count('done')
    await clients.answers(100, 5_000)
    assert.ok(clients.history.count('done') > before, 'writes work again')
    clients.stop()
    await load
    await clients.finish(service)
    t.diagnostic(`${clients.history.count('done')} done, ${turnedAway(clients)} turned away`)
    assert.ok(turnedAway(clients) > 0)
    assert.deepEqual(await verify(service, scene, clients.history), [])
    assert.equal(service.printed().match(/"event":"disk full"/g)?.length, 1)
    assert.doesNotMatch(service.printed(), /rebuild failed/)
    // What memory says is what the store says, too.
    assert.equal(await service.stop(), 0)
    const again = await Service.start({ dataDir: service.dataDir, ...started() })
    assert.deepEqual(await verify(again, scene, clients.history), [])
    await again.stop()
  })
})

test('the checks catch a service that goes on as if there were room', async (t) => {
  await onSmallDisk(t, 'swallows errors of the store', async (setting) => {
    const { service, scene, clients, fill, free } = setting
    const load = clients.run(service)
    await clients.answers(50, 5_000)
    await fill()
    // What the log has room for already is stored all the same.
    await clients.answers(2_000, 20_000)
    clients.stop()
    await load
    await free()
    await service.kill()
    const again = await Service.start({ dataDir: service.dataDir, ...started() })
    const violations = await verify(again, scene, clients.history)
    await again.stop()
    assert.match(violations.join('\n'), /is there 0 times and must be 1 to 1 times/)
  })
})

test('the checks catch a service that never finds room again', async (t) => {
  await onSmallDisk(t, 'never finds room again', async ({ service, clients, fill, free }) => {
    const load = clients.run(service)
    await clients.answers(50, 5_000)
    await fill()
    await untilReady(service, false, fullMax)
    await free()
    await assert.rejects(untilReady(service, true, holdMs))
    clients.stop()
    await load
  })
})

type Setting = {
  readonly service: Service
  readonly scene: Scene
  readonly clients: Clients
  readonly fill: () => Promise<void>
  readonly free: () => Promise<void>
}

async function onSmallDisk(
  t: TestContext,
  broken: Break,
  work: (setting: Setting) => Promise<void>,
): Promise<void> {
  const dataDir = await newFolder()
  const ballast = `${dataDir}/ballast`
  if (!mountSmall(t, dataDir, '16m')) return rm(dataDir, { recursive: true })
  let service: Service | null = null
  try {
    service = await Service.start({ dataDir, ...started(broken) })
    const scene = await makeScene(service)
    const clients = new Clients(scene, { count: 12, seed })
    const free = () => rm(ballast)
    await work({ service, scene, clients, free, fill: () => fillUp(dataDir, ballast) })
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
    const { status } = await service.ask('GET', '/ready')
    if (status === (isReady ? 200 : 503)) return
    assert.ok(performance.now() < deadline, `it is still ${isReady ? 'not ' : ''}ready`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function readsGoOn(service: Service, { traders, markets }: Scene): Promise<void> {
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
    const answers = await Promise.all(paths.map((path) => service.ask('GET', path, { key })))
    for (const [at, { status }] of answers.entries()) assert.equal(status, 200, paths[at]!)
    assert.equal((await service.ask('GET', '/ready')).status, 503)
    // A few bytes may still find a place; an answer that there is none must say so properly.
    const late = await service.admin('POST', '/api/v1/admin/operators', { name: 'late' })
    if (late.status !== 201) assertTurnedAway(late)
  }
}

function assertTurnedAway({ status, headers, body }: Answer): void {
  assert.equal(status, 503)
  assert.equal(body.error.code, 'UNAVAILABLE')
  assert.ok(Number(headers.get('retry-after')) > 0)
}

function turnedAway({ history }: Clients): number {
  return history.count('unavailable')
}
