// Being asked to stop while busy: it ends in time, and what was answered is there afterwards.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { newFolder, Service } from '../../support/process/outcry-process.ts'
import { assertCaught } from '../support/assert-detected.ts'
import { Clients } from '../support/clients.ts'
import type { Break } from '../support/planted-defects.ts'
import { verify } from '../support/record-checks.ts'
import { started } from '../support/service-options.ts'
import { makeScene } from '../support/trading-fixture.ts'

const stopMax = 10_000

test('SIGTERM under load ends with 0 in time and loses nothing that was answered', async (t) => {
  const { code, ms, violations, done } = await stopUnderLoad('nothing')
  t.diagnostic(`stopped in ${Math.round(ms)} ms, ${done} done`)
  assert.equal(code, 0)
  assert.ok(ms < stopMax)
  assert.deepEqual(violations, [])
})

test('the checks catch a service that answers before it stores', async () => {
  const run = async () => (await stopUnderLoad('answers before it stores')).violations
  await assertCaught(run, /is there 0 times and must be 1 to 1 times/)
})

async function stopUnderLoad(broken: Break) {
  const dataDir = await newFolder()
  try {
    const first = await Service.start({ dataDir, ...started() })
    const scene = await makeScene(first)
    await first.stop()
    const clients = new Clients(scene, { count: 16, seed: 8 })
    const service = await Service.start({ dataDir, ...started(broken) })
    const load = clients.run(service)
    await clients.answers(150, 5_000)
    const askedAt = performance.now()
    const code = await service.stop()
    const ms = performance.now() - askedAt
    await load
    const again = await Service.start({ dataDir, ...started() })
    // What was cut off stays so: only what was answered counts.
    const violations = await verify(again, scene, clients.history)
    await again.stop()
    return { code, ms, violations, done: clients.history.count('done') }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
